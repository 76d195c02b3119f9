/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiled.h - a policy ready to decide under: references resolved to indexes,
 * modules opened.  Built by compile.c, then never changed.
 *
 * Names and descriptions borrow from the documents the policy keeps.
 */
#ifndef LIMEN_CORE_POLICY_COMPILED_H
#define LIMEN_CORE_POLICY_COMPILED_H

#include <limen/option.h>
#include <limen/request.h>
#include <limen/selector.h>
#include <stdatomic.h>

#include "conf/conf.h"
#include "module/module.h"
#include "base/name_index.h"

/* The counters of a rule: one for each outcome (verdict.h), and one for "would have refused". */
enum { RULE_WOULD = 3, RULE_OUTCOMES = 4 };

/*
 * How often a rule had each outcome since the load.  Rules are numbered; each of RULE_SHARES groups of
 * threads has counts of its own, because threads that all count in one place wait for each other.
 */
typedef struct rule_counts {
	atomic_uint_fast64_t of[RULE_OUTCOMES];
} rule_counts;

#define RULE_SHARES 8

/* An identifier, a limit, a rewriter or a prioritizer: a named use of a module. */
typedef struct entry {
	const char *name;
	const char *description;
	const char *type;
	bool invert;
	bool observes; /* a limit with "enforce": "audit" */
	instance *instance;
	const char *file; /* where it stands; may be NULL */
	unsigned line;
	limen_value where;
	limen_value data; /* limits: after cloning */
	bool used;        /* identifiers and limits: another part of the policy names it */
	size_t rule;      /* the number of its counts; not of stores and scripts */
} entry;

typedef struct entry_list {
	entry *items;
	size_t count;
	name_index names;
	bool blocking; /* identifiers and admission entries: one of them may wait */
} entry_list;

/* How many of several must hold (pScheduler's "require"). */
typedef enum require {
	REQUIRE_NONE = 0,
	REQUIRE_ONE = 1,
	REQUIRE_ANY = 2,
	REQUIRE_ALL = 3
} require;

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
	bool used; /* an application, an admission entry or a module names it */
	size_t rule;
} classifier;

/* Report text that is the same in every decision: written once, by report_text.c. */
typedef struct phrase {
	const char *text;
	size_t length;
} phrase;

/* One limit requirement of an application. */
typedef struct group {
	require require;
	index_list limits;
	index_list observing; /* limits that decide nothing: not among 'limits' */
	phrase all_passed; /* report lines, if all limits pass */
} group;

/* A resource and a subresource, both patterns; "" for none. */
typedef struct match_resource_name {
	const char *resource;
	const char *subresource;
} match_resource_name;

/* Every given list must match, by one element at least.  Texts are patterns (match.h). */
typedef struct match_terms {
	limen_strings operations;
	limen_strings kinds;
	limen_strings namespaces;
	limen_strings users;
	limen_strings groups;
	const match_resource_name *resources;
	size_t resource_count;
	const limen_selector *labels; /* NULL: every object */
	const limen_selector *selector; /* NULL: every object */
	limen_strings containers;
	index_list classifiers;
} match_terms;

/* The requests that 'terms' describe, but none that an exception describes. */
typedef struct match {
	match_terms terms;
	const match_terms *exceptions;
	size_t exception_count;
	bool everything; /* matches every request: facts need not be collected */
} match;

/* Action on a request that violates an admission entry: refuse, warn or audit. */
typedef enum enforce {
	ENFORCE_DENY = 0,
	ENFORCE_WARN = 1,
	ENFORCE_AUDIT = 2
} enforce;

/* The place at which objects of a kind have a template of pods or claims. */
typedef struct template_row {
	const char *group;  /* of the API; "": the core group */
	const char *kind;
	const char *path;   /* "spec.template"; "[]" behind a member: all elements of a list */
	const char *suffix; /* what names of the objects have behind that of the workload */
	bool claim;         /* it is of a PersistentVolumeClaim, not of a Pod */
	bool known;         /* it is of Kubernetes, which requires it */
} template_row;

/* Settings that only entries of the admission chain have. */
typedef struct admission_rule {
	match match;
	enforce enforce;
	bool enabled;
	bool ignore_errors; /* failurePolicy: Ignore */
	bool retry_after;   /* answers to Kubernetes clients carry Retry-After */
	bool refuses_workloads; /* workloads: deny */
} admission_rule;

#define CLASSIFIER_ANYONE SIZE_MAX

/* Threads for blocking identifiers where the policy names no number. */
#define WORKERS_DEFAULT 16

