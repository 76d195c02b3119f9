/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allocations.h - counts what the calling thread asks of malloc() and its relatives,
 * whoever asks.
 */
#ifndef LIMEN_TESTS_BENCH_ALLOCATIONS_H
#define LIMEN_TESTS_BENCH_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

/* False where a sanitizer or another C library is in charge. */
bool allocations_known(void);

void allocations_start(void);
void allocations_stop(size_t *count, size_t *bytes);

#endif
