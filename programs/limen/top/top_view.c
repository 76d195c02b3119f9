/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_view.c - merges the answers of several limends and prints them as tables: sums by namespace and by
 * requester, the fullest buckets, the newest decisions.
 */
#include <stdio.h>
#include <string.h>

#include "cli/columns.h"
#include "common/auto.h"
#include "common/print.h"
#include "top.h"

#define LINES_OF_HEADS 6 /* of the tables above the decisions, each with an empty line */

enum { REFUSED, WOULD, ERRORS, ADMITTED, COUNTS };

static const char *const count_keys[COUNTS] = { "refused", "would-refuse", "errors", "admitted" };

/* A row: of a decision or a bucket, and the limend that told of it; or sums of a name, of all limends. */
typedef struct item {
	limen_value value;
	const char *replica;
	double rank; /* of a bucket: the share that is left */
	const char *name;
	int64_t counts[ADMITTED];
	const char *last;
	bool rest;
} item;

/* How rows become a table.  The first of the heads is for several limends, and not for sums. */
typedef struct layout {
	const char *heads[COLUMNS_MAX];
	bool sums;
	bool scrolls;
	GCompareFunc compare;
	void (*fill)(const item *from, char **cells); /* all but the first; to g_free() */
} layout;

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

static bool
has_text(const char *const *cells, const char *text)
{
	bool found = text[0] == '\0';

	for (; *cells != NULL; cells++)
		found = found || strstr(*cells, text) != NULL;
	return found;
}

/* Prints a table below an empty line, if it has rows, of which 'most' are shown; returns its lines. */
static size_t
print_table(const top_view *view, const layout *of, GArray *rows, size_t most)
{
	size_t first = of->sums || view->sources->len == 1;
	size_t skipped = of->scrolls ? view->skipped : 0;
	size_t matching = 0;
	size_t lines;
	columns table;

	g_array_sort(rows, of->compare);
	columns_start(&table, g_strv_length((char **)of->heads) - first);
	table.cut = (glong)view->width;
	columns_add_row(&table, of->heads + first);
	for (guint i = 0; i < rows->len && table.cells->len / table.count <= most; i++) {
		const item *from = &g_array_index(rows, item, i);
		char *cells[COLUMNS_MAX + 1] = { g_strdup(from->replica) };

		of->fill(from, cells + 1);
		if (has_text((const char *const *)cells + first, view->text) && matching++ >= skipped)
			columns_add_row(&table, (const char *const *)cells + first);
		for (size_t k = 0; k < table.count + first; k++)
			g_free(cells[k]);
	}
	lines = table.cells->len / table.count;
	if (lines > 1)
		puts(view->width > 0 ? "\033[K" : "");
	columns_finish(&table, lines > 1);
	return lines > 1 ? lines + 1 : 0;
}

/* Returns the time of day of a time. */
static char *
time_of_day(const char *time)
{
	return strlen(time) < 19 ? g_strdup("-") : g_strndup(time + 11, 8);
}

static char *
print_int(int64_t number)
{
	return print_text("%" G_GINT64_FORMAT, number);
}

/* ---- sums by name ---- */

static gint
compare_sums(gconstpointer a, gconstpointer b)
{
	const item *left = a;
	const item *right = b;
	int64_t more = right->counts[REFUSED] + right->counts[ERRORS] -
	               left->counts[REFUSED] - left->counts[ERRORS];

	if (left->rest != right->rest)
		return left->rest ? 1 : -1;
	if (more == 0)
		more = right->counts[WOULD] - left->counts[WOULD];
	return more != 0 ? (more > 0 ? 1 : -1) : strcmp(left->name, right->name);
}

static void
fill_sums(const item *from, char **cells)
{
	*cells++ = g_strdup(from->name[0] == '\0' ? "(none)" : from->name);
	for (size_t i = 0; i < ADMITTED; i++)
		*cells++ = print_int(from->counts[i]);
	*cells = time_of_day(from->last);
}

/* Adds a row of one limend to the sums. */
static void
add_sum(GArray *sums, limen_value value, const char *key)
{
	bool rest = limen_value_exists(limen_value_get(value, "rest"));
	item fresh = { .name = rest ? "(the rest)" : text_of(value, key), .last = "", .rest = rest };
	item *known;
	guint i = 0;

	while (i < sums->len && (g_array_index(sums, item, i).rest != rest ||
	                         strcmp(g_array_index(sums, item, i).name, fresh.name) != 0))
		i++;
	if (i == sums->len)
		g_array_append_val(sums, fresh);
	known = &g_array_index(sums, item, i);
	for (size_t k = 0; k < ADMITTED; k++)
		known->counts[k] += int_of(value, count_keys[k]);
	if (strcmp(text_of(value, "last"), known->last) > 0)
		known->last = text_of(value, "last");
}

