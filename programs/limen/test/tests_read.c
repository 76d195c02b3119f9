/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_read.c - finds test files in directories by their names, reads them, and makes a test of each row of a table.
 */
#include <string.h>

#include "cli/input.h"
#include "cli/sources.h"
#include "policy/problems.h"
#include "policy/policy.h"
#include "tests.h"

/* ---- finding files ---- */

static const char *const endings[] = { ".test.yaml", ".test.yml", ".test.json",
	                               "_test.yaml", "_test.yml", "_test.json" };

static bool
is_test_file(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(name, endings[i]) && strlen(name) > strlen(endings[i]))
			return true;
	return false;
}

GPtrArray *
tests_find_files(char **arguments)
{
	char *here[] = { ".", NULL };

	return sources_find(arguments == NULL ? here : arguments, is_test_file);
}

/* ---- freeing ---- */

static void
free_case(gpointer data)
{
	test_case *test = data;

	report_case_clear(&test->result);
	g_array_free(test->met, TRUE);
	g_free(test);
}

void
tests_free(gpointer data)
{
	test_file *file = data;

	g_ptr_array_unref(file->suite.cases);
	g_ptr_array_unref(file->others);
	g_ptr_array_unref(file->tables);
	limen_documents_free(file->parsed);
	limen_diag_free(file->diag);
	if (file->text != NULL)
		g_string_free(file->text, TRUE);
	g_free(file->suite.file);
	g_free(file->why);
	g_free(file);
}

/* ---- one test ---- */

char *
tests_place(limen_value value)
{
	char *place = problems_place_of(value, NULL);

	return place == NULL ? g_strdup("?") : place;
}

/* Returns the name of a test; for a row, the name of the table and its own name or number. */
static char *
make_name(const test_view *view, limen_value test, size_t number)
{
	const char *base = limen_value_string(limen_value_get(test, "name"), NULL);
	const char *own = limen_value_string(tests_find(view, "name"), NULL);
	bool named = base != NULL && base[0] != '\0';

	if (view->columns == NULL)
		return g_strdup(base == NULL ? "" : base);
	if (own != NULL && own != base)
		return g_strconcat(named ? base : "", named ? ": " : "", own, NULL);
	return g_strdup_printf("%s%srow %zu", named ? base : "", named ? ", " : "", number);
}

static void
check_steps(const test_case *test, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(test->steps);
	bool expects = tests_expects(&test->view);
	limen_value step;

	while (limen_iter_next(&iter, NULL, &step)) {
		test_view view = test->view;

		view.layers[LAYER_STEP] = step;
		tests_check_object(step, IN_STEP, "a step", diag);
		expects = expects || tests_expects(&view);
	}
	if (limen_value_exists(test->steps) && limen_value_count(test->steps) == 0)
		limen_diag_refuse(diag, test->steps, "there are no steps");
	else if (!expects)
		limen_diag_refuse(diag, test->where, "the test expects nothing");
}

static void
add_case(test_file *file, limen_value value, limen_value where, const test_view *view, size_t number)
{
	test_case *test = g_new(test_case, 1);

	*test = (test_case){ .result = report_case_make(make_name(view, value, number)),
		             .file = file,
		             .where = where,
		             .view = *view,
		             .steps = limen_value_get(value, "steps"),
		             .met = g_array_new(FALSE, FALSE, sizeof(limen_value)) };
	test->result.place = tests_place(where);
	test->result.microseconds = 0;
	if (test->result.name[0] == '\0')
		limen_diag_refuse(file->diag, where, "the test has no 'name'");
	check_steps(test, file->diag);
	g_ptr_array_add(file->suite.cases, test);
}

/* ---- tables ---- */

static GPtrArray *
read_columns(test_file *file, limen_value headings)
{
	GPtrArray *columns = g_ptr_array_new_with_free_func(g_free);
	limen_iter iter = limen_iter_start(headings);
	limen_value heading;
	bool good = true;

	while (limen_iter_next(&iter, NULL, &heading)) {
		char *pointer = tests_read_column(heading, file->diag);

		good = good && pointer != NULL;
		g_ptr_array_add(columns, pointer);
	}
	g_ptr_array_add(file->tables, columns);
	return good ? columns : NULL;
}

