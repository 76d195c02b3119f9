/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/host.h - services of the engine for modules: files,
 * background work, logs, counters, clocks.
 *
 * A module never starts a thread, opens a configuration file or logs on its
 * own.  A limen_host belongs to one instance: it is given to 'open', may be
 * kept in the instance, and ends with the instance.  Its functions may be
 * called from any thread.
 */
#ifndef LIMEN_HOST_H
#define LIMEN_HOST_H

#include <limen/diag.h>
#include <limen/documents.h>
#include <limen/store.h>
#include <limen/value.h>

LIMEN_BEGIN_DECLS

/* Returns nanoseconds of a clock that only runs forward and is never set: deadlines, ages. */
LIMEN_API int64_t limen_host_monotonic(void);

/* Returns wall time as the system has it: never for decisions, see limen_request_now(). */
LIMEN_API limen_time limen_host_wall_time(void);

/*
 * Background work.  Jobs run one after another on one thread, save those of
 * limen_host_after_blocking() and limen_host_run(), never before the policy they
 * belong to is in force and never once the instance is being closed; closing waits
 * for a job that is running, before 'close' is called.  A job must not block for
 * long.  An engine made with LIMEN_ENGINE_PASSIVE accepts jobs and never runs them.
 * 'data' must be good until the instance is closed.
 */
typedef void (*limen_job)(void *data);

/* Runs 'job' once, 'delay' from now (at once if below 0).  Returns LIMEN_OK or LIMEN_ENOMEM. */
LIMEN_API int limen_host_after(limen_host *host, limen_duration delay, limen_job job, void *data);

/*
 * As limen_host_after(), for a job that may block on the network or a disk: it
 * runs on one of a few worker threads, apart from those of decisions, and one at
 * a time of each instance.  Where an instance has jobs of both sorts, they may
 * run at the same time.  Such a job asks limen_host_stopping().
 */
LIMEN_API int limen_host_after_blocking(limen_host *host, limen_duration delay, limen_job job,
                                    void *data);

/*
 * Runs 'job' once, on a thread of its own, for as long as it likes: for a
 * connection that is kept.  It begins when the policy is in force, and returns
 * within a second once limen_host_stopping() is true.  Returns LIMEN_OK or
 * LIMEN_ENOMEM.
 */
LIMEN_API int limen_host_run(limen_host *host, limen_job job, void *data);

/*
 * True once the instance is being closed.  A job that blocks asks at least every
 * second and then returns: a reload may be waiting for it.
 */
LIMEN_API bool limen_host_stopping(const limen_host *host);

/*
 * True if no job will ever run (LIMEN_ENGINE_PASSIVE): 'open' then contacts no server.  For
 * 'open' and jobs, on any thread.
 */
LIMEN_API bool limen_host_is_passive(const limen_host *host);

/*
 * Returns a descriptor that can be read (POLLIN) once the instance is being
 * closed, so that a job that sits in poll() need not wake up to ask.  It is the
 * engine's: neither read nor close it.  -1 if the system has none to give, and
 * then the job has to ask.
 */
LIMEN_API int limen_host_stopping_fd(limen_host *host);

/*
 * Sets whether the instance has attempted to fetch its data.  An instance that
 * downloads sets false in 'open' and true after its first attempt, successful or
 * not: limen_engine_wait_ready() waits for it.  If no request can be decided without
 * the data, it may set true only once it has the data.  Without a call an instance
 * is ready.
 */
LIMEN_API void limen_host_set_ready(limen_host *host, bool ready);

/*
 * Runs 'job' whenever the file descriptor 'fd' can be read; 'job' reads it.
 * Watching ends when the peer has closed and 'fd' is read to its end.
 * The engine takes over the descriptor and closes it with the instance, even if
 * this fails (at once if memory is short).  Returns LIMEN_OK, LIMEN_ENOMEM, or
 * LIMEN_EINVAL for a negative descriptor; one that is not open is never ready.
 */
LIMEN_API int limen_host_watch_fd(limen_host *host, int fd, limen_job job, void *data);

