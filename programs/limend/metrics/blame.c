/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blame.c - counts refusals by policy entry and code in a lock-free hash table with linear probing:
 * 1024 slots, 32 probes.  Entries without a slot are counted as "(others)".  Owns copies of the
 * entry names, cut to 255 bytes.
 */
#include "blame.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../common/cut.h"
#include "base/codes.h"
#include "base/exposition.h"

#define SLOTS 1024
/* Some of the slots stay free, so that looking for what is not there ends soon. */
#define PROBES 32
/* In bytes.  Names of entries are seldom that long; what is the same up to there is one. */
#define NAME_MAX_BYTES 256

typedef struct slot {
	_Atomic(char *) name;
	_Atomic(uint64_t) counts[CODES];
} slot;

struct blame {
	slot slots[SLOTS];
	slot others; /* for which there was no room; has no name */
};

blame *
blame_new(void)
{
	return g_new0(blame, 1);
}

void
blame_free(blame *self)
{
	if (self == NULL)
		return;
	for (size_t i = 0; i < SLOTS; i++)
		g_free(atomic_load(&self->slots[i].name));
	g_free(self);
}

/* The first bytes of a name, whole characters: what a label may be made of. */
static void
cut_name(char out[NAME_MAX_BYTES], const char *name)
{
	size_t length = cut_length(name, strnlen(name, NAME_MAX_BYTES), NAME_MAX_BYTES - 1);

	memcpy(out, name, length);
	out[length] = '\0';
}

/* Puts the name into a free slot, or returns who was quicker. */
static const char *
claim(slot *one, const char *name)
{
	char *copy = g_strdup(name);
	char *there = NULL;

	if (atomic_compare_exchange_strong(&one->name, &there, copy))
		return copy;
	g_free(copy);
	return there;
}

static slot *
find_slot(blame *self, const char *name)
{
	guint hash = g_str_hash(name);

	for (guint i = 0; i < PROBES; i++) {
		slot *one = &self->slots[(hash + i) % SLOTS];
		const char *there = atomic_load_explicit(&one->name, memory_order_acquire);

		if (there == NULL)
			there = claim(one, name);
		if (strcmp(there, name) == 0)
			return one;
	}
	return &self->others;
}

void
blame_add(blame *self, const char *entry, int code)
{
	char name[NAME_MAX_BYTES];
	slot *one;

	cut_name(name, entry == NULL ? "" : entry);
	one = find_slot(self, name);
	atomic_fetch_add_explicit(&one->counts[code_index(code)], 1, memory_order_relaxed);
}

static void
write_slot(const slot *one, const char *name, GString *out)
{
	for (size_t code = 0; code < CODES; code++) {
		uint64_t count = atomic_load_explicit(&one->counts[code], memory_order_relaxed);

		if (count == 0)
			continue;
		exposition_sample(out, "limend_refusals_total");
		exposition_label(out, "entry", name);
		exposition_label(out, "code", code_names[code]);
		exposition_count(out, count);
	}
}

void
blame_write(const blame *self, GString *out)
{
	exposition_family(out, "limend_refusals_total", "counter",
	                  "Requests refused, by the entry of the policy that did; without an "
	                  "entry: nobody identified, no application, and the like.");
	for (size_t i = 0; i < SLOTS; i++) {
		const char *name = atomic_load_explicit(&self->slots[i].name, memory_order_acquire);

		if (name != NULL)
			write_slot(&self->slots[i], name, out);
	}
	write_slot(&self->others, "(others)", out);
}