static bool
check_row(test_file *file, const GPtrArray *columns, limen_value row)
{
	limen_iter iter = limen_iter_start(row);
	limen_value cell;
	bool good = true;

	if (limen_value_type(row) != LIMEN_TYPE_ARRAY || limen_value_count(row) != columns->len)
		return limen_diag_refuse(file->diag, row,
		                         "a row must be an array of %u, one cell a column",
		                         columns->len);
	for (guint i = 0; limen_iter_next(&iter, NULL, &cell); i++)
		good = tests_check_cell(g_ptr_array_index(columns, i), cell, file->diag) && good;
	return good;
}

static void
add_table(test_file *file, limen_value test, test_view *view)
{
	limen_value rows = limen_value_get(test, "rows");
	limen_value headings = limen_value_get(test, "columns");
	limen_iter iter = limen_iter_start(rows);

	if (limen_value_count(rows) == 0 || limen_value_count(headings) == 0) {
		limen_diag_refuse(file->diag, test, "a table needs both 'columns' and 'rows'");
		return;
	}
	view->columns = read_columns(file, headings);
	for (size_t number = 1; limen_iter_next(&iter, NULL, &view->cells); number++)
		if (view->columns != NULL && check_row(file, view->columns, view->cells))
			add_case(file, test, view->cells, view, number);
}

/* ---- files ---- */

static void
add_test(test_file *file, limen_value test, limen_value defaults)
{
	test_view view = { .layers = { [LAYER_TEST] = test, [LAYER_DEFAULTS] = defaults } };

	if (!tests_check_object(test, IN_TEST, "a test", file->diag))
		return;
	if (limen_value_exists(limen_value_get(test, "columns")) ||
	    limen_value_exists(limen_value_get(test, "rows")))
		add_table(file, test, &view);
	else
		add_case(file, test, test, &view, 0);
}

static void
read_root(test_file *file)
{
	limen_value defaults = limen_value_get(file->root, "defaults");
	limen_value tests = limen_value_get(file->root, "tests");
	limen_value test;

	if (tests_check_object(file->root, IN_FILE, "a file of tests", file->diag) &&
	    !limen_value_exists(tests))
		limen_diag_refuse(file->diag, file->root, "'tests' is missing");
	if (limen_value_exists(defaults))
		tests_check_object(defaults, IN_DEFAULTS, "'defaults'", file->diag);
	for (limen_iter iter = limen_iter_start(tests); limen_iter_next(&iter, NULL, &test);)
		add_test(file, test, defaults);
	if (limen_value_type(tests) == LIMEN_TYPE_ARRAY && limen_value_count(tests) == 0)
		limen_diag_refuse(file->diag, tests, "there are no tests");
}

test_file *
tests_read(const char *path)
{
	test_file *file = g_new(test_file, 1);
	int result;

	*file = (test_file){ .suite = { g_strdup(path), g_ptr_array_new_with_free_func(free_case) },
		             .diag = policy_diag(),
		             .others = g_ptr_array_new_with_free_func(free_case),
		             .tables = g_ptr_array_new_with_free_func(
				     (GDestroyNotify)g_ptr_array_unref) };
	file->text = input_read(path, &file->why);
	if (file->text == NULL)
		return file;
	result = limen_documents_parse(path, file->text->str, file->text->len,
	                               LIMEN_DOCUMENTS_NOTE_REPEATED, &file->parsed, file->diag);
	if (result != LIMEN_OK && limen_diag_count(file->diag, LIMEN_SEVERITY_PROBLEM) == 0)
		file->why = g_strdup_printf("%s: %s", path, limen_result_text((limen_result)result));
	else if (result == LIMEN_OK && limen_documents_count(file->parsed) != 1)
		file->why = g_strdup_printf("%s: a file of tests is one document", path);
	if (result != LIMEN_OK || file->why != NULL)
		return file;
	file->root = limen_documents_get(file->parsed, 0);
	read_root(file);
	return file;
}
