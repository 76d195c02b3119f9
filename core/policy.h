/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy.h - a policy ready to decide under: references resolved to indexes,
 * modules opened.  Built by compile.c, then never changed.
 *
 * Names and descriptions borrow from the documents the policy keeps.
 */
#ifndef LIMEN_CORE_POLICY_H
#define LIMEN_CORE_POLICY_H

#include <stdatomic.h>

#include "conf.h"
#include "instance.h"
#include "loader.h"

/* An identifier, a limit, a rewriter or a prioritizer: a named use of a module. */
typedef struct entry {
	const char *name;
	const char *description;
	const char *type;
	bool invert;
	instance *instance;
	const char *file; /* where it stands; may be NULL */
	unsigned line;
	limen_value where;
	limen_value data; /* limits: after cloning */
} entry;

typedef struct entry_list {
	entry *items;
	size_t count;
} entry_list;

/* How many of several must hold (pScheduler's "require"). */
typedef enum require {
	REQUIRE_NONE = 0,
	REQUIRE_ONE = 1,
	REQUIRE_ANY = 2,
	REQUIRE_ALL = 3
} require;

/* The words, in the order of the enum, ended by NULL. */
extern const char *const require_words[];

typedef struct index_list {
	const size_t *items;
	size_t count;
} index_list;

typedef struct classifier {
	const char *name;
	const char *description;
	require require;
	index_list identifiers;
	limen_value where;
} classifier;

/* One limit requirement of an application. */
typedef struct group {
	require require;
	index_list limits;
} group;

#define CLASSIFIER_ANYONE SIZE_MAX

/* Threads for blocking identifiers where the policy names no number. */
#define WORKERS_DEFAULT 16

typedef struct application {
	const char *description;
	size_t classifier; /* index, or CLASSIFIER_ANYONE */
	group *groups;
	size_t group_count;
	bool stop_on_failure;
	bool invert;
	limen_value where;
} application;

typedef struct policy {
	atomic_uint references;
	struct policy *next; /* among those to be freed; engine.c */
	cleanup owned;
	conf *files;
	entry_list identifiers;
	entry_list limits;
	entry_list stores;
	entry *rewriter;    /* NULL: none */
	entry *prioritizer; /* NULL: none */
	double initial_priority;
	classifier *classifiers;
	size_t classifier_count;
	application *applications;
	size_t application_count;
	module_path path;   /* where modules are looked for */
	limen_duration timeout; /* of a decision without one of its own; 0: none */
	int64_t workers; /* threads for blocking identifiers; 0: WORKERS_DEFAULT */
} policy;

/* What compiling needs from outside. */
typedef struct compile_context {
	struct limen_engine *engine;
	const policy *old; /* whose instances may be carried over; may be NULL */
	policy *policy;    /* under construction */
	int schema;
	limen_diag *diag;
	bool module_failed; /* a module is there and does not load */
} compile_context;

/*
 * Compiles 'files', which it takes over also when it fails.  Returns a policy
 * with one reference, or NULL with every problem in 'diag' and '*result' set.
 */
policy *policy_compile(conf *files, struct limen_engine *engine, const policy *old, int *result,
                       limen_diag *diag);

/* Letting go of the last reference frees nothing: see policy_is_unused(). */
policy *policy_ref(policy *held);
void policy_unref(policy *held);

/* Has everybody let go?  Then nobody can take hold again of a policy no longer in force. */
bool policy_is_unused(const policy *held);

/* Closes instances and frees; control thread only.  NULL is fine. */
void policy_free(policy *done);

/* ---- the parts of compiling, one file each; all report and return nothing ---- */

void compile_settings(compile_context *context);
void compile_stores(compile_context *context);
void compile_identifiers(compile_context *context);
void compile_classifiers(compile_context *context);
void compile_limits(compile_context *context);
void compile_applications(compile_context *context);
void compile_scripts(compile_context *context); /* rewrite, priority */
void compile_notes(compile_context *context);

/* ---- shared by them (compile.c) ---- */

/* Room for 'count' zeroed things in the policy's memory; reports a shortage. */
void *compile_alloc(compile_context *context, size_t count, size_t size);

/* Reports that memory is short. */
void compile_no_memory(compile_context *context, limen_value where);

/*
 * Opens, or carries over, the instance of 'target', whose name, type and data
 * are set.  'noun' is how messages call the entry ("Limit").  Leaves
 * target->instance NULL after a problem.
 */
void compile_instance(compile_context *context, limen_kind kind, section which, const char *noun,
                      entry *target, limen_value data);

/* Fills in where 'target' stands. */
void compile_place(entry *target, limen_value where);

/* Reports that 'name' at 'where' is that of the entry at 'first', and where that one stands. */
void compile_duplicate(compile_context *context, const char *noun, const char *name,
                       limen_value where, limen_value first);

/*
 * The store 'name' (NULL: the default) of the policy under construction.  An
 * unknown one is a problem at 'where', or no problem if that is none.
 */
limen_store *compile_find_store(void *context, const char *name, limen_value where);

/* The index of the entry 'name' in 'list', or SIZE_MAX. */
size_t entry_index(const entry_list *list, const char *name);

#endif
