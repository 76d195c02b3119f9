/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_cover.c - collects which parts of the policies were covered by tests, and prints the
 * rest.
 */
#include <pthread.h>
#include <string.h>

#include "common/json_out.h"
#include "common/message_put.h"
#include "policy/policy.h"
#include "tests.h"

/* A part of a policy that tests can cover. */
typedef struct item {
	const char *kind; /* "identifier" */
	const char *idle; /* the report text if no test covered it */
	char *name;
	char *file; /* or NULL */
	unsigned line;
	struct item *same; /* the first item with this key, which records use */
	bool used;
} item;

typedef struct covered {
	char *name;
	GPtrArray *items;  /* item, in the order of the policy */
	GHashTable *known; /* by make_key() */
} covered;

struct test_cover {
	pthread_mutex_t lock;
	GHashTable *policies; /* by name */
};

static void
free_item(gpointer data)
{
	item *one = data;

	g_free(one->name);
	g_free(one->file);
	g_free(one);
}

static void
free_covered(gpointer data)
{
	covered *one = data;

	g_free(one->name);
	g_ptr_array_unref(one->items);
	g_hash_table_destroy(one->known);
	g_free(one);
}

test_cover *
tests_cover_new(void)
{
	test_cover *cover = g_new0(test_cover, 1);

	pthread_mutex_init(&cover->lock, NULL);
	cover->policies = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_covered);
	return cover;
}

void
tests_cover_free(test_cover *cover)
{
	if (cover == NULL)
		return;
	g_hash_table_destroy(cover->policies);
	pthread_mutex_destroy(&cover->lock);
	g_free(cover);
}

/* ---- the parts of a policy ---- */

/* Descriptions of applications need not be unique, so their keys include the position. */
static char *
make_key(const char *kind, const char *name, const char *file, unsigned line)
{
	if (strcmp(kind, "application") != 0)
		return g_strdup_printf("%s %s", kind, name);
	return g_strdup_printf("%s %u %s %s", kind, line, name, file == NULL ? "" : file);
}

static void
add_item(covered *to, const char *kind, const char *idle, const char *name, const char *file,
         unsigned line)
{
	item *one = g_new0(item, 1);
	char *key = make_key(kind, name, file, line);

	*one = (item){ .kind = kind, .idle = idle, .name = g_strdup(name), .file = g_strdup(file),
		       .line = line, .same = g_hash_table_lookup(to->known, key) };
	g_ptr_array_add(to->items, one);
	if (one->same == NULL) {
		one->same = one;
		g_hash_table_insert(to->known, g_steal_pointer(&key), one);
	}
	g_free(key);
}

static void
add_described(covered *to, const char *kind, const char *idle, const char *name,
              limen_value entry)
{
	int64_t line = 0;

	limen_value_int(limen_value_get(entry, "line"), &line);
	if (name != NULL && limen_value_exists(entry))
		add_item(to, kind, idle, name,
		         limen_value_string(limen_value_get(entry, "file"), NULL),
		         (unsigned)line);
}

/* Adds entries, which are named by their member name or their description. */
static void
add_entries(covered *to, limen_value entries, const char *kind, const char *idle)
{
	limen_iter iter = limen_iter_start(entries);
	limen_value key, entry;

	while (limen_iter_next(&iter, &key, &entry)) {
		limen_value name = limen_value_exists(key) ? key
		                                           : limen_value_get(entry, "description");

		add_described(to, kind, idle, limen_value_string(name, NULL), entry);
	}
}

/* Adds the entries in the output of limen_engine_describe(). */
static void
add_policy(covered *to, limen_value described)
{
	add_entries(to, limen_value_get(described, "identifiers"), "identifier",
	            "identified nobody");
	add_entries(to, limen_value_get(described, "limits"), "limit", "never asked");
	add_entries(to, limen_value_get(described, "admission"), "admission entry",
	            "never asked");
	add_described(to, "rewriter", "never asked", "rewrite",
	              limen_value_get(described, "rewrite"));
	add_described(to, "prioritizer", "never asked", "priority",
	              limen_value_get(described, "priority"));
	add_entries(to, limen_value_get(described, "classifiers"), "classifier", "never met");
	add_entries(to, limen_value_get(described, "application-list"), "application",
	            "never asked");
}

static const char *
shown_name(const char *name)
{
	return name[0] == '{' ? "a policy in a file of tests" : name;
}

void
tests_cover_policy(test_cover *cover, const char *name, limen_engine *engine)
{
	limen_documents *described = policy_describe(engine);
	covered *one = g_new0(covered, 1);

	one->name = g_strdup(name);
	one->items = g_ptr_array_new_with_free_func(free_item);
	one->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	add_policy(one, limen_documents_get(described, 0));
	limen_documents_free(described);
	pthread_mutex_lock(&cover->lock);
	g_hash_table_replace(cover->policies, one->name, one);
	pthread_mutex_unlock(&cover->lock);
}

