/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/module.h - the one header a module in C includes; C++ has limen/module.hpp.
 *
 * A module is a shared object that exports one symbol, limen_module: a const descriptor
 * made by LIMEN_LIMIT() or one of its siblings.  It is found as KIND/TYPE.so in the module
 * directories, where TYPE is the value of "type" in the policy, or a program adds it
 * (limen_engine_add_module()).  The core creates an instance for every entry that uses it:
 * zeroed memory of 'instance_size' bytes, filled from the option table, then passed to
 * 'open'.
 *
 * The rules:
 *
 *  - Every method takes 'self', the instance.  After 'open' it is read-only;
 *    mutable state is behind a pointer, with its own atomics or locks, or in a
 *    store.
 *  - Methods other than open and close are called from any number of threads
 *    at once, the same instance included, unless LIMEN_MODULE_SERIALIZE is set.
 *  - 'open' and 'close' run one at a time, never on a thread that decides.  When
 *    'open' fails it cleans up after itself and 'close' is not called.
 *  - A module returns its finding and leaves the consequences to the core: no
 *    inversion, no default, no exit.
 *  - Modules are loaded once and never unloaded.  'init' is for what all instances
 *    share; it must not call an engine.  It has no counterpart, because another thread may
 *    be inside the module until the process ends: atexit() is for what must be done then.
 *
 * The ABI (docs/abi.md): a module loads if its major number is the core's and
 * its minor number is not newer.  Structs grow at their end only; the core
 * copies what the module knows into a zeroed struct of its own size.
 */
#ifndef LIMEN_MODULE_H
#define LIMEN_MODULE_H

#include <limen/builder.h>
#include <limen/diag.h>
#include <limen/host.h>
#include <limen/option.h>
#include <limen/reply.h>
#include <limen/request.h>
#include <limen/store.h>
#include <limen/types.h>
#include <limen/value.h>

/* Flags of a module, or of one instance. */
enum {
	/* The core runs the methods of one instance one at a time; jobs (host.h) are none. */
	LIMEN_MODULE_SERIALIZE = 1 << 0,
	/* May wait for the network or a disk: never run on an I/O loop. */
	LIMEN_MODULE_BLOCKING = 1 << 1,
	/*
	 * A limit about when a run happens: a task that is not a run passes it
	 * without being asked, inverted or not.
	 */
	LIMEN_MODULE_RUNS_ONLY = 1 << 2,
	/*
	 * A limit or an identifier whose reason for LIMEN_ERROR is a whole sentence, such
	 * as that of a time-out, which the diagnostics give as it is and not as that of
	 * an exception.
	 */
	LIMEN_MODULE_WHOLE_REASONS = 1 << 3,
	/*
	 * May wait for another process of this system, for a bounded time: never run on an I/O loop, as
	 * with LIMEN_MODULE_BLOCKING, but identifiers are called on the thread that decides.
	 */
	LIMEN_MODULE_WAITING = 1 << 4,
	/* An admission entry that may need a lookup: 'ready' is called before its decisions. */
	LIMEN_MODULE_LOOKUPS = 1 << 5,
	/*
	 * A store that counts in all the ways of limen_meter_kind.  Another gets no tables of
	 * windows: it would take them for buckets of tokens.
	 */
	LIMEN_MODULE_WINDOWS = 1 << 6
};

/*
 * The fields every descriptor begins with.  Their layout never changes within
 * a major number; the core reads nothing past 'size'.
 */
