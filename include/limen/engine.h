/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/engine.h - load a policy, decide requests under it, load a new one
 * while others decide.
 *
 * limen_engine_decide() may be called from any number of threads at any time,
 * also while another thread loads; each decision sees one policy from start to
 * end.  So may limen_engine_may_block(), limen_engine_wait_ready(), limen_engine_each_bucket(),
 * limen_engine_each_counter() and limen_activity_text().  All other functions may be called from any thread too and take turns
 * (docs/threading.md).
 * A process that forks makes its engine afterwards: a child has none of its threads.
 *
 * Loading and deciding with an engine that is NULL, because memory was short, is
 * LIMEN_ENOMEM, so that only the last of several calls need be looked at.
 */
#ifndef LIMEN_ENGINE_H
#define LIMEN_ENGINE_H

#include <limen/decision.h>
#include <limen/diag.h>
#include <limen/host.h>
#include <limen/option.h>
#include <limen/request.h>

LIMEN_BEGIN_DECLS

/* How an engine works. */
enum {
	/*
	 * Decide without a policy: everything is admitted, "No limits were applied".
	 * Ends for good when a policy is to be loaded: until one is in force, also
	 * because loading it failed, deciding is LIMEN_ENOPOLICY.
	 */
	LIMEN_ENGINE_WITHOUT_POLICY = 1 << 0,
	/* Never start background work: for tools that only look at a policy. */
	LIMEN_ENGINE_PASSIVE = 1 << 1,
	/*
	 * Reload automatically when files of the policy or of its modules change.
	 * A failed reload, even for lack of descriptors, is not repeated until the
	 * next change: call limen_engine_reload().
	 */
	LIMEN_ENGINE_WATCH = 1 << 2,
	/*
	 * Count in the memory of this engine and ignore the stores of the policy:
	 * for tools that try out requests.
	 */
	LIMEN_ENGINE_MEMORY_STORES = 1 << 3,
	/*
	 * Texts for limen_engine_load_text() are untrusted: "modules" is refused in them,
	 * because it would run code from the directories it names.
	 */
	LIMEN_ENGINE_FOREIGN_TEXTS = 1 << 4,
	/* Files are untrusted, too, or untrusted users choose which are loaded. */
	LIMEN_ENGINE_FOREIGN_POLICIES = 1 << 5,
	/* Admission entries with "enforce" warn or audit refuse, too: for tools that foretell. */
	LIMEN_ENGINE_ENFORCE = 1 << 6
};

/* Options of limen_engine_new(); all but 'size' may be 0.  The struct may grow at its end. */
typedef struct limen_engine_options {
	size_t size;             /* sizeof(limen_engine_options) */
	/*
	 * Directories of modules searched first, separated by ":", or NULL.  The library does
	 * not read LIMEN_MODULE_PATH: limen, limend and the Python module pass it here.
	 */
	const char *module_path;
	const char *cache_dir;   /* where modules may keep files, or NULL */
	unsigned flags;          /* LIMEN_ENGINE_* */
	/*
	 * Receives log lines, from any thread, never two at a time; NULL: none.
	 * Must not call the engine, which may be waiting for the logging thread.
	 */
	void (*log)(void *data, limen_log_level level, const char *source, const char *text);
	void *log_data;
	/*
	 * Told the outcome of each reload that the engine does by itself, on its
	 * thread: LIMEN_OK or why the old policy stays.  Not called if files were written but
	 * nothing has changed.  May be NULL.
	 */
	void (*reloaded)(void *data, int result, const limen_diag *diag);
	void *reloaded_data;
	/*
	 * The namespace of LimitRange manifests that name none, where their entry
	 * does not say; NULL: "default".
	 */
	const char *manifest_namespace;
} limen_engine_options;

/*
 * Makes an engine without a policy.  'options' may be NULL; its texts are copied.  Returns NULL
 * when memory is short, or with errno EINVAL when 'size' was not set, 'flags' has a bit that is
 * not listed above, or a byte behind the members above is not 0: a newer program asks for
 * something that this library does not know.  The caller frees it with limen_engine_free().
 */
