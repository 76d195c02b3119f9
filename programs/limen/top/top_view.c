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

/* On a narrower terminal, the reason of a decision stands below it. */
#define WIDE 120

/* Rows of a table that are read: a limend sends at most 201 of each, or it is none. */
#define TOLD_MAX 10000

enum { REFUSED, WOULD, ERRORS, ADMITTED, COUNTS };

static const char *const count_keys[COUNTS] = { "refused", "would-refuse", "errors", "admitted" };

/* A row of one limend; or the sums of a name, with the row of the limend that told of it last. */
typedef struct item {
	limen_value value;
	const char *replica;
	const char *name; /* the first cell */
	double rank;      /* the lowest comes first */
	int64_t counts[ADMITTED];
} item;

/* A table: a list of the answers, and the member of its elements in each column. */
typedef struct layout {
	const char *list;
	bool of_buckets;
	bool sums;
	bool scrolls;
	const char *keys[COLUMNS_MAX];
	const char *heads[COLUMNS_MAX]; /* the first for several limends, and not for sums */
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

static const top_source *
source_at(const top_view *view, guint index)
{
	return &g_array_index(view->sources, top_source, index);
}

/* ---- cells ---- */

/* Tells what a decision is about: "NAMESPACE KIND NAME", or a task's requester and type. */
static char *
print_subject(limen_value decision)
{
	static const char *const keys[] = { "namespace", "requester", "kind", "name" };
	GString *subject = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		const char *text = text_of(decision, keys[i]);

		if (text[0] != '\0')
			print_append(subject, "%s%s", subject->len > 0 ? " " : "", text);
	}
	return g_string_free(subject, FALSE);
}

static bool
is_time(const char *key)
{
	return strcmp(key, "time") == 0 || strcmp(key, "last") == 0;
}

static char *
print_cell(const item *from, const char *key)
{
	limen_value value = limen_value_get(from->value, key);
	limen_value violation = limen_value_at(limen_value_get(from->value, "violations"), 0);
	const char *text = limen_value_string(value, NULL);

	for (size_t i = 0; i < ADMITTED && limen_value_exists(value); i++)
		if (strcmp(key, count_keys[i]) == 0)
			return print_text("%" G_GINT64_FORMAT, from->counts[i]);
	if (limen_value_type(value) == LIMEN_TYPE_INTEGER)
		return print_text("%" G_GINT64_FORMAT, int_of(from->value, key));
	if (strcmp(key, "about") == 0)
		return print_subject(from->value);
	if (strcmp(key, "reason") == 0)
		return g_strdup(text_of(violation, key));
	/* A bucket of no entry in the policy has the name of its table. */
	if (text == NULL)
		return g_strdup(strcmp(key, "entry") == 0 ? text_of(from->value, "table") : "-");
	return is_time(key) && strlen(text) > 18 ? g_strndup(text + 11, 8) : g_strdup(text);
}

/* ---- rows ---- */

static gint
compare(gconstpointer a, gconstpointer b)
{
	const item *left = a;
	const item *right = b;
	int newer = strcmp(text_of(right->value, "time"), text_of(left->value, "time"));

	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	return newer != 0 ? newer : strcmp(left->name, right->name);
}

/* The fullest bucket and the name with most refusals come first, the rest comes last; decisions are equal. */
static double
rank_of(const layout *of, const item *from)
{
	if (of->of_buckets)
		return (double)int_of(from->value, "left") / (double)MAX(int_of(from->value, "burst"), 1);
	if (limen_value_exists(limen_value_get(from->value, "rest")))
		return G_MAXDOUBLE;
	return -((double)from->counts[REFUSED] + (double)from->counts[ERRORS]) - (double)from->counts[WOULD] / 1e9;
}

/* Adds a row, or its counts to the sums of its name. */
static void
add_row(GArray *rows, const layout *of, limen_value value, const char *replica)
{
	bool rest = limen_value_exists(limen_value_get(value, "rest"));
	const char *name = text_of(value, of->keys[0]);
	item fresh = { .value = value, .replica = replica };
	item *known = &fresh;

	fresh.name = !of->sums || name[0] != '\0' ? name : rest ? "(the rest)" : "(none)";
	for (guint i = 0; of->sums && i < rows->len && known == &fresh; i++)
		if (strcmp(g_array_index(rows, item, i).name, fresh.name) == 0)
			known = &g_array_index(rows, item, i);
	for (size_t i = 0; i < ADMITTED; i++)
		if (__builtin_add_overflow(known->counts[i], int_of(value, count_keys[i]), &known->counts[i]))
			known->counts[i] = INT64_MAX;
	if (strcmp(text_of(value, "last"), text_of(known->value, "last")) > 0)
		known->value = value;
	known->rank = rank_of(of, known);
	if (known == &fresh)
		g_array_append_val(rows, fresh);
}

