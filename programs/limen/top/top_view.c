/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_view.c - merges the answers of several limends and prints them as tables: sums by namespace and by
 * requester, the fullest buckets, the newest decisions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/columns.h"
#include "common/auto.h"
#include "common/print.h"
#include "top.h"

enum { REFUSED, WOULD, ERRORS, ADMITTED, COUNTS };

static const char *const count_keys[COUNTS] = { "refused", "would-refuse", "errors", "admitted" };

/* Counts of one name, of all limends together. */
typedef struct sum {
	const char *name;
	int64_t counts[ADMITTED];
	const char *last;
	bool rest;
} sum;

/* A decision or a bucket, and the limend that told of it. */
typedef struct found {
	limen_value value;
	const char *replica;
	double rank; /* of a bucket: the share that is left */
} found;

static const char *
text_of(limen_value object, const char *key)
{
	const char *text = limen_value_string(limen_value_get(object, key), NULL);

	return text == NULL ? "" : text;
}

static int64_t
int_of(limen_value object, const char *key)
{
	int64_t number = 0;

	limen_value_int(limen_value_get(object, key), &number);
	return number;
}

static limen_value
root_of(limen_documents *parsed)
{
	return limen_documents_get(parsed, 0);
}

static const top_source *
source_at(const top_view *view, guint index)
{
	return &g_array_index(view->sources, top_source, index);
}

/* ---- tables ---- */

static void
begin(const top_view *view, columns *table, const char *const *heads, size_t count)
{
	columns_start(table, count);
	table->cut = (glong)view->width;
	for (size_t i = 0; i < count; i++)
		columns_add(table, heads[i]);
}

/* Adds a row, which takes the texts over, if it has the text that is looked for; counts it then. */
static bool
add_row(const top_view *view, columns *table, char **cells)
{
	bool wanted = view->text[0] == '\0';

	for (size_t i = 0; i < table->count; i++)
		wanted = wanted || strstr(cells[i], view->text) != NULL;
	for (size_t i = 0; i < table->count; i++)
		if (wanted)
			columns_take(table, cells[i]);
		else
			g_free(cells[i]);
	return wanted;
}

/* Prints a table, if it has rows, below an empty line. */
static void
end(const top_view *view, columns *table)
{
	bool any = table->cells->len > table->count;

	if (any)
		puts(view->width > 0 ? "\033[K" : "");
	columns_finish(table, any);
}

/* ---- sums by name ---- */

static gint
compare_sums(gconstpointer a, gconstpointer b)
{
	const sum *left = a;
	const sum *right = b;
	int64_t more = right->counts[REFUSED] + right->counts[ERRORS] -
	               left->counts[REFUSED] - left->counts[ERRORS];

	if (left->rest != right->rest)
		return left->rest ? 1 : -1;
	if (more == 0)
		more = right->counts[WOULD] - left->counts[WOULD];
	return more != 0 ? (more > 0 ? 1 : -1) : strcmp(left->name, right->name);
}

static void
add_sums(GHashTable *sums, limen_value list, const char *key)
{
	limen_iter iter = limen_iter_start(list);
	limen_value item;

	while (limen_iter_next(&iter, NULL, &item)) {
		bool rest = limen_value_exists(limen_value_get(item, "rest"));
		const char *name = rest ? "(the rest)" : text_of(item, key);
		sum *known = g_hash_table_lookup(sums, name);

		if (known == NULL) {
			known = g_new0(sum, 1);
			*known = (sum){ .name = name, .last = "", .rest = rest };
			g_hash_table_insert(sums, (gpointer)(uintptr_t)name, known);
		}
		for (size_t i = 0; i < ADMITTED; i++)
			known->counts[i] += int_of(item, count_keys[i]);
		if (strcmp(text_of(item, "last"), known->last) > 0)
			known->last = text_of(item, "last");
	}
}

/* Returns the time of day of a time, to g_free(). */
static char *
time_of_day(const char *time)
{
	return strlen(time) < 19 ? g_strdup("-") : g_strndup(time + 11, 8);
}

static void
print_sums(const top_view *view, const char *list, const char *key, const char *head, size_t most)
{
	g_autoptr(GHashTable) sums = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	const char *const heads[] = { head, "REFUSED", "WOULD", "ERRORS", "LAST" };
	g_autoptr(GList) sorted = NULL;
	size_t shown = 0;
	columns table;

	for (guint i = 0; i < view->sources->len; i++)
		add_sums(sums, limen_value_get(root_of(source_at(view, i)->recent), list), key);
	sorted = g_list_sort(g_hash_table_get_values(sums), compare_sums);
	begin(view, &table, heads, G_N_ELEMENTS(heads));
	for (const GList *at = sorted; at != NULL && shown < most; at = at->next) {
		const sum *item = at->data;
		char *cells[] = { g_strdup(item->name[0] == '\0' ? "(none)" : item->name),
			          print_text("%" G_GINT64_FORMAT, item->counts[REFUSED]),
			          print_text("%" G_GINT64_FORMAT, item->counts[WOULD]),
			          print_text("%" G_GINT64_FORMAT, item->counts[ERRORS]),
			          time_of_day(item->last) };

		shown += add_row(view, &table, cells);
	}
	end(view, &table);
}

/* ---- buckets and decisions ---- */