LIMEN_API limen_engine *limen_engine_new(const limen_engine_options *options);

/*
 * Frees 'engine' with its policy; no decision may be running.  Waits for background jobs,
 * and for calls of identifiers that their decisions gave up, for 5 seconds; what they
 * can reach after that is never freed, and the log says so.  Waits without a limit for a
 * reload that is under way, which can hang in the 'open' of a module or on a dead
 * mount, and for the 'close' of modules.  Must not be called from the 'log' or 'reloaded'
 * callback: they run on the thread that this waits for.
 */
LIMEN_API void limen_engine_free(limen_engine *engine);

/*
 * Adds a module that is part of the program, before the first load.  'definition' is what
 * LIMEN_LIMIT() and its siblings of limen/module.h define; it must stay as it is until
 * the process ends, and is checked like that of a file.  A policy uses the module by its
 * kind and name; a file of the same kind and name is then never looked for.
 * Returns LIMEN_OK, LIMEN_EMODULE if the definition is refused, LIMEN_EINVAL for a
 * module of the same kind and name or after a load, or LIMEN_ENOMEM.
 */
LIMEN_API int limen_engine_add_module(limen_engine *engine, const void *definition,
                                      limen_diag *diag);

/*
 * Loads the policy at 'path': a file, or a directory of which the regular files
 * ending in .conf, .json, .yaml or .yml are read in byte order and merged.
 * Every problem found goes to 'diag', as do notes and warnings.  On failure the
 * policy in force stays.  Does not wait for what modules download, which
 * limen_engine_wait_ready() does.  Returns LIMEN_OK, LIMEN_ECONFIG, LIMEN_EMODULE,
 * LIMEN_EIO or LIMEN_ENOMEM.
 */
LIMEN_API int limen_engine_load(limen_engine *engine, const char *path, limen_diag *diag);

/*
 * As limen_engine_load(), from 'count' files and directories that are one policy
 * together, in this order.  None at all (of a pattern that nothing fits, say) are
 * LIMEN_ECONFIG, as an empty directory is.
 */
LIMEN_API int limen_engine_load_files(limen_engine *engine, const char *const *paths,
                                      size_t count, limen_diag *diag);

/* As limen_engine_load(), from 'length' bytes of text; 'name' (may be NULL) is for messages. */
LIMEN_API int limen_engine_load_text(limen_engine *engine, const char *name, const char *text,
                                     size_t length, limen_diag *diag);

/*
 * Reloads the last policy.  Instances whose entry, data, module and input files
 * are unchanged carry over with their state.
 * Returns LIMEN_ENOPOLICY if no policy was ever loaded.
 */
LIMEN_API int limen_engine_reload(limen_engine *engine, limen_diag *diag);

/*
 * Waits until every module has attempted its first download, at most 'timeout',
 * and returns false if one has not by then.  A load does not wait for downloads:
 * a program that decides only once should call this after it.  Returns true even
 * if an attempt failed: the module's status has the error.  Returns at once for an
 * engine with LIMEN_ENGINE_PASSIVE, which downloads nothing.
 */
LIMEN_API bool limen_engine_wait_ready(limen_engine *engine, limen_duration timeout);

/*
 * May a decision wait for the network or another process, because of a module of the policy in
 * force?  A server then decides elsewhere than on the threads that serve its connections.
 * Costs next to nothing.
 */
LIMEN_API bool limen_engine_may_block(const limen_engine *engine);

/*
 * The same of limen_engine_begin() and limen_pending_decide(), which hold no thread for lookups
 * of modules that can wait without one.
 */
LIMEN_API bool limen_engine_begin_may_block(const limen_engine *engine);

/* Whether a stage of a decision about a task is run. */
typedef enum limen_switch {
	LIMEN_SWITCH_AUTO = 0,
	LIMEN_SWITCH_ON = 1,
	LIMEN_SWITCH_OFF = 2
} limen_switch;

