/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake.h - the store "fake" from the inside, for tests that look at what the
 * core did with it.  It has one bucket a table, which never refills.
 */
#ifndef LIMEN_TESTS_MODULES_STORE_FAKE_H
#define LIMEN_TESTS_MODULES_STORE_FAKE_H

#include <limen/module.h>

#include <pthread.h>

struct fake_table {
	struct fake_table *next;
	char *name;
	int64_t tokens; /* per period */
	limen_duration period;
	int64_t burst;
	int64_t left;
	unsigned users; /* tables opened and not released */
};

/* What all copies of an instance share. */
struct fake_state {
	pthread_mutex_t lock;
	struct fake_table *tables;
	unsigned takes;   /* calls of take */
	unsigned batch;   /* takes in the last of them */
	unsigned settled; /* takes given back */
	limen_deadline deadline; /* of the last of them */
	char last_key[64];
	size_t last_key_length;
};

struct fake {
	int word; /* what take answers instead of looking; the last: look */
	const char *reason; /* for the reply of takes, or NULL */
	bool refuse; /* no table can be opened */
	bool blocking;
	const char *comment; /* means nothing; a change of it makes another instance */
	struct fake_state *state;
};

#endif