#define LIMEN_MODULE_HEAD                                                           \
	uint32_t abi_major;     /* LIMEN_ABI_MAJOR it was compiled against */       \
	uint32_t abi_minor;                                                         \
	uint32_t kind;          /* limen_kind: which descriptor this is */          \
	uint32_t size;          /* sizeof the descriptor, as the module knows it */ \
	const char *name;       /* the type, equal to the file's name */            \
	uint32_t option_size;   /* sizeof(limen_option), as the module knows it */  \
	uint32_t instance_size; /* bytes of one instance; may be 0 */               \
	uint64_t flags;         /* LIMEN_MODULE_* */                                \
	const char *version;    /* the module's own, e.g. "1.2" */                  \
	const char *summary;    /* one line for "limen modules" */                  \
	const limen_option *options; /* ended by LIMEN_OPT_END, or NULL */          \
	/* May be NULL.  Called once in the process, before the first 'open' */     \
	/* of the module; again at a later load if it failed.  As 'open' below. */  \
	int (*init)(limen_diag *diag);                                              \
	/* May be NULL.  Checks across options, allocation.  LIMEN_OK, or */        \
	/* anything else with a problem in 'diag'. */                               \
	int (*open)(void *self, limen_opening *opening, limen_diag *diag);          \
	void (*close)(void *self);  /* may be NULL */                               \
	/* May be NULL.  Adds members to the status for operators, an object that */ \
	/* is open and that the core ends; any thread.  Names to use where they */  \
	/* fit: "ready" (bool), "age" (seconds), "error" (text).  What ends or */   \
	/* finishes the object, or fails, leaves an error for a status. */          \
	void (*status)(const void *self, limen_builder *status);                    \
	const void *reserved[4]     /* NULL */

/* The common head of all descriptors, readable before the kind is known. */
typedef struct limen_module_head {
	LIMEN_MODULE_HEAD;
} limen_module_head;

/* Does the requester belong to a category?  LIMEN_PASS: identified; LIMEN_FAIL: not. */
typedef struct limen_identifier_module {
	LIMEN_MODULE_HEAD;
	limen_verdict (*identify)(const void *self, const limen_request *req, limen_reply *reply);
	/*
	 * May be NULL.  The same without waiting: stores the verdict and returns true if the
	 * answer is at hand.  Returns false if it is not; what the reply was given is then
	 * forgotten.  If the module took limen_request_waker() for a lookup that it
	 * started, now or in a call before, 'identify_now' is called again when a waker that it
	 * took was called or the moment of limen_request_patience() has come, until it
	 * returns true or the time is over (LIMEN_ERROR).  Without the waker 'identify' is called, on a worker if the instance
	 * is marked LIMEN_MODULE_BLOCKING.  It runs on any thread, even that of a server's
	 * connections, each time on another, and so must never block.
	 * Not used with LIMEN_MODULE_SERIALIZE, whose lock may be held for long.
	 */
	bool (*identify_now)(const void *self, const limen_request *req, limen_reply *reply,
	                     limen_verdict *verdict);
} limen_identifier_module;

/*
 * Changes a task before limits see it.  LIMEN_PASS: accepted, with the changes
 * in the reply or with none; LIMEN_SKIP: accepted as it is; LIMEN_FAIL: rejected for the
 * reason given.
 */
typedef struct limen_rewriter_module {
	LIMEN_MODULE_HEAD;
	limen_verdict (*rewrite)(const void *self, const limen_request *req, limen_reply *reply);
} limen_rewriter_module;

/* Is the request within a limit?  LIMEN_SKIP counts as a pass. */
typedef struct limen_limit_module {
	LIMEN_MODULE_HEAD;
	limen_verdict (*check)(const void *self, const limen_request *req, limen_reply *reply);
} limen_limit_module;

/*
 * Changes and checks an object.  At least one of the two.  'mutate' runs for
 * all entries before any 'validate'; LIMEN_PASS or LIMEN_SKIP go on,
 * LIMEN_FAIL refuses with the violations in the reply.
 */