/* How long a decision may take where neither the request nor the policy says. */
#define TIMEOUT_DEFAULT (30 * LIMEN_SECOND)
#define TIMEOUT_NONE ((limen_duration)-1)

typedef struct application {
	const char *description;
	size_t classifier; /* index, or CLASSIFIER_ANYONE */
	group *groups;
	size_t group_count;
	bool stop_on_failure;
	bool invert;
	bool observes; /* "enforce": "audit" */
	limen_value where;
	size_t rule;
	phrase heading; /* report line before the groups; 'passes' or 'fails' is behind them */
	phrase passes;
	phrase fails;
	phrase admits; /* the reason of a request that it admits */
} application;

typedef struct policy {
	atomic_uint references;
	rule_counts *counts; /* RULE_SHARES times 'rule_count'; decisions write to them */
	size_t rule_count;
	struct policy *next; /* among those to be freed; engine.c */
	cleanup owned;
	conf *files;
	bool is_renewed; /* an instance was opened, not carried over */
	entry_list identifiers;
	entry_list limits;
	entry_list stores;
	entry *rewriter;    /* NULL: none */
	entry *prioritizer; /* NULL: none */
	double initial_priority;
	phrase default_priority; /* the report line of 'initial_priority' */
	classifier *classifiers;
	size_t classifier_count;
	name_index classifier_names;
	application *applications;
	size_t application_count;
	entry_list admission;     /* those that are enabled */
	admission_rule *admission_rules; /* one an entry */
	const template_row *templates; /* of kinds that the policy names */
	size_t template_count;
	bool decides_objects;     /* there are admission entries, enabled or not */
	bool changes_objects;     /* the module of an enabled entry may change objects */
	bool classifies_strangers; /* a classifier is for requesters without any identifier */
	bool classifies_objects;  /* a rule about objects names a classifier */
	bool applies_to_objects;  /* "applications-on" */
	bool applies_to_http;     /* likewise; true if the policy does not say */
	bool admission_of_tasks;  /* "admission-on" */
	limen_http_needs needs;
	const char *const *secret_headers; /* ended by NULL */
	bool raw_paths; /* ambiguous paths are decided as they are */
	module_path path;   /* where modules are looked for */
	limen_value timeout_option; /* as the policy has it, or none */
	limen_value gate_option;
	limen_duration timeout; /* of requests that set none; 0: TIMEOUT_DEFAULT */
	int64_t workers; /* threads for blocking identifiers; 0: WORKERS_DEFAULT */
	struct {
		limen_duration jq_timeout;
		int jq_sandbox;
	} checked; /* settings of modules, which read them themselves */
} policy;

/*
 * Returns the next row for objects of a kind, of Kubernetes' own or of 'loaded' (may be NULL), or NULL.
 * '*position' is 0 at first.
 */
const template_row *template_next(const policy *loaded, const char *api_group, const char *kind,
                                  size_t *position);

/* Letting go of the last reference frees nothing: see policy_is_unused(). */
policy *policy_ref(policy *loaded);
void policy_unref(policy *loaded);

/* True if no reference is left; a policy no longer in force then stays unused. */
bool policy_is_unused(const policy *loaded);

/* The entry 'index' of all that have instances, stores first; NULL behind the last one. */
const entry *policy_entry(const policy *loaded, size_t index);

/* Calls 'each' for every file beside the policy's own that its files name or a module has read. */
void policy_each_input(const policy *loaded, void (*each)(void *data, const input *known),
                       void *data);

/* Has every entry its instance?  A policy with an unreported failure must not decide. */
bool policy_is_complete(const policy *loaded);

/*
 * Tells the instances that only 'done' holds to start no more jobs and to break off
 * running ones.  Returns true once no job runs: policy_free() then does not wait.
 * Control thread only.
 */
bool policy_stop(const policy *done);

/* Closes instances and frees; control thread only.  NULL is fine. */
void policy_free(policy *done);

/* The module that a thread or a decision is in (activity.c).  Initialised by 0. */
struct limen_activity {
	const entry *_Atomic current; /* NULL: nothing */
};

/* Sets the entry whose module the calling thread calls; NULL: none. */
void activity_set(const entry *current);

/* Waits until no thread reads an entry that was cleared before. */
void activity_await_readers(void);

/* ---- entries by name (entry_list.c) ---- */

/* The index of the entry 'name' in 'list', or SIZE_MAX. */
size_t entry_index(entry_list *list, const char *name);

/* As entry_index(), in a policy that is complete; NULL if there is none. */
const entry *entry_find(const entry_list *list, const char *name);

/* The index of the first classifier 'name', or SIZE_MAX. */
size_t classifier_index(policy *loaded, const char *name);

#endif
