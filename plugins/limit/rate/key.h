/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key.h - which bucket a request takes from: the parts of a key, read from a
 * request and joined so that different parts never make equal keys.
 */
#ifndef LIMEN_PLUGINS_LIMIT_RATE_KEY_H
#define LIMEN_PLUGINS_LIMIT_RATE_KEY_H

#include <limen/module.h>

typedef enum part_kind {
	PART_REQUESTER = 0,
	PART_CLASSIFIER = 1, /* of the application that asks */
	PART_TEST_TYPE = 2,
	PART_HINT = 3,
	PART_POINTER = 4,
	PART_HEADER = 5, /* this one and those below: of HTTP requests */
	PART_METHOD = 6,
	PART_HOST = 7,
	PART_PATH = 8,
	PART_ROUTE = 9 /* the pattern that the limit "route" has matched */
} part_kind;

typedef struct part {
	part_kind kind;
	const char *name; /* of the hint, or the pointer's text; belongs to the option */
	char *header;     /* its name in lower case */
	bool hashed;      /* the value is kept as its SHA-256 */
	limen_path *path; /* PART_POINTER, PART_TEST_TYPE */
} part;

typedef struct key_rules {
	part *parts;
	size_t count;
	int64_t prefix4; /* how many bits of an address make one requester */
	int64_t prefix6;
	bool hash; /* every header is kept as its SHA-256 */
} key_rules;

/* How much of the parts is shown, one part after the other. */
#define KEY_SHOWN 168

typedef struct key {
	size_t length;
	char text[LIMEN_KEY_MAX];
	size_t share; /* of which a longer part is there as its SHA-256 */
	char shown[KEY_SHOWN]; /* for people: "192.0.2.1, rtt" */
	bool is_cut;           /* there was no room for all of them */
} key;

/* Compiles the option "key".  Reports problems; on failure nothing is kept. */
int key_rules_open(key_rules *rules, limen_strings words, limen_opening *opening, limen_diag *diag);
void key_rules_close(key_rules *rules);

/*
 * Compiles 'text', a part whose value stands in a request: header:NAME or path:/POINTER.  Reports
 * problems; 'expected' says what may be written instead.
 */
int part_open(part *item, const char *text, const char *expected, limen_value where,
              limen_opening *opening, limen_diag *diag);
void part_close(part *item);

/* Returns the value that such a part has in 'req', or none. */
limen_value part_value(const part *item, const limen_request *req);

/*
 * Reads the key of 'req': LIMEN_PASS, or LIMEN_ERROR with a reason in 'reply'.  A
 * part that is not there is a value of its own.
 */
limen_verdict key_read(const key_rules *rules, const limen_request *req, limen_reply *reply,
                       key *out);

#endif
