/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_count.c - the counters of a host: a list that only grows, and is freed with the host.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "background.h"

/* Cap on the counters of a host: names are meant to be fixed words, not parts of requests. */
#define COUNTERS_MAX 64

struct limen_counter {
	limen_counter *next;
	atomic_int_least64_t amount;
	char name[];
};

static bool
check_counter_name(const char *name)
{
	if (name[0] < 'a' || name[0] > 'z')
		return false;
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* The counter 'name', which is made if there is room for it.  Lock held. */
static limen_counter *
find_or_add(limen_host *host, const char *name)
{
	limen_counter **end = &host->counters;
	size_t size = strlen(name) + 1;
	size_t count = 0;

	for (; *end != NULL; end = &(*end)->next, count++) {
		if (strcmp((*end)->name, name) == 0)
			return *end;
	}
	if (count < COUNTERS_MAX && check_counter_name(name))
		*end = calloc(1, sizeof(**end) + size);
	if (*end != NULL)
		memcpy((*end)->name, name, size);
	return *end;
}

limen_counter *
limen_host_counter(limen_host *host, const char *name)
{
	limen_counter *counter;

	if (host == NULL || name == NULL)
		return NULL;
	pthread_mutex_lock(&host->back->lock);
	counter = find_or_add(host, name);
	pthread_mutex_unlock(&host->back->lock);
	return counter;
}

/* Stays at the bounds rather than wrap around. */
static int64_t
add_bounded(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

void
limen_counter_add(limen_counter *counter, int64_t amount)
{
	int64_t before;

	if (counter == NULL)
		return;
	before = atomic_load_explicit(&counter->amount, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&counter->amount, &before,
	                                              add_bounded(before, amount),
	                                              memory_order_relaxed,
	                                              memory_order_relaxed)) {
	}
}

void
limen_host_counter_add(limen_host *host, const char *name, int64_t amount)
{
	limen_counter_add(limen_host_counter(host, name), amount);
}

void
host_counters_free(limen_counter *counters)
{
	while (counters != NULL) {
		limen_counter *next = counters->next;

		free(counters);
		counters = next;
	}
}

void
host_report(limen_host *host, limen_sink *sink)
{
	pthread_mutex_lock(&host->back->lock);
	/* Counters get their own object: 'status' may add members of the same names. */
	if (host->counters != NULL) {
		sink_begin(sink, "counters");
		for (const limen_counter *one = host->counters; one != NULL; one = one->next)
			limen_sink_int(sink, one->name, atomic_load(&one->amount));
		sink_end(sink);
	}
	pthread_mutex_unlock(&host->back->lock);
}
