/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - collects the results of a command and prints them as JUnit XML, or as workflow
 * commands of GitHub, which shows them beside the lines of a change.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/markup.h"

static void
clear_remark(gpointer data)
{
	report_remark *remark = data;

	g_free(remark->message);
	g_free(remark->details);
	g_free(remark->place);
	g_free(remark->expected);
	g_free(remark->found);
	g_free(remark->because);
	free(remark->trace);
}

report_case
report_case_make(char *name)
{
	report_case entry = { .name = name,
		              .microseconds = -1,
		              .remarks = g_array_new(FALSE, FALSE, sizeof(report_remark)) };

	g_array_set_clear_func(entry.remarks, clear_remark);
	return entry;
}

void
report_case_clear(report_case *entry)
{
	g_array_unref(entry->remarks);
	g_free(entry->name);
	g_free(entry->place);
	g_free(entry->why);
}

static void
free_case(gpointer data)
{
	report_case_clear(data);
	g_free(data);
}

static void
free_suite(gpointer data)
{
	report_suite *suite = data;

	g_ptr_array_unref(suite->cases);
	g_free(suite->file);
	g_free(suite);
}

report *
report_new(void)
{
	return g_ptr_array_new_with_free_func(free_suite);
}

report_suite *
report_add_suite(report *self, const char *file)
{
	report_suite *suite = g_new(report_suite, 1);

	*suite = (report_suite){ g_strdup(file), g_ptr_array_new_with_free_func(free_case) };
	g_ptr_array_add(self, suite);
	return suite;
}

report_case *
report_add_case(report_suite *suite, const char *name)
{
	report_case *entry = g_new(report_case, 1);

	*entry = report_case_make(g_strdup(name));
	g_ptr_array_add(suite->cases, entry);
	return entry;
}

report_remark *
report_add_remark(report_case *entry, char *message, char *details)
{
	g_array_append_vals(entry->remarks,
	                    &(report_remark){ .message = message, .details = details }, 1);
	return &g_array_index(entry->remarks, report_remark, entry->remarks->len - 1);
}

void
report_add_problems(report_case *entry, const limen_diag *diag)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		report_remark *remark = report_add_remark(entry, g_strdup(problem->text), NULL);

		remark->line = problem->line;
		remark->column = problem->column;
		remark->warning = problem->severity != LIMEN_SEVERITY_PROBLEM;
	}
}

void
report_count(const report_suite *suite, size_t counts[REPORT_OUTCOMES])
{
	for (guint i = 0; i < suite->cases->len; i++)
		counts[((const report_case *)g_ptr_array_index(suite->cases, i))->outcome]++;
}

/* ---- JUnit ---- */

/* The attributes with the counts. */
#define COUNTS " tests=\"%u\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n"

static void
print_case(const report_suite *suite, const report_case *entry)
{
	markup_print("    <testcase classname=\"%s\" name=\"%s\"", suite->file, entry->name);
	if (entry->microseconds >= 0)
		printf(" time=\"%.6f\"", (double)entry->microseconds / 1e6);
	if (entry->outcome == REPORT_PASSED) {
		fputs("/>\n", stdout);
		return;
	}
	fputs(">\n", stdout);
	for (guint i = 0; entry->outcome == REPORT_FAILED && i < entry->remarks->len; i++) {
		const report_remark *remark = &g_array_index(entry->remarks, report_remark, i);

		bool because = remark->because != NULL;

		if (remark->warning)
			continue;
		markup_print("      <failure message=\"%s\">%s", remark->message, remark->details);
		if (remark->expected != NULL)
			markup_print("%s\nexpected %s\nfound %s%s%s", remark->place,
			             remark->expected, remark->found, because ? "\nbecause " : "",
			             remark->because);
		fputs("</failure>\n", stdout);
	}
	if (entry->outcome != REPORT_FAILED)
		markup_print("      <%s message=\"%s\"/>\n",
		             entry->outcome == REPORT_SKIPPED ? "skipped" : "error", entry->why);
	fputs("    </testcase>\n", stdout);
}

void
report_print_junit(const report *self)
{
	size_t counts[REPORT_OUTCOMES] = { 0 };
	guint total = 0;

	for (guint i = 0; i < self->len; i++) {
		const report_suite *suite = g_ptr_array_index(self, i);

		report_count(suite, counts);
		total += suite->cases->len;
	}
	markup_print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" COUNTS, total,
	             counts[REPORT_FAILED], counts[REPORT_BROKEN], counts[REPORT_SKIPPED]);
	for (guint i = 0; i < self->len; i++) {
		const report_suite *suite = g_ptr_array_index(self, i);
		size_t own[REPORT_OUTCOMES] = { 0 };

		report_count(suite, own);
		markup_print("  <testsuite name=\"%s\"" COUNTS, suite->file, suite->cases->len,
		             own[REPORT_FAILED], own[REPORT_BROKEN], own[REPORT_SKIPPED]);
		for (guint k = 0; k < suite->cases->len; k++)
			print_case(suite, g_ptr_array_index(suite->cases, k));
		fputs("  </testsuite>\n", stdout);
	}
	puts("</testsuites>");
}

/* ---- GitHub ---- */

/* Prints a text of a workflow command: '%' and line ends are escaped, and also 'more'. */
static void
print_escaped(const char *text, const char *more)
{
	char *valid = g_utf8_make_valid(text, -1);

	for (const char *at = valid; *at != '\0'; at++)
		if (*at == '%' || (unsigned char)*at < ' ' || strchr(more, *at) != NULL)
			printf("%%%02X", (unsigned)*at);
		else
			putchar(*at);
	g_free(valid);
}

static void
print_annotation(const report_suite *suite, const report_case *entry, const report_remark *remark)
{
	printf("::%s file=", remark->warning ? "warning" : "error");
	print_escaped(suite->file, ":,");
	if (remark->line > 0)
		printf(",line=%u", remark->line);
	if (remark->line > 0 && remark->column > 0)
		printf(",col=%u", remark->column);
	fputs(",title=", stdout);
	print_escaped(entry->name, ":,");
	fputs("::", stdout);
	print_escaped(remark->message, "");
	putchar('\n');
}

void
report_print_github(const report *self)
{
	for (guint i = 0; i < self->len; i++) {
		const report_suite *suite = g_ptr_array_index(self, i);

		for (guint k = 0; k < suite->cases->len; k++) {
			const report_case *entry = g_ptr_array_index(suite->cases, k);
			const report_remark why = { .message = entry->why };

			for (guint r = 0; r < entry->remarks->len; r++)
				print_annotation(suite, entry,
				                 &g_array_index(entry->remarks, report_remark, r));
			if (entry->outcome == REPORT_BROKEN && entry->remarks->len == 0)
				print_annotation(suite, entry, &why);
		}
	}
}