/*
 * Which half of the admission chain an object goes through.  A Kubernetes API
 * server asks twice: what to change, and then whether what came of that may pass.
 */
typedef enum limen_phase {
	LIMEN_PHASE_BOTH = 0,
	/*
	 * Entries change the object and may refuse it; nothing is checked, no
	 * application is asked and no rate is charged.
	 */
	LIMEN_PHASE_MUTATE = 1,
	/* The object is checked as it was received; nothing is changed. */
	LIMEN_PHASE_VALIDATE = 2,
	/*
	 * The object is a workload, such as a Deployment: entries are asked about the pods and claims
	 * that it would make.  Nothing is changed or charged.  It is admitted, with warnings, unless an
	 * entry with "workloads": "deny" refuses one of them.
	 */
	LIMEN_PHASE_WORKLOAD = 3
} limen_phase;

/* Options of limen_engine_decide(); all but 'size' may be 0.  The struct may grow at its end. */
typedef struct limen_decide_options {
	size_t size;             /* sizeof(limen_decide_options) */
	uint32_t rewrite;         /* limen_switch; auto: unless the task is a run */
	uint32_t prioritize;      /* limen_switch; auto: if the task is a run */
	bool diagnostics;        /* make pScheduler's account */
	bool trace;              /* record every module run */
	bool origins;            /* record where changed values come from */
	uint32_t phase;           /* limen_phase, of objects; a task always goes through both */
	/*
	 * The host's own bound, in place of "timeout" in the "settings" of the policy; 0: that.
	 * Half of it is for answers of other systems; an identifier without one then has the result
	 * of its "fail-result".  A timeout that a client chooses belongs into
	 * limen_request_set_timeout() instead, where it never has this effect.
	 */
	limen_duration timeout;
	int64_t since; /* limen_host_monotonic() from which it counts; 0: the call */
	/*
	 * Describes an HTTP request, so that only that is built which the policy reads: called once
	 * with 'describe_data' by limen_engine_decide() or limen_engine_begin(), if there is a policy.
	 * 'needs' are those of the policy that decides, and good for the call.  It fills the request
	 * with limen_http_fill_parts() or limen_http_fill() and returns the result of that.  After
	 * LIMEN_ENOMEM the decision is 500, after another error 400.  NULL: the request is complete.
	 */
	int (*describe)(void *data, const limen_http_needs *needs);
	void *describe_data;
} limen_decide_options;

/*
 * Decides 'req' and stores a decision, which the caller frees.  Refusing, and
 * failing to tell, are decisions too: the return value is LIMEN_OK for them, and
 * LIMEN_ENOPOLICY or LIMEN_ENOMEM only when there is no decision at all, or
 * LIMEN_EINVAL for options whose 'size' was not set, whose switches or phase are none of
 * those above, or with a byte behind the members above that is not 0.
 * 'options' may be NULL.
 */
LIMEN_API int limen_engine_decide(limen_engine *engine, const limen_request *req,
                                  const limen_decide_options *options, limen_decision **out);

/* A decision that waits for answers of other systems, such as name servers. */
typedef struct limen_pending limen_pending;

/*
 * As limen_engine_decide(), but holds no thread while the decision waits for lookups of modules
 * (limen_request_waker()).  If nothing is to be waited for, stores the decision in '*out' and NULL
 * in '*pending'.  Otherwise stores NULL in '*out', and the decision in '*pending': 'ended' is called
 * once, from any thread, also before this function returns, when the lookups have ended or
 * their time is over; then the caller calls limen_pending_decide(), there or on another
 * thread.  'ended' must not block.  'req' must be neither changed nor freed before that.
 * Other waits, such as those for modules marked LIMEN_MODULE_BLOCKING, still hold the thread.
 *
 * If 'out' is NULL, these wait for limen_pending_decide(): the decision is always in '*pending',
 * and 'ended' is called at once if there are no lookups.  Returns LIMEN_ENOPOLICY without a policy,
 * and LIMEN_EINVAL for an engine with LIMEN_ENGINE_PASSIVE.
 */
