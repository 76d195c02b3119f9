/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/testkit.h - test one module through the real engine.
 *
 * A kit holds one engine and one entry.  Decision time stands still until it is
 * told to move.  Link with -llimen-testkit (pkg-config limen-testkit); it uses
 * no test framework: failures are return values and texts.
 *
 *	limen_kit *kit = limen_kit_new("/my/modules");
 *	limen_kit_open(kit, LIMEN_KIND_LIMIT, "cap", "{\"path\":\"/n\",\"max\":3}");
 *	limen_kit_run(kit, "{\"n\":4}", NULL);
 *	assert(limen_kit_verdict(kit) == LIMEN_FAIL);
 *
 * One thread at a time uses a kit; a process may have several.
 */
#ifndef LIMEN_TESTKIT_H
#define LIMEN_TESTKIT_H

#include <limen/limen.h>

LIMEN_BEGIN_DECLS

/* A kit, which one thread uses at a time. */
typedef struct limen_kit limen_kit;

/*
 * Makes a kit.  'module_path' is as in limen_engine_options; NULL takes the environment variable
 * LIMEN_MODULE_PATH.  Warnings and errors that the module logs go to standard error.  NULL when
 * memory is short.  The caller frees it with limen_kit_free().
 */
LIMEN_API limen_kit *limen_kit_new(const char *module_path);

/* Frees 'kit', and closes its instance. */
LIMEN_API void limen_kit_free(limen_kit *kit);

/*
 * Returns the engine of 'kit', for what has no function here, such as limen_engine_describe() with
 * the status of the instance.  It belongs to the kit, which loads its policies; never NULL.
 */
LIMEN_API limen_engine *limen_kit_engine(const limen_kit *kit);

/* Sets decision time; a new kit stands at 2020-01-01T00:00:00Z. */
LIMEN_API void limen_kit_set_now(limen_kit *kit, limen_time now);

/* Moves decision time on. */
LIMEN_API void limen_kit_advance(limen_kit *kit, limen_duration by);

/*
 * Opens an instance of 'type' named "entry" with the options in 'data' (JSON text).  A store is
 * opened with a limit that counts in it: two requests at once for each value of the hint "user",
 * and one more every minute.  Waits until the module has tried to get what it needs
 * (limen_host_set_ready()).  Returns as limen_engine_load_text() does; the problems are in
 * limen_kit_problems().
 */
LIMEN_API int limen_kit_open(limen_kit *kit, limen_kind kind, const char *type, const char *data);

/*
 * Loads the policy of the last limen_kit_open() again, as when a file that the module reads has
 * changed; otherwise as limen_kit_open().  Other options are tried by opening again: that, too,
 * is a reload, in which the instance has a predecessor.
 */
LIMEN_API int limen_kit_reload(limen_kit *kit);

/*
 * The text of all problems, warnings and notes of the last open, one a line; "" if none.  Those of
 * limen_diag_add_at() have their file and line.  Borrowed from 'kit', until the next open.
 */
LIMEN_API const char *limen_kit_problems(const limen_kit *kit);

/*
 * Has 'prepare' called with 'data' for each request before it is decided; NULL: no more.  It
 * says with limen/request.h what limen_kit_run() cannot: who asks, that an object is updated and
 * what it was, how long the decision may take, that it is a dry run.
 */
LIMEN_API void limen_kit_prepare(limen_kit *kit, void (*prepare)(void *data, limen_request *req),
                                 void *data);

/*
 * Runs the instance on the document 'document' (JSON text; NULL: an empty task)
 * under the hints 'hints' (JSON text of an object; NULL: none).  An admission
 * plugin is asked about the creation of an object, by the names that the object has
 * in its metadata; its verdict is that of the last method called.  Of a store, the
 * verdict of the limit counts.  Returns the verdict of the module itself,
 * LIMEN_ERROR also when a text cannot be read.
 */
LIMEN_API limen_verdict limen_kit_run(limen_kit *kit, const char *document, const char *hints);

/*
 * Return what the last run gave: its verdict, its reason ("" if none), and the
 * decision around it (NULL if there was none), good until the next run.
 */
LIMEN_API limen_verdict limen_kit_verdict(const limen_kit *kit);
LIMEN_API const char *limen_kit_reason(const limen_kit *kit);
LIMEN_API const limen_decision *limen_kit_decision(const limen_kit *kit);

LIMEN_END_DECLS

#endif
