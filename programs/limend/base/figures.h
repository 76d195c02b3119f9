/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.h - numbers that many threads count up at once.  Each thread counts in
 * a part of its own, or nearly so: nobody waits and caches are not torn from one
 * another; reading adds the parts up.
 */
#ifndef LIMEND_FIGURES_H
#define LIMEND_FIGURES_H

#include <stddef.h>
#include <stdint.h>

typedef struct figures figures;

/* Makes 'count' numbers that are 0.  Ends the program when memory is short. */
figures *figures_new(size_t count);
void figures_free(figures *self);

/* Adds to number 'index', from any thread. */
void figures_add(figures *self, size_t index, uint64_t amount);

/* What number 'index' has come to: never less than at an earlier call. */
uint64_t figures_sum(const figures *self, size_t index);

#endif