LIMEN_API int limen_engine_begin(limen_engine *engine, const limen_request *req,
                                 const limen_decide_options *options, void (*ended)(void *data),
                                 void *data, limen_pending **pending, limen_decision **out);

/*
 * Makes the decision and frees 'pending', after 'ended' was called.  Returns as
 * limen_engine_decide() does.  'out' may be NULL: the decision is not wanted any more, so that no
 * module is asked and nothing is charged.
 */
LIMEN_API int limen_pending_decide(limen_pending *pending, limen_decision **out);

/*
 * The module call that a thread or a waiting decision is in, for a program that watches for those
 * that hang.
 */
typedef struct limen_activity limen_activity;

/* Returns the activity of the calling thread, good until that thread ends.  Never NULL. */
LIMEN_API limen_activity *limen_activity_here(void);

/*
 * Returns the activity of a decision that waits, good until limen_pending_decide(): the entry that
 * is asked again now, on whichever thread, or is waited for.  Any thread.
 */
LIMEN_API limen_activity *limen_pending_activity(limen_pending *pending);

/*
 * Returns the entry of the policy and its module, such as "limit 'quota' (module limit/rate)",
 * which the caller frees with free().  NULL: it is in no module, or memory is short.
 * From any thread.
 */
LIMEN_API char *limen_activity_text(limen_activity *activity);

/*
 * A module as it was found.  Strings and options live as long as the process.  The
 * struct only grows at its end.
 */
typedef struct limen_module_info {
	uint32_t kind;                 /* limen_kind */
	const char *type;
	const char *version;
	const char *summary;
	unsigned abi_major;
	unsigned abi_minor;
	uint64_t flags;
	const char *file;             /* good for the call only; NULL: built in */
	const limen_option *options;  /* private: see limen_module_option() */
} limen_module_info;

/*
 * Returns option 'index' of a module, or NULL past the end.  Rows grow with the library, so they
 * are no array for a program that was compiled before.  It lives as long as the process.
 */
LIMEN_API const limen_option *limen_module_option(const limen_module_info *info, size_t index);

/*
 * Returns row 'index' of the table of 'option', one of LIMEN_OPT_ROWS that limen_module_option()
 * or this function returned; NULL past the end and for others.  It lives as long as the process.
 */
LIMEN_API const limen_option *limen_module_suboption(const limen_option *option, size_t index);

/*
 * Returns key 'index' of the entries in a section of a policy, "identifiers", "classifiers",
 * "limits", "applications", "admission" or "stores", or of the groups in "apply" of an application;
 * NULL past the end and for other sections.  It lives as long as the process.
 */
LIMEN_API const limen_option *limen_policy_option(const char *section, size_t index);

/*
 * Calls 'each' with 'data' for every module that was added or is found in the module
 * directories, by kind and then by type; those that cannot be loaded are warnings in
 * 'diag'.  'each' must not call the engine.  Returns LIMEN_OK or LIMEN_ENOMEM.
 */
LIMEN_API int limen_engine_each_module(limen_engine *engine,
                                       void (*each)(void *data, const limen_module_info *info),
                                       void *data, limen_diag *diag);

/*
 * Calls 'each' with 'data' for the module of 'kind' and 'type', which must not call
 * the engine.  Returns LIMEN_OK, LIMEN_ENOENT if there is none, or
 * LIMEN_EMODULE with a problem in 'diag'.
 */
LIMEN_API int limen_engine_find_module(limen_engine *engine, limen_kind kind, const char *type,
                                       void (*each)(void *data, const limen_module_info *info),
                                       void *data, limen_diag *diag);

/* The most buckets limen_engine_each_bucket() shows. */
#define LIMEN_BUCKETS_MAX 1000

