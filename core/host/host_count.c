/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_count.c - the counters of a host: a list that only grows, and is freed with the host.
 */
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "background.h"
#include "base/thread.h"

/* Cap on the counters of a host: names are meant to be fixed words, not parts of requests. */
#define COUNTERS_MAX 64

/*
 * Each of the first threads has a part of the amount that nobody else writes: an atomic addition
 * to one that all share takes 6 ns, and 100 ns beside a second thread.
 */
#define OWN_PARTS 8

typedef struct part {
	_Alignas(64) atomic_int_least64_t amount;
} part;

struct limen_counter {
	part parts[OWN_PARTS + 1]; /* the last: of all other threads */
	limen_counter *next;
	char name[];
};

static limen_counter *
make_counter(const char *name)
{
	size_t size = (sizeof(limen_counter) + strlen(name)) / alignof(part) + 1;
	limen_counter *counter = aligned_alloc(alignof(part), size * alignof(part));

	if (counter == NULL)
		return NULL;
	memset(counter, 0, sizeof(*counter));
	strcpy(counter->name, name);
	return counter;
}

/* The counter 'name', which is made if there is room for it.  Lock held. */
static limen_counter *
find_or_add(limen_host *host, const char *name)
{
	limen_counter **end = &host->counters;
	size_t count = 0;

	for (; *end != NULL; end = &(*end)->next, count++)
		if (strcmp((*end)->name, name) == 0)
			return *end;
	if (count < COUNTERS_MAX && name[0] >= 'a' && name[0] <= 'z' &&
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0')
		*end = make_counter(name);
	return *end;
}

static limen_counter *
get_counter(limen_host *host, const char *name)
{
	limen_counter *counter;

	if (host == NULL || name == NULL)
		return NULL;
	pthread_mutex_lock(&host->back->lock);
	counter = find_or_add(host, name);
	pthread_mutex_unlock(&host->back->lock);
	return counter;
}

limen_counter *
limen_host_counter(limen_host *host, const char *name)
{
	limen_counter *counter = get_counter(host, name);

	if (counter == NULL && host != NULL && name != NULL)
		limen_host_log(host, LIMEN_LOG_WARNING,
		               "there is no counter '%s': a name consists of a-z, 0-9 and '_', and "
		               "an instance has at most %d", name, COUNTERS_MAX);
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

static void
add_shared(atomic_int_least64_t *sum, int64_t amount)
{
	int64_t before = atomic_load_explicit(sum, memory_order_relaxed);

	while (!atomic_compare_exchange_weak_explicit(sum, &before, add_bounded(before, amount),
	                                              memory_order_relaxed, memory_order_relaxed)) {
	}
}

void
limen_counter_add(limen_counter *counter, int64_t amount)
{
	size_t number = thread_number();
	atomic_int_least64_t *own;
	int64_t sum;

	if (counter == NULL)
		return;
	if (number >= OWN_PARTS) {
		add_shared(&counter->parts[OWN_PARTS].amount, amount);
		return;
	}
	own = &counter->parts[number].amount;
	sum = add_bounded(atomic_load_explicit(own, memory_order_relaxed), amount);
	atomic_store_explicit(own, sum, memory_order_relaxed);
}

void
limen_host_counter_add(limen_host *host, const char *name, int64_t amount)
{
	limen_counter_add(get_counter(host, name), amount);
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

static int64_t
sum_of(const limen_counter *counter)
{
	int64_t sum = 0;

	for (size_t i = 0; i <= OWN_PARTS; i++)
		sum = add_bounded(sum, atomic_load(&counter->parts[i].amount));
	return sum;
}

void
host_each_counter(limen_host *host, void (*each)(void *data, const char *name, int64_t value),
                  void *data)
{
	pthread_mutex_lock(&host->back->lock);
	for (const limen_counter *counter = host->counters; counter != NULL; counter = counter->next)
		each(data, counter->name, sum_of(counter));
	pthread_mutex_unlock(&host->back->lock);
}

void
host_report(limen_host *host, limen_builder *build)
{
	pthread_mutex_lock(&host->back->lock);
	/* Counters get their own object: 'status' may add members of the same names. */
	if (host->counters != NULL) {
		limen_builder_object(build, "counters");
		for (const limen_counter *counter = host->counters; counter != NULL; counter = counter->next)
			limen_builder_int(build, counter->name, sum_of(counter));
		limen_builder_end(build);
	}
	pthread_mutex_unlock(&host->back->lock);
}