static size_t
print_sums(const top_view *view, const char *list, const char *key, const char *head, size_t most)
{
	const layout of = { .heads = { "", head, "REFUSED", "WOULD", "ERRORS", "LAST" },
		            .sums = true, .compare = compare_sums, .fill = fill_sums };
	g_autoptr(GArray) sums = g_array_new(FALSE, FALSE, sizeof(item));

	for (guint i = 0; i < view->sources->len; i++) {
		limen_value answer = root_of(source_at(view, i)->recent);
		limen_iter iter = limen_iter_start(limen_value_get(answer, list));
		limen_value value;

		while (limen_iter_next(&iter, NULL, &value))
			add_sum(sums, value, key);
	}
	return print_table(view, &of, sums, most);
}

/* ---- buckets and decisions ---- */

static gint
compare_buckets(gconstpointer a, gconstpointer b)
{
	double left = ((const item *)a)->rank;
	double right = ((const item *)b)->rank;

	return left < right ? -1 : left > right;
}

static void
fill_bucket(const item *from, char **cells)
{
	const char *entry = text_of(from->value, "entry");

	*cells++ = g_strdup(entry[0] == '\0' ? text_of(from->value, "table") : entry);
	*cells++ = g_strdup(text_of(from->value, "shown"));
	*cells++ = print_int(int_of(from->value, "left"));
	*cells++ = print_int(int_of(from->value, "burst"));
	*cells = g_strdup(text_of(from->value, "rate"));
}

static gint
compare_decisions(gconstpointer a, gconstpointer b)
{
	return strcmp(text_of(((const item *)b)->value, "time"), text_of(((const item *)a)->value, "time"));
}

/* Tells of a decision: "NAMESPACE KIND NAME" or a task's requester, and the first violation. */
static void
fill_decision(const item *from, char **cells)
{
	static const char *const keys[] = { "namespace", "requester", "kind", "name" };
	limen_value violation = limen_value_at(limen_value_get(from->value, "violations"), 0);
	GString *subject = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		const char *text = text_of(from->value, keys[i]);

		if (text[0] != '\0')
			print_append(subject, "%s%s", subject->len > 0 ? " " : "", text);
	}
	*cells++ = time_of_day(text_of(from->value, "time"));
	*cells++ = g_strdup(text_of(from->value, "verdict"));
	*cells++ = g_string_free(subject, FALSE);
	*cells++ = g_strdup(text_of(from->value, "entry"));
	*cells = g_strdup(text_of(violation, "reason"));
}

/* Prints the members of the list 'key' of all answers; returns the lines. */
static size_t
print_list(const top_view *view, const layout *of, const char *key, size_t most)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(item));

	for (guint i = 0; i < view->sources->len; i++) {
		const top_source *source = source_at(view, i);
		limen_value root = root_of(of->scrolls ? source->recent : source->buckets);
		limen_iter iter = limen_iter_start(limen_value_get(root, key));
		item found = { .replica = text_of(root_of(source->recent), "replica") };

		while (limen_iter_next(&iter, NULL, &found.value)) {
			int64_t burst = int_of(found.value, "burst");

			found.rank = burst > 0 ? (double)int_of(found.value, "left") / (double)burst : 1;
			g_array_append_val(all, found);
		}
	}
	return print_table(view, of, all, most);
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
	columns_start(&table, 1);
	table.cut = (glong)view->width;
	columns_add(&table, line->str);
	for (guint i = 0; i < view->sources->len; i++)
		if (source_at(view, i)->why != NULL)
			columns_add(&table, source_at(view, i)->why);
	columns_finish(&table, true);
}

void
top_print(const top_view *view)
{
	static const layout buckets = {
		.heads = { "REPLICA", "BUCKET", "KEY", "LEFT", "BURST", "RATE" },
		.compare = compare_buckets,
		.fill = fill_bucket,
	};
	static const layout decisions = {
		.heads = { "REPLICA", "TIME", "VERDICT", "ABOUT", "BY", "WHY" },
		.scrolls = true,
		.compare = compare_decisions,
		.fill = fill_decision,
	};
	size_t rows = view->height / 4;
	size_t used;

	print_head(view);
	used = print_sums(view, "namespaces", "namespace", "NAMESPACE", rows);
	used += print_sums(view, "requesters", "requester", "REQUESTER", rows / 2);
	used += print_list(view, &buckets, "buckets", rows / 2);
	print_list(view, &decisions, "decisions", view->height + LINES_OF_HEADS - used);
}