/*
 * Calls 'each' for the buckets of 'store' (NULL: of all stores) that are used
 * most for their size, the most used first: for 'most' of them, at most
 * LIMEN_BUCKETS_MAX.  Takes 'timeout' at most; what was not looked at by then is
 * a warning in 'diag'.  Decisions and loads go on meanwhile.  Stores that cannot
 * list their buckets have none, unless 'store' names one.  LIMEN_OK,
 * LIMEN_ECONFIG if a store answers but can never serve as it is set up, LIMEN_ENOPOLICY, LIMEN_ENOENT if there is no such store, LIMEN_ENOMEM, or
 * anything else with a problem in 'diag', in which case 'each' is not called.
 */
LIMEN_API int limen_engine_each_bucket(limen_engine *engine, const char *store, size_t most,
                                       limen_duration timeout,
                                       void (*each)(void *data, const limen_bucket *bucket),
                                       void *data, limen_diag *diag);

/*
 * Makes the buckets of 'store' (NULL: of all stores) full again for which 'chosen' returns true:
 * their keys have used nothing.  It is called for all that are not full, in any order and perhaps
 * with locks held: it must be quick, and not call the engine.  'entry' and 'rate' of a bucket are
 * NULL.  The time and the results are those of limen_engine_each_bucket(); buckets that were
 * looked at before an error stay full.
 */
LIMEN_API int limen_engine_reset_buckets(limen_engine *engine, const char *store,
                                         limen_duration timeout,
                                         bool (*chosen)(void *data, const limen_bucket *bucket),
                                         void *data, limen_diag *diag);

/*
 * ---- what quotas have used, across processes.  A quota is a table of calendar windows, or of
 * fixed ones of a day or more, in a store that loses it with the process ----
 */

/* Returns how many quotas the policy has; 0 also without one. */
LIMEN_API size_t limen_engine_count_quotas(limen_engine *engine);

/*
 * Calls 'each' for each bucket of quotas that is not full, in any order and perhaps with locks
 * held, until it returns false: it must be quick, and not call the engine.  LIMEN_OK, or
 * LIMEN_ENOPOLICY.
 */
LIMEN_API int limen_engine_each_quota(limen_engine *engine,
                                      bool (*each)(void *data, const limen_bucket *bucket),
                                      void *data);

/*
 * Restores a bucket that limen_engine_each_quota() told of, perhaps in another process: all but
 * 'store', 'table', 'keys', 'key', 'kind', 'unit', 'period' and 'state' is ignored.  Call it before
 * requests are decided.  LIMEN_OK, LIMEN_ENOPOLICY, LIMEN_ENOENT if the policy no longer counts so,
 * or LIMEN_ENOMEM.
 */
LIMEN_API int limen_engine_restore_bucket(limen_engine *engine, const limen_bucket *bucket);

/*
 * Returns what the engine has loaded as JSON text that the caller frees with free():
 * files, sections with every entry and its place, status of every instance, how often each
 * rule was asked since the load and what came of it ("counts"; dry runs are left out), last
 * reload.  'flags' is a set of LIMEN_JSON_*; 'length' (may be NULL) receives the
 * bytes.  NULL when memory is short.
 */
LIMEN_API char *limen_engine_describe(limen_engine *engine, unsigned flags, size_t *length);

/*
 * A counter of an entry of the policy, as limen_host_counter() makes them; from 0 since the entry was
 * loaded.  The struct grows at its end only; texts are good for the call only.
 */
typedef struct limen_counted {
	const char *entry;
	const char *type; /* of its module */
	const char *name;
	int64_t value;
} limen_counted;

/*
 * Calls 'each' for each counter of the policy in force, in any order and with locks held: it must be
 * quick, and not call the engine.  This is much cheaper than limen_engine_describe().  LIMEN_OK,
 * LIMEN_EINVAL without an engine or 'each', or LIMEN_ENOPOLICY.  Any thread.
 */
LIMEN_API int limen_engine_each_counter(limen_engine *engine,
                                        void (*each)(void *data, const limen_counted *count),
                                        void *data);

LIMEN_END_DECLS

#endif
