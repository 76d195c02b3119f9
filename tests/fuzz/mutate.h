/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutate.h - makes inputs of other inputs, the same ones in every run.
 */
#ifndef LIMEN_TESTS_FUZZ_MUTATE_H
#define LIMEN_TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* The longest input that is made. */
#define INPUT_MAX 16384

typedef struct input {
	uint8_t *bytes;
	size_t length;
} input;

/* Inputs or words of a dictionary. */
typedef struct inputs {
	input *list;
	size_t count;
} inputs;

/* Adds a copy. */
void inputs_add(inputs *to, const uint8_t *bytes, size_t length);

/* Adds the words of a dictionary of libFuzzer or AFL++; a missing file is empty. */
void inputs_add_words(inputs *to, const char *path);

void inputs_clear(inputs *all);

/* Writes a mutation of one of 'seeds' to 'out' and returns its length. */
size_t mutate(uint64_t *state, const inputs *seeds, const inputs *words, uint8_t out[INPUT_MAX]);

#endif
