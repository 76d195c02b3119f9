/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/store.h - buckets of tokens and windows: how limits count across requests.
 *
 * A store holds tables; a table holds one bucket for each key it has seen, all
 * of which count in the same way.  A bucket of tokens starts full, gains tokens with
 * decision time up to its burst, and gives them out.  A bucket of a window has used
 * nothing at first and admits N in each period.  Nothing is lost to
 * rounding.  A module names a store in an option of type store, opens its
 * tables in 'open' and takes tokens while it decides.  The text of a key is
 * copied where it must outlive the call.
 *
 * Modules open tables in 'open', on the thread that loads; any number of threads may take from one
 * at once.
 */
#ifndef LIMEN_STORE_H
#define LIMEN_STORE_H

#include <limen/types.h>

LIMEN_BEGIN_DECLS

/* How the buckets of a table count. */
typedef enum limen_meter_kind {
	LIMEN_METER_TOKEN = 0, /* gains 'tokens' every 'period', up to 'burst' */
	/*
	 * Windows: 'tokens' is N, and 'burst' the same.  Another N counts on with what was used.
	 * Time that moves back never reopens a period that has ended.
	 */
	LIMEN_METER_FIXED = 1, /* N in each 'period', the first of which begins at the epoch */
	/* As FIXED; what was used in the period before counts by the share that is not over. */
	LIMEN_METER_SLIDING = 2,
	LIMEN_METER_CALENDAR = 3 /* N in each 'unit' of local time; 'period' is 0 */
} limen_meter_kind;

/* The periods of LIMEN_METER_CALENDAR. */
typedef enum limen_unit {
	LIMEN_UNIT_NONE = 0, /* for other kinds */
	LIMEN_UNIT_DAY = 1,
	LIMEN_UNIT_WEEK = 2, /* ISO 8601: from Monday */
	LIMEN_UNIT_MONTH = 3,
	LIMEN_UNIT_YEAR = 4
} limen_unit;

/* One period of a window, from 'begin' up to 'end', which is in the next. */
typedef struct limen_period {
	int64_t number; /* a later period has a larger one */
	limen_time begin;
	limen_time end;
} limen_period;

/* Which bucket a store without room for another evicts; one that evicts none ignores it. */
typedef enum limen_eviction {
	LIMEN_EVICT_OLDEST = 0, /* the least recently used */
	/*
	 * The bucket with most tokens among the eight least recently used, so that requests
	 * with other keys hardly make an exhausted bucket full again.
	 */
	LIMEN_EVICT_FULLEST = 1
} limen_eviction;

/*
 * The properties of all buckets of one table, for limen_opening_table(), which copies them.
 */
typedef struct limen_table_spec {
	size_t size;           /* sizeof(limen_table_spec) */
	/*
	 * Unique within the instance, e.g. "Namespace".  What stands from a '-' on is told to
	 * clients behind the name of the entry.
	 */
	const char *name;
	int64_t tokens;        /* gained every 'period', or N of a window; at least 1 */
	limen_duration period; /* at least 1; 0 for a calendar */
	int64_t burst;         /* most tokens a bucket holds, at least 1; N of a window */
	uint64_t capacity;     /* most buckets kept; 0 lets the store choose */
	/*
	 * The parts of keys, e.g. "requester,hint:user", and the time zone of a calendar; may be
	 * NULL.  Buckets outlive a reload only if this stays the same.
	 */
	const char *keys;
	const char *rate;      /* as the policy writes it, for lists of buckets; may be NULL */
	limen_eviction eviction;
	limen_meter_kind kind;
	limen_unit unit; /* LIMEN_METER_CALENDAR */
	/*
	 * LIMEN_METER_CALENDAR: stores in 'out' the period that 'time' is in; 'calendar' is passed
	 * on.  Any thread calls it, until the table is closed, and must not wait.  It may be slow:
	 * a store asks once a period.
	 */
	void (*find_period)(const void *calendar, limen_time time, limen_period *out);
	const void *calendar;
} limen_table_spec;

/* The longest key, in bytes: longer ones are refused, with LIMEN_ERROR. */
#define LIMEN_KEY_MAX 4096

/* The state of a bucket after a take, granted or not.  The core sets -1; some stores leave it. */
typedef struct limen_reading {
	int64_t quota;        /* out: the most that may be left; -1: not known */
	int64_t remaining;    /* out: what is left; -1: not known */
	/*
	 * out: tokens: until more is left, 0: all is; FIXED and CALENDAR: until the end of the
	 * period; SLIDING: until a cost of 1 passes, 0: it does; -1: not known
	 */
	limen_duration reset;
	uint64_t reserved[1]; /* 0 */
} limen_reading;

/*
 * One bucket and what is wanted of it.  Set the members without "out" and leave the others 0; they
 * are filled in whatever the verdict is.
 */
typedef struct limen_take {
	limen_table *table;
	const char *key;     /* may be NULL if it is empty */
	size_t key_length;
	int64_t amount;      /* the cost in tokens; 0 passes, and tells what is left */
	limen_duration wait; /* out: until it would be granted; 0 if it is; -1 for never */
	bool granted;        /* out */
	limen_reading *reading; /* NULL, or where to tell what is left, which costs time */
	uint64_t reserved[1]; /* 0: takes stand in arrays, which cannot grow otherwise */
} limen_take;

/*
 * One bucket in a list of them (limen_engine_each_bucket()).  Texts are good for the call only; the
 * key is not UTF-8 where a limit takes bytes of a request.
 */
typedef struct limen_bucket {
	size_t size;           /* sizeof(limen_bucket) */
	const char *store;     /* its name in the policy; the engine says */
	const char *table;     /* e.g. "limits/ten-an-hour/rate" */
	const char *key;       /* as the limit wrote it: bytes */
	size_t key_length;
	int64_t tokens;        /* gained every 'period', or N of a window */
	limen_duration period; /* 0: a 'unit' */
	int64_t burst;         /* the most that may be left */
	int64_t left;          /* whole tokens that it would give out now */
	int64_t leased;        /* of those it lacks: set aside for processes, perhaps not used */
	limen_duration age;    /* since something was taken or put back; of a window 0 */
	/* The engine says these two; NULL if the policy in force has no such table. */
	const char *entry;     /* the limit or admission entry */
	const char *rate;      /* as the policy writes it; NULL also if it does not say */
	limen_meter_kind kind;
	limen_duration reset;  /* as in limen_reading; 0: also if the store does not say */
	limen_unit unit;
	const char *keys;      /* as in limen_table_spec; "": also if the store does not say */
	uint64_t state[3];     /* what the store counts, for 'restore'; 0: it has no such method */
	int64_t refused;       /* takes that it refused since it is in use; -1: the store does not say */
} limen_bucket;

/* How limen_reply_take() takes. */
enum {
	/* Take from all buckets or from none; otherwise each take stands alone. */
	LIMEN_TAKE_ALL = 1 << 0,
	/* Dry run: sets 'granted' and 'wait' without taking tokens. */
	LIMEN_TAKE_PEEK = 1 << 1,
	/*
	 * The tokens are the caller's only if the request is admitted: the core
	 * gives them back when it is refused or fails, and those a limit took when
	 * another application admits it.  A dry run only looks.  What the request
	 * has reserved already, all of a batch, is granted and not taken again: an
	 * application may ask a limit several times.
	 */
	LIMEN_TAKE_RESERVE = 1 << 2
};

LIMEN_END_DECLS

#endif
