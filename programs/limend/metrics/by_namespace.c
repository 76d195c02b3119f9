/* SPDX-License-Identifier: Apache-2.0 */
/*
 * by_namespace.c - counts refusals by namespace in a hash table under a mutex.  Owns the names of the
 * namespaces that have series of their own: the first ones that are refused.
 */
#include "by_namespace.h"

#include <pthread.h>
#include <string.h>

#include "../common/cut.h"
#include "base/exposition.h"

/* Cap on series, for policies that are loaded again and again with other entries. */
#define SERIES_MAX ((size_t)8 * NAMESPACES_MAX)
#define OTHER "other"

/* In bytes, with the NUL.  Longer names are cut, and names equal up to there count as one. */
#define NAME_MAX_BYTES 256

/* Refusals in one namespace by one entry. */
typedef struct series {
	char entry[NAME_MAX_BYTES];
	char namespace[NAME_MAX_BYTES];
	const char *enforce; /* "deny", "warn" or "audit" */
	uint64_t count;
} series;

struct by_namespace {
	pthread_mutex_t lock; /* guards all below */
	size_t most;
	GHashTable *names;  /* a set */
	GHashTable *series; /* a set */
};

static guint
hash_series(gconstpointer key)
{
	const series *self = key;

	return (g_str_hash(self->namespace) * 31 + g_str_hash(self->entry)) * 31 +
	       g_str_hash(self->enforce);
}

static gboolean
equal_series(gconstpointer a, gconstpointer b)
{
	const series *left = a;
	const series *right = b;

	return strcmp(left->namespace, right->namespace) == 0 &&
	       strcmp(left->entry, right->entry) == 0 &&
	       strcmp(left->enforce, right->enforce) == 0;
}

by_namespace *
by_namespace_new(size_t most)
{
	by_namespace *self = g_new0(by_namespace, 1);

	pthread_mutex_init(&self->lock, NULL);
	self->most = most;
	self->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	self->series = g_hash_table_new_full(hash_series, equal_series, g_free, NULL);
	return self;
}

void
by_namespace_free(by_namespace *self)
{
	if (self == NULL)
		return;
	g_hash_table_destroy(self->names);
	g_hash_table_destroy(self->series);
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}

/* Makes the namespace OTHER, unless it has series of its own or may still have them. */
static void
take_name(by_namespace *self, char namespace[NAME_MAX_BYTES])
{
	if (g_hash_table_contains(self->names, namespace))
		return;
	if (g_hash_table_size(self->names) < self->most)
		g_hash_table_add(self->names, g_strdup(namespace));
	else
		strcpy(namespace, OTHER);
}

/* Counts one refusal by 'entry'. */
static void
count(by_namespace *self, const char *entry, const char *namespace, const char *enforce)
{
	series wanted = { .enforce = enforce };
	series *found;

	/* The cuts keep whole characters, because a label must be UTF-8. */
	cut_copy(wanted.entry, NAME_MAX_BYTES, entry, strnlen(entry, NAME_MAX_BYTES));
	cut_copy(wanted.namespace, NAME_MAX_BYTES, namespace, strnlen(namespace, NAME_MAX_BYTES));
	pthread_mutex_lock(&self->lock);
	take_name(self, wanted.namespace);
	found = g_hash_table_lookup(self->series, &wanted);
	if (found == NULL && g_hash_table_size(self->series) < SERIES_MAX) {
		found = g_memdup2(&wanted, sizeof(wanted));
		g_hash_table_add(self->series, found);
	}
	if (found != NULL)
		found->count++;
	pthread_mutex_unlock(&self->lock);
}

void
by_namespace_count(by_namespace *self, const record *facts)
{
	const char *entry = limen_decision_entry(facts->decision);
	const char *namespace = limen_request_field(facts->request, LIMEN_FIELD_NAMESPACE);
	const limen_observed *found;

	if (self == NULL || limen_request_subject(facts->request) != LIMEN_SUBJECT_OBJECT)
		return;
	namespace = namespace == NULL ? "" : namespace;
	if (!limen_decision_admitted(facts->decision))
		count(self, entry == NULL ? "" : entry, namespace, "deny");
	for (size_t i = 0; (found = limen_decision_observed(facts->decision, i)) != NULL; i++)
		count(self, found->entry, namespace, found->enforce);
}

void
by_namespace_write(by_namespace *self, GString *out)
{
	static const char family[] = "limend_refusals_by_namespace_total";
	GHashTableIter iter;
	gpointer key;

	if (self == NULL)
		return;
	exposition_family(out, family, "counter",
	                  "Objects that an entry refused in a namespace, or would have refused if "
	                  "it enforced.");
	pthread_mutex_lock(&self->lock);
	g_hash_table_iter_init(&iter, self->series);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const series *counted = key;

		exposition_put(out, family, counted->count, "entry", counted->entry, "namespace",
		               counted->namespace, "enforce", counted->enforce, NULL);
	}
	pthread_mutex_unlock(&self->lock);
}