/*
 * Runs 'job' shortly after the file at 'path' was created, changed, replaced or
 * removed since this call, so call it before reading the file.  Symbolic links
 * are followed; of a directory, anything in it counts.  Where the system reports
 * no changes, as on network file systems, it takes a few seconds.  Returns
 * LIMEN_OK or LIMEN_ENOMEM.
 */
LIMEN_API int limen_host_watch_path(limen_host *host, const char *path, limen_job job,
                                    void *data);

/*
 * Writes the path of a file in which the instance may keep what it would
 * rather not fetch again ('name' tells several apart) to 'out'.  The same
 * instance gets the same path after a restart.  Returns LIMEN_OK, LIMEN_ENOENT
 * when the engine has no cache directory, LIMEN_EINVAL for a 'name' that is no
 * plain file name, LIMEN_ERANGE when the path does not fit, LIMEN_EIO.
 */
LIMEN_API int limen_host_cache_path(limen_host *host, const char *name, char *out, size_t size);

/* How much a line matters. */
typedef enum limen_log_level {
	LIMEN_LOG_ERROR = 0,
	LIMEN_LOG_WARNING = 1,
	LIMEN_LOG_INFO = 2,
	LIMEN_LOG_DEBUG = 3
} limen_log_level;

/*
 * Logs one line under the name of the instance.  Control characters become blanks, and
 * the line is cut at 4 KiB.  It goes to the log function of the engine, if there is one.
 * Without a host, NULL, nothing is logged: an instance that logs keeps limen_opening_host().
 */
LIMEN_API void limen_host_log(limen_host *host, limen_log_level level, const char *format, ...)
	LIMEN_PRINTF(3, 4);

/*
 * A counter of an instance, good as long as the instance.  Counters are reported with
 * the status of the instance, under "counters".
 */
typedef struct limen_counter limen_counter;

/*
 * Returns the instance's counter 'name' ([a-z][a-z0-9_]*), from 0 where it is asked for the
 * first time.  Take it in 'open' and keep it: this looks the name up under a lock.  NULL for
 * another name, after 64 counters and when memory is short.  It lives as long as the instance.
 */
LIMEN_API limen_counter *limen_host_counter(limen_host *host, const char *name);

/* Adds 'amount', on any thread and fast.  NULL counts nothing. */
LIMEN_API void limen_counter_add(limen_counter *counter, int64_t amount);

/* Does both, for counters that are rarely used. */
LIMEN_API void limen_host_counter_add(limen_host *host, const char *name, int64_t amount);

/*
 * ---- during 'open' only ----
 *
 * These functions are for 'open', on the thread that calls it.  The instance owns what
 * they return, until it is closed.
 */

typedef struct limen_opening limen_opening;

/* Returns the name of the entry.  It lives as long as the instance. */
LIMEN_API const char *limen_opening_name(const limen_opening *opening);

/* Returns the entry's "data", an object: for options outside the option table. */
LIMEN_API limen_value limen_opening_data(const limen_opening *opening);

/*
 * Returns the value that the option 'key' has in "data", which knows its place for
 * limen_diag_add(); none if it is absent, also when it has a fallback.
 */
LIMEN_API limen_value limen_opening_option(const limen_opening *opening, const char *key);

/*
 * Says that the module will ask requests whether they have the classifier
 * 'name', so that classifiers are determined for objects too.  'where' is the
 * place of the name.  Returns LIMEN_OK, LIMEN_ENOENT if the policy has no such
 * classifier, LIMEN_EINVAL for identifiers and stores, or LIMEN_ENOMEM; a failure
 * is also a problem in 'diag'.
 */
LIMEN_API int limen_opening_use_classifier(limen_opening *opening, const char *name,
                                           limen_value where, limen_diag *diag);

