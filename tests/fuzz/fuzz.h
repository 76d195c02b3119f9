/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.h - what a fuzzer of tests/fuzz consists of: one function that is called
 * with hostile bytes and, where it finds a property that does not hold, aborts.
 *
 * Built with libFuzzer (configure --enable-fuzzers) a fuzzer looks for inputs by
 * itself; without, drive.c gives it the seeds and a fixed number of mutations of
 * them, which is a test, the files it is called with, or what afl-fuzz sends.
 */
#ifndef LIMEN_TESTS_FUZZ_FUZZ_H
#define LIMEN_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct fuzz_target {
	const char *name;    /* of seeds/NAME and dict/NAME.dict */
	const char *corpora; /* more directories of seeds, below the sources; NULL: none */
	unsigned runs;       /* mutations in a test */
} fuzz_target;

/* Defined by each fuzzer. */
extern const fuzz_target fuzz_this;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts, naming the property, unless it holds. */
#define FUZZ_CHECK(property)                                                         \
	do {                                                                         \
		if (!(property)) {                                                   \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, \
			        #property);                                          \
			abort();                                                     \
		}                                                                    \
	} while (0)

#endif