/* Gathers the members of a list of all answers. */
static GArray *
gather(const top_view *view, const char *list, bool buckets)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(found));

	for (guint i = 0; i < view->sources->len; i++) {
		const top_source *source = source_at(view, i);
		limen_value root = root_of(buckets ? source->buckets : source->recent);
		limen_iter iter = limen_iter_start(limen_value_get(root, list));
		found item = { .replica = text_of(root_of(source->recent), "replica") };

		while (limen_iter_next(&iter, NULL, &item.value)) {
			int64_t burst = int_of(item.value, "burst");

			item.rank = burst > 0 ? (double)int_of(item.value, "left") / (double)burst : 1;
			g_array_append_val(all, item);
		}
	}
	return all;
}

static gint
compare_buckets(gconstpointer a, gconstpointer b)
{
	double left = ((const found *)a)->rank;
	double right = ((const found *)b)->rank;

	return left < right ? -1 : left > right;
}

static gint
compare_decisions(gconstpointer a, gconstpointer b)
{
	return strcmp(text_of(((const found *)b)->value, "time"), text_of(((const found *)a)->value, "time"));
}

static void
print_buckets(const top_view *view, size_t most)
{
	static const char *const heads[] = { "REPLICA", "BUCKET", "KEY", "LEFT", "BURST", "RATE" };
	size_t first = view->sources->len == 1;
	g_autoptr(GArray) all = gather(view, "buckets", true);
	size_t shown = 0;
	columns table;

	g_array_sort(all, compare_buckets);
	begin(view, &table, heads + first, G_N_ELEMENTS(heads) - first);
	for (guint i = 0; i < all->len && shown < most; i++) {
		const found *item = &g_array_index(all, found, i);
		const char *entry = text_of(item->value, "entry");
		char *cells[] = { g_strdup(item->replica),
			          g_strdup(entry[0] == '\0' ? text_of(item->value, "table") : entry),
			          g_strdup(text_of(item->value, "shown")),
			          print_text("%" G_GINT64_FORMAT, int_of(item->value, "left")),
			          print_text("%" G_GINT64_FORMAT, int_of(item->value, "burst")),
			          g_strdup(text_of(item->value, "rate")) };

		if (first == 1)
			g_free(cells[0]);
		shown += add_row(view, &table, cells + first);
	}
	end(view, &table);
}

/* Returns what a decision is about: "NAMESPACE KIND NAME", or a task's requester; to g_free(). */
static char *
subject_of(limen_value item)
{
	static const char *const keys[] = { "namespace", "requester", "kind", "name" };
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		const char *text = text_of(item, keys[i]);

		if (text[0] != '\0')
			print_append(out, "%s%s", out->len > 0 ? " " : "", text);
	}
	return g_string_free(out, FALSE);
}

static void
print_decisions(const top_view *view, size_t most)
{
	static const char *const heads[] = { "REPLICA", "TIME", "VERDICT", "ABOUT", "BY", "WHY" };
	size_t first = view->sources->len == 1;
	g_autoptr(GArray) all = gather(view, "decisions", false);
	size_t matching = 0;
	columns table;

	g_array_sort(all, compare_decisions);
	begin(view, &table, heads + first, G_N_ELEMENTS(heads) - first);
	for (guint i = 0; i < all->len && table.cells->len / table.count <= most; i++) {
		const found *item = &g_array_index(all, found, i);
		limen_value violation = limen_value_at(limen_value_get(item->value, "violations"), 0);
		guint before = table.cells->len;
		char *cells[] = { g_strdup(item->replica), time_of_day(text_of(item->value, "time")),
			          g_strdup(text_of(item->value, "verdict")), subject_of(item->value),
			          g_strdup(text_of(item->value, "entry")),
			          g_strdup(text_of(violation, "reason")) };

		if (first == 1)
			g_free(cells[0]);
		if (add_row(view, &table, cells + first) && matching++ < view->skipped)
			g_ptr_array_set_size(table.cells, (gint)before);
	}
	end(view, &table);
}

/* ---- all of it ---- */

static void
print_head(const top_view *view)
{
	double rates[COUNTS] = { 0 };
	g_autoptr(GString) line = g_string_new(NULL);
	columns table;

	for (guint i = 0; i < view->sources->len * COUNTS; i++) {
		limen_value answer = root_of(source_at(view, i / COUNTS)->recent);
		limen_value told = limen_value_get(limen_value_get(answer, "rates"), count_keys[i % COUNTS]);
		double rate;

		if (limen_value_real(told, &rate))
			rates[i % COUNTS] += rate;
	}
	print_append(line, "a second: %.1f admitted, %.1f refused, %.1f would be refused, %.1f errors%s%s",
	             rates[ADMITTED], rates[REFUSED], rates[WOULD], rates[ERRORS],
	             view->note[0] == '\0' ? "" : "  ", view->note);
	begin(view, &table, (const char *const[]){ line->str }, 1);
	for (guint i = 0; i < view->sources->len; i++)
		if (source_at(view, i)->why != NULL)
			columns_add(&table, source_at(view, i)->why);
	columns_finish(&table, true);
}

void
top_print(const top_view *view)
{
	size_t rows = view->height / 4;

	print_head(view);
	print_sums(view, "namespaces", "namespace", "NAMESPACE", rows);
	print_sums(view, "requesters", "requester", "REQUESTER", rows / 2);
	print_buckets(view, rows / 2);
	print_decisions(view, view->height - 2 * rows);
}