static GArray *
collect(const top_view *view, const layout *of)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(item));

	for (guint i = 0; i < view->sources->len; i++) {
		const top_source *source = source_at(view, i);
		limen_value root = limen_documents_get(source->recent, 0);
		limen_value told = of->of_buckets ? limen_documents_get(source->buckets, 0) : root;
		limen_iter iter = limen_iter_start(limen_value_get(told, of->list));
		limen_value value;

		while (rows->len < TOLD_MAX && limen_iter_next(&iter, NULL, &value))
			add_row(rows, of, value, text_of(root, "replica"));
	}
	g_array_sort(rows, compare);
	return rows;
}

/* ---- tables ---- */

/* Adds the row to the table if it has the text of the view and no such row is to be skipped. */
static void
show_row(const top_view *view, const layout *of, const item *from, size_t *skipped, columns *table)
{
	size_t count = g_strv_length((char **)of->heads);
	g_auto(GStrv) cells = g_new0(char *, count + 1);
	g_autofree char *joined = NULL;

	cells[0] = g_strdup(from->replica);
	cells[1] = of->sums ? g_strdup(from->name) : print_cell(from, of->keys[0]);
	for (size_t i = 2; i < count; i++)
		cells[i] = print_cell(from, of->keys[i - 1]);
	joined = g_strjoinv(" ", cells);
	if (strstr(joined, view->text) == NULL)
		return;
	if (*skipped == 0)
		columns_add_row(table, (const char *const *)cells + count - table->count);
	else
		(*skipped)--;
}

/* Prints a table below an empty line, if it has rows, on at most 'most' lines; returns its lines. */
static size_t
print_table(const top_view *view, const layout *of, size_t most)
{
	g_autoptr(GArray) rows = collect(view, of);
	size_t first = of->sums || view->sources->len == 1;
	size_t skipped = of->scrolls ? view->skipped : 0;
	size_t lines;
	columns table;

	columns_start(&table, g_strv_length((char **)of->heads) - first);
	table.cut = (glong)view->width;
	table.below = of->scrolls && view->width > 0 && view->width < WIDE;
	most = table.below ? most / 2 : most;
	columns_add_row(&table, of->heads + first);
	for (guint i = 0; i < rows->len && table.cells->len / table.count <= most; i++)
		show_row(view, of, &g_array_index(rows, item, i), &skipped, &table);
	lines = table.cells->len / table.count;
	if (lines > 1)
		puts(view->width > 0 ? "\033[K" : "");
	columns_finish(&table, lines > 1);
	return lines > 1 ? lines + 1 : 0;
}

static void
print_head(const top_view *view)
{
	double rates[COUNTS] = { 0 };
	g_autofree char *line = NULL;
	columns table;

	for (guint i = 0; i < view->sources->len * COUNTS; i++) {
		limen_value answer = limen_documents_get(source_at(view, i / COUNTS)->recent, 0);
		limen_value told = limen_value_get(limen_value_get(answer, "rates"), count_keys[i % COUNTS]);
		double rate;

		if (limen_value_real(told, &rate))
			rates[i % COUNTS] += rate;
	}
	line = print_text("a second: %.1f admitted, %.1f refused, %.1f would be refused, %.1f errors%s%s",
	                  rates[ADMITTED], rates[REFUSED], rates[WOULD], rates[ERRORS],
	                  view->note[0] == '\0' ? "" : "  ", view->note);
	columns_start(&table, 1);
	table.cut = (glong)view->width;
	columns_add(&table, line);
	for (guint i = 0; i < view->sources->len; i++)
		if (source_at(view, i)->why != NULL)
			columns_add(&table, source_at(view, i)->why);
	columns_finish(&table, true);
}

void
top_print(const top_view *view)
{
	static const layout tables[] = {
		{ .list = "namespaces", .sums = true,
		  .keys = { "namespace", "refused", "would-refuse", "errors", "last" },
		  .heads = { "", "NAMESPACE", "REFUSED", "WOULD", "ERRORS", "LAST" } },
		{ .list = "requesters", .sums = true,
		  .keys = { "requester", "refused", "would-refuse", "errors", "last" },
		  .heads = { "", "REQUESTER", "REFUSED", "WOULD", "ERRORS", "LAST" } },
		{ .list = "buckets", .of_buckets = true,
		  .keys = { "entry", "shown", "left", "burst", "refused", "rate" },
		  .heads = { "REPLICA", "BUCKET", "KEY", "LEFT", "BURST", "REFUSED", "RATE" } },
		{ .list = "decisions", .scrolls = true,
		  .keys = { "time", "verdict", "about", "entry", "reason" },
		  .heads = { "REPLICA", "TIME", "VERDICT", "ABOUT", "BY", "WHY" } },
	};
	size_t rows = view->height / 4;
	size_t used;

	print_head(view);
	used = print_table(view, &tables[0], rows);
	used += print_table(view, &tables[1], rows / 2);
	used += print_table(view, &tables[2], rows / 2);
	print_table(view, &tables[3], view->height + LINES_OF_HEADS - used);
}
