/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crowd.h - keys that were chosen to fall into one chain of libjq's hash table.  Its
 * function, MurmurHash3, has texts that collide whatever it begins with, and an
 * object of them takes the square of their number: minutes, in which nobody can
 * interrupt libjq.  No keys that mean well come near what is refused.
 */
#ifndef LIMEN_SUPPORT_JQ_CROWD_H
#define LIMEN_SUPPORT_JQ_CROWD_H

#include <jv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a chain may hold. */
#define CROWD_MAX 64

typedef struct crowd {
	uint8_t *places; /* how many keys fell into each; NULL: so few are no crowd */
	uint32_t mask;
} crowd;

/* Begins with an object of 'count' members; false: memory is short. */
bool crowd_open(crowd *made, size_t count);

/* May 'key', which is not consumed, join those before it? */
bool crowd_add(crowd *of, jv key);

void crowd_close(crowd *of);

#endif