typedef struct limen_admission_module {
	LIMEN_MODULE_HEAD;
	limen_verdict (*mutate)(const void *self, const limen_request *req, limen_reply *reply);
	limen_verdict (*validate)(const void *self, const limen_request *req, limen_reply *reply);
	/*
	 * May be NULL.  Called before a decision begins, for an instance marked
	 * LIMEN_MODULE_LOOKUPS: is everything at hand that the other two need?  If not, it
	 * starts the lookup, takes limen_request_waker() and returns false, and is called again as 'identify_now' of identifiers is.  When the time is over the other
	 * two are called and find out themselves that something is missing.  The entry
	 * may turn out not to be about the request.  Must not block.  Not used with
	 * LIMEN_MODULE_SERIALIZE.
	 */
	bool (*ready)(const void *self, const limen_request *req);
} limen_admission_module;

/*
 * Gives an admitted run a priority with limen_reply_priority() and LIMEN_PASS.  Without a
 * priority, or with another verdict, the run is refused (500).
 */
typedef struct limen_prioritizer_module {
	LIMEN_MODULE_HEAD;
	/* 'initial' is the priority in force before the module speaks. */
	limen_verdict (*prioritize)(const void *self, const limen_request *req, double initial,
	                            limen_reply *reply);
} limen_prioritizer_module;

/* One take as a store sees it: the table is the store's own. */
typedef struct limen_store_take {
	void *table;
	const char *key; /* never NULL; good for the call only */
	size_t key_length;
	int64_t amount;       /* the cost; 0 passes */
	limen_duration wait;  /* out, if not granted: until it would be, -1 for never */
	uint64_t cookie;      /* out, if granted: the store's own, for 'give_back' */
	bool granted;         /* out */
	limen_reading *reading; /* NULL, or where to tell what is left after the batch */
} limen_store_take;

/*
 * Keeps buckets (store.h).  Its methods change the instance, and are called from any
 * number of threads at once; 'open_table' and 'take' must be there, the others may be
 * NULL.
 * 'now' is decision time, which may be simulated and differs from thread to thread: it
 * may be earlier than that of a call before, and then fills no bucket.
 */
typedef struct limen_store_module {
	LIMEN_MODULE_HEAD;
	/*
	 * Opens the table 'name' (section, entry and table name, unique in the policy) for
	 * the instance that 'opening' opens, not the store's: its name, its data for places,
	 * its host for logs.  A table that is open already with the same rate, burst and keys
	 * keeps its buckets; with others it starts afresh, and the older one goes on
	 * until it is closed.  '*table' is the store's own.  LIMEN_OK, or anything
	 * else with a problem in 'diag', also for a rate that the store cannot count exactly.
	 */
	int (*open_table)(void *self, limen_opening *opening, const char *name,
	                  const limen_table_spec *spec, void **table, limen_diag *diag);
	/* Called once for each open_table(): the policy is gone, and buckets may be forgotten. */
	void (*close_table)(void *self, void *table);
	/*
	 * Answers 'count' takes, 1 or more, in place; before, each has a 'wait' of -1 and
	 * is not granted.  Takes of one bucket add up, in a peek too.  The flags are
	 * LIMEN_TAKE_ALL and _PEEK; later ones reach only stores compiled against their
	 * minor number.  With LIMEN_TAKE_ALL and one refusal none is granted in the end: a
	 * store may take one after the other and put back, and other threads may be refused
	 * meanwhile for what it puts back.  With LIMEN_ERROR, what is marked granted was
	 * taken, and the core gives it back if it was to be reserved.  It gives up at
	 * 'deadline'.  LIMEN_PASS if all were granted, LIMEN_FAIL, or LIMEN_ERROR with a
	 * reason in 'reply': limen_reply_reason() is what a store calls on it.
	 */
	limen_verdict (*take)(void *self, limen_store_take *takes, size_t count, unsigned flags,
	                      limen_time now, limen_deadline deadline, limen_reply *reply);
	/* Puts back what earlier takes of this decision were granted; failures go to the log. */
	void (*give_back)(void *self, const limen_store_take *takes, size_t count,
	                  limen_time now);
	/* As 'status', for one table: "buckets", "evictions", "takes", "refusals". */
	void (*table_status)(void *self, void *table, limen_builder *status);
	/*
	 * May be NULL.  Calls 'each' for buckets that are not full, in any order,
	 * until it returns false: for those of all tables, also where others share
	 * them.  Decisions go on meanwhile, so the list is of no one moment.  What
	 * has not been looked at by 'deadline' is left out; 'diag' then gets a
	 * warning.  LIMEN_OK, or anything else with a problem in 'diag': LIMEN_ECONFIG
	 * if the store answers but can never serve as it is set up.
	 */
	int (*each_bucket)(void *self, limen_time now, limen_deadline deadline,
	                   bool (*each)(void *data, const limen_bucket *bucket), void *data,
	                   limen_diag *diag);
	/*
	 * May be NULL.  As 'each_bucket', but goes on to the end, and makes each bucket full for
	 * which 'chosen' returns true.
	 */
	int (*reset_buckets)(void *self, limen_time now, limen_deadline deadline,
	                     bool (*chosen)(void *data, const limen_bucket *bucket), void *data,
	                     limen_diag *diag);
	/*
	 * NULL if buckets outlive the process by themselves.  Gives a bucket the 'state' that
	 * 'each_bucket' told of it in an earlier process; 'table', 'keys', 'key', 'kind', 'unit'
	 * and 'period' say which.  LIMEN_OK, LIMEN_ENOENT if there is no such table, LIMEN_ENOMEM.
	 */
	int (*restore)(void *self, const limen_bucket *bucket, limen_time now);
} limen_store_module;

