/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.h - the engine from the inside, for the few files that share it:
 * engine.c and engine_buckets.c, _decide.c, _describe.c, _graveyard.c, _pending.c, _source.c and
 * _watch.c.
 */
#ifndef LIMEN_CORE_ENGINE_ENGINE_H
#define LIMEN_CORE_ENGINE_ENGINE_H

#include <limen/engine.h>
#include <pthread.h>
#include <stdatomic.h>

#include "policy/policy.h"
#include "host/host.h"

/*
 * The policy that a running decision reads; NULL: none does.  It has a cache line of its own,
 * because threads that all count references in one place wait for each other.
 */
typedef struct policy_reader {
	_Alignas(64) _Atomic(policy *) policy;
} policy_reader;

/* Decisions share a reader by the number of their thread; all but one of them count. */
#define READERS 64

struct limen_engine {
	arena memory; /* options' texts */
	policy_inputs inputs;
	unsigned flags;
	host_services services;
	limen_host *host; /* of the engine itself */
	limen_engine *next; /* among those left to calls that do not return */
	pool *workers;

	pthread_mutex_t control; /* loading, one at a time; guards all below but 'current' */
	/* The source loaded last: a text, or paths, ended by NULL. */
	char *source_name;
	char *source_text;
	size_t source_length;
	char **source_files;
	policy *graveyard;
	bool sweep_due; /* the next sweep of the graveyard is scheduled */
	bool closing;
	unsigned long loads;
	limen_time loaded_at;
	char *last_error; /* of the last load; NULL if it went well */
	bool changed; /* by the last load: the policy, or whether loading works */
	limen_host *watcher;
	char **watched_paths; /* of the source, ended by NULL; NULL: none */
	/* Watches the files that modules of 'current' have read or a failed load tried to read. */
	limen_host *input_watcher;
	void (*reloaded)(void *data, int result, const limen_diag *diag);
	void *reloaded_data;

	pthread_mutex_t swap; /* held to exchange 'current', or to count a reference to it */
	_Atomic(policy *) current; /* written under both locks */
	atomic_bool wants_policy; /* a load was attempted, even if it failed */
	atomic_bool may_block; /* a decision under 'current' may wait */
	atomic_bool may_hold;  /* with its thread, even if limen_engine_begin() began it */
	policy_reader readers[READERS];

	pthread_mutex_t waiting_lock; /* guards what follows */
	limen_pending *waiting; /* decisions that wait for lookups (engine_pending.c) */
	bool ticks; /* the next look at their deadlines is scheduled */
};

/* Copies what the caller knows of the options; false if they make no sense. */
bool engine_take_options(const limen_decide_options *options, limen_decide_options *known);

/*
 * Returns the policy in force, kept until engine_release(); NULL if there is none.  Any
 * thread.  '*reader' is for engine_release().
 */
policy *engine_hold(limen_engine *engine, policy_reader **reader);
void engine_release(policy *loaded, policy_reader *reader);

/* Decides under 'loaded', which the caller holds; NULL: without a policy. */
int engine_decide_under(limen_engine *engine, policy *loaded, const limen_request *req,
                        const limen_decide_options *options, limen_decision **out);

/*
 * Replace the source that the engine loads.  Return false, and keep the old source,
 * when memory is short.  Control lock held.
 */
bool engine_source_set_text(limen_engine *engine, const char *name, const char *text,
                            size_t length);
bool engine_source_set_files(limen_engine *engine, const char *const *paths, size_t count);
void engine_source_clear(limen_engine *engine);

/* Copies a list of paths, ended by NULL in the copy; returns NULL when memory is short. */
char **engine_source_copy_list(const char *const *paths, size_t count);
void engine_source_free_list(char **list);

/* Reads the source, as conf_read_paths() does; LIMEN_ENOPOLICY if there is none. */
conf *engine_source_read(const limen_engine *engine, int *result, limen_diag *diag);

/* Puts 'old', no longer in force, with those to be freed.  Control lock held. */
void engine_bury(limen_engine *engine, policy *old);

/* limen_engine_reload() that tells whether anything changed; a failure counts as a change. */
int engine_reload(limen_engine *engine, bool *changed, limen_diag *diag);

/* Frees replaced policies that no decision and no job uses.  Control lock held. */
void engine_free_unused(limen_engine *engine);

/*
 * Frees replaced policies that are unused, and schedules another sweep for the
 * others.  Does not wait for their jobs.  Control lock held.
 */
void engine_sweep(limen_engine *engine);

/* Tells the jobs of all replaced policies to stop, and starts no more. */
void engine_stop_jobs(limen_engine *engine);

/*
 * Watch the source, and after a load the files that modules have read or tried to read,
 * if the engine has LIMEN_ENGINE_WATCH.  Control lock held.  Return the replaced
 * watcher, or NULL.  The caller frees it after releasing the lock, because its job
 * may be waiting for the lock.
 */
limen_host *engine_watch(limen_engine *engine, limen_diag *diag);
limen_host *engine_watch_inputs(limen_engine *engine, bool successful, limen_diag *diag);

/* Ends watching for good, waiting for a reload that is under way.  Control lock not held. */
void engine_stop_watching(limen_engine *engine);

#endif
