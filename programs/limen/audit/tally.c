/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c - counts objects and collects findings; every text is kept once. */
#include "tally.h"

#include <string.h>

const char *const tally_words[TALLY_KINDS] = { "refused", "changed", "not judged", "warning" };
const char *const tally_members[TALLY_KINDS] = { "refused", "changed", "notJudged", "warnings" };
const char *const tally_text_names[TALLY_TEXTS] = { "namespace", "owner", "container", "rule",
	                                            "message" };
const char *const tally_left_words[TALLY_LEFTS] = { "finished", "mirror", "being deleted",
	                                            "controlled" };

static guint
hash_finding(gconstpointer key)
{
	const tally_finding *finding = key;
	guint sum = finding->kind;

	for (size_t i = 0; i < TALLY_TEXTS; i++)
		sum = sum * 31 + g_str_hash(finding->texts[i]);
	return sum;
}

static gboolean
equal_findings(gconstpointer a, gconstpointer b)
{
	const tally_finding *first = a;
	const tally_finding *other = b;

	for (size_t i = 0; i < TALLY_TEXTS; i++)
		if (strcmp(first->texts[i], other->texts[i]) != 0)
			return FALSE;
	return first->kind == other->kind;
}

static void
free_namespace(gpointer data)
{
	tally_namespace *namespace = data;

	if (namespace->quotas != NULL)
		g_array_unref(namespace->quotas);
	g_free(namespace);
}

void
tally_start(tally *self)
{
	*self = (tally){
		.texts = g_string_chunk_new(4096),
		.namespaces = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_namespace),
		.findings = g_hash_table_new_full(hash_finding, equal_findings, g_free, NULL),
		.owners = g_hash_table_new(g_str_hash, g_str_equal),
	};
}

void
tally_clear(tally *self)
{
	g_clear_pointer(&self->sorted_namespaces, g_ptr_array_unref);
	g_clear_pointer(&self->sorted_findings, g_ptr_array_unref);
	g_clear_pointer(&self->rules, g_ptr_array_unref);
	g_hash_table_unref(self->owners);
	g_hash_table_unref(self->findings);
	g_hash_table_unref(self->namespaces);
	g_string_chunk_free(self->texts);
}

tally_namespace *
tally_find_namespace(tally *self, const char *name)
{
	tally_namespace *found = g_hash_table_lookup(self->namespaces, name);

	if (found == NULL) {
		found = g_new0(tally_namespace, 1);
		found->name = g_string_chunk_insert_const(self->texts, name);
		g_hash_table_insert(self->namespaces, (gpointer)found->name, found);
	}
	return found;
}

void
tally_count(tally *self, const char *namespace, const bool found[TALLY_KINDS])
{
	tally_namespace *counted = tally_find_namespace(self, namespace);
	size_t kind = 0;

	while (kind < TALLY_KINDS && !found[kind])
		kind++;
	self->objects++;
	counted->objects++;
	if (kind == TALLY_KINDS)
		return;
	self->counts[kind]++;
	counted->counts[kind]++;
}

/* Adds a finding to a set, or its pods to the equal one; its texts stay where they are. */
static void
add_finding(GHashTable *findings, const tally_finding *finding)
{
	tally_finding *kept = g_hash_table_lookup(findings, finding);

	if (kept == NULL)
		g_hash_table_add(findings, g_memdup2(finding, sizeof(*finding)));
	else
		kept->pods += finding->pods;
}

void
tally_add(tally *self, const tally_finding *finding)
{
	tally_finding kept = *finding;

	for (size_t i = 0; i < TALLY_TEXTS; i++)
		kept.texts[i] = g_string_chunk_insert_const(self->texts, finding->texts[i]);
	add_finding(self->findings, &kept);
}

/* ---- owners ---- */

void
tally_set_owner(tally *self, const char *namespace, const char *object, const char *controller)
{
	g_autofree char *key = g_strconcat(namespace, "/", object, NULL);

	g_hash_table_insert(self->owners, g_string_chunk_insert_const(self->texts, key),
	                    g_string_chunk_insert_const(self->texts, controller));
}

/* Controllers above each other that are followed; hostile ones may control each other. */
enum { OWNERS_MAX = 8 };

/* Returns the topmost controller of the owner of 'finding', or NULL. */
static const char *
find_controller(const tally *self, const tally_finding *finding)
{
	const char *owner = finding->texts[TALLY_OWNER];
	const char *top = NULL;

	for (size_t i = 0; owner != NULL && i < OWNERS_MAX; i++) {
		g_autofree char *key = g_strconcat(finding->texts[TALLY_NAMESPACE], "/", owner, NULL);

		owner = g_hash_table_lookup(self->owners, key);
		if (owner != NULL)
			top = owner;
	}
	return top;
}

static void
join_owners(tally *self)
{
	g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, self->findings);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const char *controller = find_controller(self, key);

		if (controller == NULL)
			continue;
		g_hash_table_iter_steal(&iter);
		((tally_finding *)key)->texts[TALLY_OWNER] = controller;
		g_ptr_array_add(owned, key);
	}
	for (guint i = 0; i < owned->len; i++)
		add_finding(self->findings, g_ptr_array_index(owned, i));
}

void
tally_compare(tally *self, const tally *other)
{
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, self->findings);
	while (g_hash_table_iter_next(&iter, &key, NULL))
		((tally_finding *)key)->known = g_hash_table_contains(other->findings, key);
}

/* ---- orders ---- */

static int
compare_namespaces(gconstpointer a, gconstpointer b)
{
	const tally_namespace *first = *(const tally_namespace *const *)a;
	const tally_namespace *other = *(const tally_namespace *const *)b;

	for (size_t i = 0; i < TALLY_KINDS; i++)
		if (first->counts[i] != other->counts[i])
			return first->counts[i] < other->counts[i] ? 1 : -1;
	return strcmp(first->name, other->name);
}

static int
compare_findings(gconstpointer a, gconstpointer b)
{
	const tally_finding *first = *(const tally_finding *const *)a;
	const tally_finding *other = *(const tally_finding *const *)b;
	int order = 0;

	if (first->kind != other->kind)
		return first->kind < other->kind ? -1 : 1;
	if (first->pods != other->pods)
		return first->pods < other->pods ? 1 : -1;
	for (size_t i = 0; order == 0 && i < TALLY_TEXTS; i++)
		order = strcmp(first->texts[i], other->texts[i]);
	return order;
}

static GPtrArray *
sort_values(GHashTable *table, GCompareFunc compare)
{
	GPtrArray *values = g_ptr_array_new();
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		g_ptr_array_add(values, value);
	g_ptr_array_sort(values, compare);
	return values;
}

void
tally_finish(tally *self)
{
	g_autoptr(GHashTable) rules = g_hash_table_new(hash_finding, equal_findings);

	join_owners(self);
	self->sorted_namespaces = sort_values(self->namespaces, compare_namespaces);
	self->sorted_findings = sort_values(self->findings, compare_findings);
	for (guint i = 0; i < self->sorted_findings->len; i++) {
		const tally_finding *finding = g_ptr_array_index(self->sorted_findings, i);
		const tally_finding rule = { .kind = TALLY_REFUSED,
			                     .texts = { finding->texts[TALLY_NAMESPACE], "", "",
			                                finding->texts[TALLY_RULE], "" },
			                     .pods = MAX(finding->pods, 1) };

		if (finding->kind == TALLY_REFUSED)
			add_finding(rules, &rule);
	}
	self->rules = sort_values(rules, compare_findings);
	g_ptr_array_set_free_func(self->rules, g_free);
}