/*
 * Says what the module reads of HTTP requests: 'parts', a set of LIMEN_HTTP_*, and the header
 * 'name' (NULL: no further one), as one text; requests with that header twice are refused.  With
 * LIMEN_HTTP_SECRET its value is kept out of logs (limen_decision_hides_header()).  Call it once for
 * each header; calls add up.  Without a call an identifier reads LIMEN_HTTP_CLIENT and
 * other modules LIMEN_HTTP_ALL.  Returns LIMEN_OK or LIMEN_ENOMEM.
 */
LIMEN_API int limen_opening_use_http(limen_opening *opening, unsigned parts, const char *name);

/*
 * Reads the member 'key' of "settings", what holds for the whole process; '*out'
 * is none if it is not set.  The instance is opened afresh at a reload when it has
 * changed.  Returns LIMEN_OK or LIMEN_ENOMEM.
 */
LIMEN_API int limen_opening_setting(limen_opening *opening, const char *key, limen_value *out);

/*
 * True if the policy is untrusted (LIMEN_ENGINE_FOREIGN_POLICIES,
 * LIMEN_ENGINE_FOREIGN_TEXTS): the module must not run its code with the
 * privileges of the process.
 */
LIMEN_API bool limen_opening_is_foreign(const limen_opening *opening);

/* Returns the instance's host, which lives as long as the instance. */
LIMEN_API limen_host *limen_opening_host(limen_opening *opening);

/*
 * Returns the current instance of the same entry if the same module opened it with
 * other options or inputs, else NULL.  It may be in use, and is valid until 'open'
 * returns, borrowed from 'opening'.  Use it to keep state across a change of options.
 */
LIMEN_API const void *limen_opening_predecessor(const limen_opening *opening);

/*
 * Adds LIMEN_MODULE_* flags to this instance.  A bit that is no flag is a problem once
 * 'open' has returned.
 */
LIMEN_API void limen_opening_add_flags(limen_opening *opening, uint64_t flags);

/*
 * Returns 'path' as limen_opening_file() sees it, for a file that is read later and
 * again.  NULL when memory is short.
 */
LIMEN_API const char *limen_opening_path(limen_opening *opening, const char *path);

/*
 * Reads a whole file, relative to the directory of the policy file that names
 * it.  The instance is opened afresh at a reload when the content has changed.
 * 'where' is the place of the name (none: the entry).  '*text' is NUL-terminated
 * and of 'length' bytes.  A failure is also a problem in 'diag'.  Returns LIMEN_OK,
 * LIMEN_EIO, LIMEN_ERANGE (over 64 MiB) or LIMEN_ENOMEM.
 */
LIMEN_API int limen_opening_file(limen_opening *opening, const char *path, limen_value where,
                                 const char **text, size_t *length, limen_diag *diag);

/*
 * Reads all documents, JSON or YAML, of the file 'path', or of every file of the
 * directory 'path' whose name a policy directory would take, in byte order.
 * Paths are as for limen_opening_file(), and so is what a change does; in a
 * directory coming and going files count, too.  'where' is the place of the name
 * (none: the entry).  The documents know their places;
 * keys that begin with "#" are left out.  Failures are problems in 'diag'; a file
 * or directory without anything is one.  Returns LIMEN_OK, LIMEN_EINVAL for what
 * is no JSON or YAML, LIMEN_ENOENT for nothing, LIMEN_EIO, LIMEN_ERANGE (over 64
 * MiB) or LIMEN_ENOMEM.
 */
LIMEN_API int limen_opening_documents(limen_opening *opening, const char *path, limen_value where,
                                      const limen_documents **out, limen_diag *diag);

/*
 * Opens the table 'spec' in 'store' for this instance.  After a reload the same
 * entry and name get the same buckets if rate, burst and keys are unchanged.  The
 * table ends with the instance.  A failure is also a problem in 'diag'.  Returns
 * LIMEN_OK, LIMEN_EINVAL for a 'spec' that is none, LIMEN_ENOMEM, or what the store
 * returned.
 */
LIMEN_API int limen_opening_table(limen_opening *opening, limen_store *store,
                                  const limen_table_spec *spec, limen_table **out,
                                  limen_diag *diag);

LIMEN_END_DECLS

#endif