/*
 * The symbol of a descriptor.  A file exports limen_module; a program that is linked with
 * several modules compiles each with a name of its own (-DLIMEN_MODULE_SYMBOL=NAME)
 * and passes them to limen_engine_add_module().
 */
#ifndef LIMEN_MODULE_SYMBOL
#define LIMEN_MODULE_SYMBOL limen_module
#endif

/* Private: the one symbol that a module exports. */
#define LIMEN_MODULE_DEFINE(kind_struct, kind_value, type_name, ...)       \
	LIMEN_BEGIN_DECLS                                                  \
	LIMEN_API extern const kind_struct LIMEN_MODULE_SYMBOL;            \
	LIMEN_END_DECLS                                                    \
	const kind_struct LIMEN_MODULE_SYMBOL = LIMEN_INITIALISE(          \
		kind_struct, .abi_major = LIMEN_ABI_MAJOR,                 \
		.abi_minor = LIMEN_ABI_WANT, .kind = kind_value,           \
		.size = sizeof(kind_struct), .name = type_name,            \
		.option_size = sizeof(limen_option), __VA_ARGS__)

/*
 * Each defines the descriptor of a module of the type 'type_name', a string; fields
 * follow as in an initialiser.  Once in a module.  For C++ there is limen/module.hpp.
 */
#define LIMEN_IDENTIFIER(type_name, ...) \
	LIMEN_MODULE_DEFINE(limen_identifier_module, LIMEN_KIND_IDENTIFIER, type_name, __VA_ARGS__)
#define LIMEN_REWRITER(type_name, ...) \
	LIMEN_MODULE_DEFINE(limen_rewriter_module, LIMEN_KIND_REWRITER, type_name, __VA_ARGS__)
#define LIMEN_LIMIT(type_name, ...) \
	LIMEN_MODULE_DEFINE(limen_limit_module, LIMEN_KIND_LIMIT, type_name, __VA_ARGS__)
#define LIMEN_ADMISSION(type_name, ...) \
	LIMEN_MODULE_DEFINE(limen_admission_module, LIMEN_KIND_ADMISSION, type_name, __VA_ARGS__)
#define LIMEN_PRIORITIZER(type_name, ...) \
	LIMEN_MODULE_DEFINE(limen_prioritizer_module, LIMEN_KIND_PRIORITIZER, type_name, \
	                    __VA_ARGS__)
#define LIMEN_STORE(type_name, ...) \
	LIMEN_MODULE_DEFINE(limen_store_module, LIMEN_KIND_STORE, type_name, __VA_ARGS__)

#endif
