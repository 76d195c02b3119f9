/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.c - counts with relaxed atomics in 16 parts that share no cache line.  Threads are
 * assigned to the parts in turn and keep theirs; a sum adds all parts without a lock.
 */
#include "figures.h"

#include <glib.h>
#include <stdatomic.h>
#include <stdlib.h>

/* More parts than threads that decide at once, usually. */
#define PARTS 16
/* What processors fetch together, in numbers. */
#define LINE (64 / sizeof(uint64_t))

struct figures {
	size_t stride; /* of a part, in numbers */
	_Atomic(uint64_t) *cells;
};

figures *
figures_new(size_t count)
{
	figures *self = g_new0(figures, 1);
	size_t size;

	self->stride = (count + LINE - 1) / LINE * LINE;
	size = PARTS * self->stride * sizeof(*self->cells);
	self->cells = aligned_alloc(LINE * sizeof(uint64_t), size);
	if (self->cells == NULL)
		g_error("out of memory");
	for (size_t i = 0; i < PARTS * self->stride; i++)
		atomic_init(&self->cells[i], 0);
	return self;
}

void
figures_free(figures *self)
{
	if (self == NULL)
		return;
	free(self->cells);
	g_free(self);
}

/* Threads take parts in turn, each keeps the one it got. */
static size_t
part_of_thread(void)
{
	static atomic_uint threads;
	static _Thread_local unsigned mine;

	if (mine == 0)
		mine = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % PARTS + 1;
	return mine - 1;
}

void
figures_add(figures *self, size_t index, uint64_t amount)
{
	atomic_fetch_add_explicit(&self->cells[part_of_thread() * self->stride + index], amount,
	                          memory_order_relaxed);
}

uint64_t
figures_sum(const figures *self, size_t index)
{
	uint64_t sum = 0;

	for (size_t part = 0; part < PARTS; part++)
		sum += atomic_load_explicit(&self->cells[part * self->stride + index],
		                            memory_order_relaxed);
	return sum;
}
