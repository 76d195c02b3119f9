/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_count.c - the counters of a host.  Every decision counts something, so each
 * thread adds to numbers of its own, and they are added up when somebody asks.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "background.h"
#include "base/constant_text.h"
#include "base/thread_slot.h"

/* Names are meant to be a few words of the module, not something it was sent. */
#define COUNTERS_MAX 64

typedef struct counter {
	struct counter *next;
	const char *asked; /* where the name stood that it was first asked for by; to compare only */
	bool constant;     /* that name stands there for good: modules stay loaded */
	size_t index;
	char name[];
} counter;

/* By index.  Written by one thread, or by those without a number of their own. */
typedef struct tally {
	atomic_int_least64_t amounts[COUNTERS_MAX];
} tally;

typedef struct host_counts {
	_Atomic(counter *) newest;
	_Atomic(tally *) tallies[THREAD_SLOTS + 1]; /* by the number of the thread */
} host_counts;

static bool
check_counter_name(const char *name)
{
	if (name[0] < 'a' || name[0] > 'z')
		return false;
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* ---- which counter ---- */

/* Counters are only ever added, so the list can be walked at any time. */
static counter *
find_counter(counter *list, const char *name)
{
	while (list != NULL && strcmp(list->name, name) != 0)
		list = list->next;
	return list;
}

/* Two threads may count the same for the first time at once. */
static counter *
add_counter(host_counts *counts, const char *name)
{
	size_t size = strlen(name) + 1;
	counter *made = malloc(sizeof(*made) + size);
	counter *head = atomic_load(&counts->newest);

	if (made == NULL)
		return NULL;
	memcpy(made->name, name, size);
	made->asked = name;
	made->constant = is_constant_text(name);
	do {
		counter *known = find_counter(head, name);

		made->index = head == NULL ? 0 : head->index + 1;
		if (known != NULL || made->index == COUNTERS_MAX) {
			free(made);
			return known;
		}
		made->next = head;
	} while (!atomic_compare_exchange_weak(&counts->newest, &head, made));
	return made;
}

/* ---- how much ---- */

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
add_alone(atomic_int_least64_t *to, int64_t amount)
{
	int64_t before = atomic_load_explicit(to, memory_order_relaxed);

	atomic_store_explicit(to, add_bounded(before, amount), memory_order_relaxed);
}

static void
add_among_others(atomic_int_least64_t *to, int64_t amount)
{
	int64_t before = atomic_load_explicit(to, memory_order_relaxed);

	while (!atomic_compare_exchange_weak_explicit(to, &before, add_bounded(before, amount),
	                                              memory_order_relaxed,
	                                              memory_order_relaxed)) {
	}
}

/* ---- making and freeing what numbers stand in ---- */

static host_counts *
find_counts(limen_host *host)
{
	host_counts *known = atomic_load_explicit(&host->counts, memory_order_acquire);
	host_counts *made;

	if (known != NULL)
		return known;
	made = calloc(1, sizeof(*made));
	if (made == NULL || atomic_compare_exchange_strong(&host->counts, &known, made))
		return made;
	free(made);
	return known;
}

static tally *
find_tally(host_counts *counts, unsigned slot)
{
	tally *known = atomic_load_explicit(&counts->tallies[slot], memory_order_acquire);
	tally *made;

	if (known != NULL)
		return known;
	made = calloc(1, sizeof(*made));
	if (made == NULL || atomic_compare_exchange_strong(&counts->tallies[slot], &known, made))
		return made;
	free(made);
	return known;
}

void
host_counts_free(host_counts *counts)
{
	counter *one = counts == NULL ? NULL : atomic_load(&counts->newest);

	while (one != NULL) {
		counter *next = one->next;

		free(one);
		one = next;
	}
	for (size_t i = 0; counts != NULL && i <= THREAD_SLOTS; i++)
		free(atomic_load(&counts->tallies[i]));
	free(counts);
}

/* Returns where a thread counts 'name', which need not have been counted so far; or NULL. */
static __attribute__((noinline)) atomic_int_least64_t *
find_amount(limen_host *host, unsigned slot, const char *name)
{
	host_counts *counts = find_counts(host);
	counter *one;
	tally *own;

	if (counts == NULL)
		return NULL;
	one = find_counter(atomic_load_explicit(&counts->newest, memory_order_acquire), name);
	if (one == NULL && check_counter_name(name))
		one = add_counter(counts, name);
	own = one == NULL ? NULL : find_tally(counts, slot);
	return own == NULL ? NULL : &own->amounts[one->index];
}

/*
 * The same where it was counted before by the same line of a module: then it is asked for by
 * the same literal.
 */
static inline atomic_int_least64_t *
recall_amount(limen_host *host, unsigned slot, const char *name)
{
	host_counts *counts = atomic_load_explicit(&host->counts, memory_order_acquire);
	const counter *one;
	tally *own;

	if (counts == NULL)
		return NULL;
	own = atomic_load_explicit(&counts->tallies[slot], memory_order_acquire);
	one = atomic_load_explicit(&counts->newest, memory_order_acquire);
	while (one != NULL && !(one->asked == name && one->constant))
		one = one->next;
	return own == NULL || one == NULL ? NULL : &own->amounts[one->index];
}

void
limen_host_count(limen_host *host, const char *name, int64_t amount)
{
	unsigned slot = thread_slot();
	atomic_int_least64_t *to = recall_amount(host, slot, name);

	if (to == NULL)
		to = find_amount(host, slot, name);
	if (to == NULL)
		return;
	if (slot < THREAD_SLOTS)
		add_alone(to, amount);
	else
		add_among_others(to, amount);
}

/* ---- telling ---- */

static int64_t
add_up(host_counts *counts, const counter *one)
{
	int64_t sum = 0;

	for (size_t i = 0; i <= THREAD_SLOTS; i++) {
		tally *part = atomic_load_explicit(&counts->tallies[i], memory_order_acquire);

		if (part != NULL)
			sum = add_bounded(sum, atomic_load_explicit(&part->amounts[one->index],
			                                            memory_order_relaxed));
	}
	return sum;
}

/* In the order of their first use. */
static void
report_counters(host_counts *counts, limen_sink *sink)
{
	const counter *in_order[COUNTERS_MAX];
	const counter *list = atomic_load(&counts->newest);
	size_t count = 0;

	for (; list != NULL; list = list->next)
		in_order[count++] = list;
	while (count > 0) {
		const counter *one = in_order[--count];

		limen_sink_int(sink, one->name, add_up(counts, one));
	}
}

void
host_report(limen_host *host, limen_sink *sink)
{
	host_counts *counts = atomic_load(&host->counts);

	if (counts == NULL || atomic_load(&counts->newest) == NULL)
		return;
	/* A counter may be called what 'status' calls something else. */
	sink_begin(sink, "counters");
	report_counters(counts, sink);
	sink_end(sink);
}
