/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parameter.h - one parameter of a test and what its value may be.
 *
 * pScheduler's limit parameter types (pscheduler-limits, "Limit Parameter
 * Types") carry no name in the policy.  The shape of a parameter limit tells
 * its type: "match" holds a boolean, an integer, a list or a StringMatch;
 * "range", "enumeration" and "cidr" stand for themselves.  Each shape is a
 * small vtable in a file of its own; parameter.c picks it and reads what all
 * of them share.
 *
 * Text and values taken from the policy are borrowed from the option "limit",
 * which lives as long as the instance.
 */
#ifndef LIMEN_TEST_PARAMETER_H
#define LIMEN_TEST_PARAMETER_H

#include <limen/module.h>

#include "../../support/dns/dns.h"

/* Kinds of comparison of a parameter limit; a key allows a set of them. */
enum {
	KIND_BOOLEAN = 1 << 0,
	KIND_NUMBER = 1 << 1,   /* a range of integers, decimals or SI numbers */
	KIND_DURATION = 1 << 2, /* a range of ISO 8601 durations */
	KIND_LIST = 1 << 3,     /* a list of integers */
	KIND_VERSION = 1 << 4,  /* IP versions, one or several */
	KIND_STRING = 1 << 5,
	KIND_CIDR = 1 << 6
};

typedef struct parameter parameter;
struct hosts; /* below */

typedef struct shape {
	unsigned kind; /* one KIND_*, unless 'open' sets that of the parameter */
	/* The result may be negated; Boolean has no use for it and no such key. */
	bool invertible;
	/* 'check' is called, with a value of none, also when the test lacks the parameter. */
	bool takes_absent;
	/*
	 * Reads 'limit', the whole object, into param->state.  Adds every problem to
	 * 'diag'; LIMEN_OK or what to fail with, in which case nothing is kept.  May be NULL.
	 */
	int (*open)(parameter *param, limen_value limit, limen_diag *diag);
	/* Judges 'value', the member of 'spec' the limit is about, with its reason. */
	limen_verdict (*check)(const parameter *param, limen_value spec, limen_value value,
	                       limen_reply *reply);
	/* The same for a shape that looks up host names; one of the two. */
	limen_verdict (*check_hosts)(const parameter *param, limen_value spec, limen_value value,
	                             struct hosts *all, limen_reply *reply);
	/* Frees what param->state points to; NULL: free() does. */
	void (*close)(parameter *param);
} shape;

extern const shape boolean_shape;
extern const shape cidr_shape;
extern const shape list_shape;
extern const shape range_shape;
extern const shape string_shape;
extern const shape version_shape;

struct parameter {
	const shape *shape; /* NULL until opened */
	unsigned kind;      /* one KIND_* */
	const char *key;    /* may hold NULs: 'key_length' bytes */
	size_t key_length;
	char *name;         /* the key in words, for reasons; owned */
	limen_value limit;  /* the whole object */
	const char *fail_message; /* replaces the reason of a value outside the limit, or NULL */
	bool invert;
	void *state;        /* the shape's own; owned */
	/*
	 * Works out the duration from other members of 'spec'.  Returns NULL, or why it
	 * cannot.  NULL: the duration is a member itself.
	 */
	const char *(*derive)(limen_value spec, limen_duration *out);
};

/*
 * Fills a zeroed 'param' from the member 'key': 'limit' of the option.  Adds
 * every problem to 'diag' and leaves nothing to close on failure.
 */
int parameter_open(parameter *param, limen_value key, limen_value limit, limen_diag *diag);

/* Frees what 'param' owns; a zeroed one is fine. */
void parameter_close(parameter *param);

/*
 * Judges the parameter in 'spec', an object.  A test without it passes, unless the
 * shape takes an absent value.  'all' finds the addresses of host names.
 */
limen_verdict parameter_check(const parameter *param, limen_value spec, struct hosts *all,
                              limen_reply *reply);

/* ---- for the shapes ---- */

/* Judges one value; the reason is given on anything but LIMEN_PASS. */
typedef limen_verdict (*parameter_judge)(const parameter *param, limen_value value,
                                         limen_reply *reply);

/* Judges 'value', or each element if it is an array, and stops at the first not passed. */
limen_verdict parameter_each(const parameter *param, limen_value value, parameter_judge judge,
                             limen_reply *reply);

/*
 * Turns "is 'within' the limit" into a verdict, inverted if the limit says so.
 * The reason of a refusal is the limit's own, or the name and 'text'.
 */
limen_verdict parameter_verdict(const parameter *param, bool within, const char *text,
                                limen_reply *reply);

/*
 * Says that a value cannot be compared at all: an error, so that no inversion
 * at any level makes nonsense pass.  'text' follows the name.
 */
limen_verdict parameter_unusable(const parameter *param, const char *text, limen_reply *reply);

/* Adds a problem at 'where' and returns LIMEN_ECONFIG. */
#define parameter_reject(diag, where, ...) \
	(limen_diag_refuse(diag, where, __VA_ARGS__), LIMEN_ECONFIG)

/* Returns the first of two results that is not LIMEN_OK. */
int parameter_first(int result, int other);

/*
 * Adds an entry of 'severity' for each member of 'object' whose key is not one
 * of 'known' (ended by NULL), with the nearest one as a hint.  Returns
 * LIMEN_ECONFIG if that was a problem.
 */
int parameter_check_keys(limen_value object, const char *const *known, limen_severity severity,
                         limen_diag *diag);

/* Reads the optional boolean 'key' of 'object'; anything else is a problem. */
int parameter_read_bool(limen_value object, const char *key, bool *out, limen_diag *diag);

/* ---- keys.c ---- */

/*
 * Adds a warning at 'where' if 'test' is known and its parameter is of another
 * type than 'param' compares, or if the key looks like a misspelt known one.
 */
void keys_check(const char *test, const parameter *param, limen_value where, limen_diag *diag);

/* ---- missed.c: names the bound that was missed, in the words of the policy, for a trace ---- */

typedef struct missed {
	const parameter *param;
	limen_value value;   /* of the test; none: there is none */
	const char *derived; /* what stands for it then, or NULL */
} missed;

/* Reports a missed bound of any shape but a range. */
void missed_tell(const parameter *param, limen_value spec, limen_value value, limen_reply *reply);

/* Report a missed end of a range, or a range that must not be touched. */
void
missed_end(const missed *missing, limen_relation relation, limen_value end, limen_reply *reply);
void missed_outside(const missed *missing, limen_value range, limen_reply *reply);

/* ---- hosts.c: the addresses of host names; all names of a check share a deadline ---- */

/* The budget of one check: its deadline and its remaining lookups. */
typedef struct hosts {
	dns_resolver *resolver;
	limen_deadline deadline;
	unsigned left; /* names that may still be looked up */
} hosts;

#define HOSTS_MAX 32

/* The addresses of one name. */
typedef struct host_addresses {
	const dns_answer *answers[2]; /* IPv4, IPv6; NULL: not asked for */
} host_addresses;

/*
 * Finds the addresses of 'name', of IP version 4 or 6 only unless 'version' is 0.
 * Returns NULL and fills 'out', which host_release() ends; or a static text that
 * says why they are not all known, in which case there is nothing to end.
 */
const char *hosts_find(hosts *all, const char *name, size_t length, int version,
                       host_addresses *out);

void host_release(host_addresses *addresses);

#endif