/* ---- use ---- */

static void
mark(const covered *one, const char *kind, const char *name, const char *file, unsigned line)
{
	char *key = make_key(kind, name, file, line);
	item *found = g_hash_table_lookup(one->known, key);

	if (found != NULL)
		found->used = true;
	g_free(key);
}

static void
mark_names(const covered *one, const char *kind, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		mark(one, kind, names[i], NULL, 0);
}

static const char *
kind_word(limen_kind kind)
{
	switch (kind) {
	case LIMEN_KIND_LIMIT:
		return "limit";
	case LIMEN_KIND_ADMISSION:
		return "admission entry";
	case LIMEN_KIND_REWRITER:
		return "rewriter";
	case LIMEN_KIND_PRIORITIZER:
		return "prioritizer";
	default:
		return NULL;
	}
}

/* A module that skipped is not covered. */
static void
mark_trace(const covered *one, const limen_decision *decision)
{
	const limen_trace *run = limen_decision_trace(decision, 0);

	for (size_t i = 0; run != NULL; run = limen_decision_trace(decision, ++i)) {
		const char *kind = kind_word(run->kind);

		if (kind != NULL && run->verdict != LIMEN_SKIP)
			mark(one, kind, run->name, NULL, 0);
	}
}

/* An application that skipped, because it is for other classifiers, is not covered. */
static void
mark_applications(const covered *one, const limen_decision *decision)
{
	const limen_step *step = limen_decision_step(decision, 0);

	for (size_t i = 0; step != NULL; step = limen_decision_step(decision, ++i))
		if (step->kind == LIMEN_STEP_APPLICATION && step->verdict != LIMEN_SKIP &&
		    step->name != NULL)
			mark(one, "application", step->name, step->file, step->line);
}

void
tests_cover_decision(test_cover *cover, const char *name, const limen_decision *decision)
{
	const covered *one;
	const char *const *names;
	size_t count;

	pthread_mutex_lock(&cover->lock);
	one = g_hash_table_lookup(cover->policies, name);
	if (one != NULL) {
		names = limen_decision_identifiers(decision, &count);
		mark_names(one, "identifier", names, count);
		names = limen_decision_classifiers(decision, &count);
		mark_names(one, "classifier", names, count);
		mark_trace(one, decision);
		mark_applications(one, decision);
	}
	pthread_mutex_unlock(&cover->lock);
}

/* ---- output ---- */

static GList *
sort_policies(const test_cover *cover)
{
	return g_list_sort(g_hash_table_get_keys(cover->policies),
	                   (GCompareFunc)(void (*)(void))strcmp);
}

static size_t
count_used(const covered *one)
{
	size_t used = 0;

	for (guint i = 0; i < one->items->len; i++)
		used += ((const item *)g_ptr_array_index(one->items, i))->same->used;
	return used;
}

void
tests_cover_print(test_cover *cover)
{
	GList *names = sort_policies(cover);

	for (GList *at = names; at != NULL; at = at->next) {
		const covered *one = g_hash_table_lookup(cover->policies, at->data);

		message_print_line(stdout, "coverage of %s: %zu of %u", shown_name(one->name),
		                   count_used(one), one->items->len);
		for (guint i = 0; i < one->items->len; i++) {
			const item *idle = g_ptr_array_index(one->items, i);

			if (idle->same->used)
				continue;
			fputs("  ", stdout);
			if (idle->file != NULL)
				message_print_part(stdout, "%s:%u: ", idle->file, idle->line);
			message_print_line(stdout, "%s '%s': %s", idle->kind, idle->name, idle->idle);
		}
	}
	g_list_free(names);
}

void
tests_cover_json(test_cover *cover, GString *out)
{
	GList *names = sort_policies(cover);

	json_open(out, '[');
	for (GList *at = names; at != NULL; at = at->next) {
		const covered *one = g_hash_table_lookup(cover->policies, at->data);

		json_write(out, "{policy:s exercised:z of:d items:[", shown_name(one->name),
		           count_used(one), (int)one->items->len);
		for (guint i = 0; i < one->items->len; i++) {
			const item *entry = g_ptr_array_index(one->items, i);

			json_write(out, "{kind:s name:s file:s line:d exercised:b}", entry->kind,
			           entry->name, entry->file, (int)entry->line,
			           entry->same->used);
		}
		g_string_append(out, "]}");
	}
	g_string_append_c(out, ']');
	g_list_free(names);
}
