/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_request.c - builds the request and the decide options of a test: reads its document,
 * settings, AdmissionReview fields and hints.  A cell of the row overrides the step, the step
 * overrides the test, and the test overrides the defaults.
 */
#include <string.h>

#include "ask/ask.h"
#include "cli/auto.h"
#include "cli/input.h"
#include "policy/policy.h"
#include "policy/problems.h"
#include "tests.h"

/* ---- the document ---- */

/* Returns the layer that has 'key': 0 is the row, LAYERS + 1 means none. */
static int
find_layer(const test_view *view, const char *key)
{
	test_view row = { .columns = view->columns, .cells = view->cells };

	if (limen_value_exists(tests_find(&row, key)))
		return 0;
	for (int i = 0; i < LAYERS; i++)
		if (limen_value_exists(limen_value_get(view->layers[i], key)))
			return i + 1;
	return LAYERS + 1;
}

/* Reads the only document of a file; '*parsed' owns it.  Returns none with '*why'. */
static limen_value
read_file(const test_file *file, const char *name, limen_documents **parsed, char **why)
{
	g_autofree char *path = tests_policy_path(file, name);
	g_autoptr(GString) content = input_read(path, why);
	g_autoptr(limen_diag) diag = policy_diag();

	if (content == NULL)
		return limen_value_none();
	if (limen_documents_parse(path, content->str, content->len, 0, parsed, diag) != LIMEN_OK)
		*why = g_strdup_printf("%s: %s", path, problems_first(diag, "out of memory"));
	else if (limen_documents_count(*parsed) != 1)
		*why = g_strdup_printf("%s: the file holds %zu documents and not one", path,
		                       limen_documents_count(*parsed));
	return limen_documents_get(*parsed, 0);
}

/* Returns the key of the request, in the first layer that has one, or NULL with '*why'. */
static const char *
find_key(const test_view *view, char **why)
{
	static const char *const keys[] = { "request", "task", "object", "requestFile" };
	const char *found = "request";
	int nearest = LAYERS + 1;

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		int layer = tests_has_below(view, keys[i]) ? 0 : find_layer(view, keys[i]);

		if (layer == nearest && layer <= LAYERS) {
			*why = g_strdup_printf("'%s' and '%s' exclude each other", found, keys[i]);
			return NULL;
		}
		if (layer < nearest) {
			found = keys[i];
			nearest = layer;
		}
	}
	return found;
}

/*
 * Returns the document of the request; '*parsed' may own it, and '*key' says what it is called.
 * Returns none with '*why'.
 */
static limen_value
find_document(const test_file *file, const test_view *view, limen_documents **parsed,
              const char **key, char **why)
{
	limen_value found;

	*key = find_key(view, why);
	if (*key == NULL)
		return limen_value_none();
	if (strcmp(*key, "requestFile") == 0)
		return read_file(file, limen_value_string(tests_find(view, *key), NULL), parsed,
		                 why);
	found = tests_whole(view, *key, parsed, why);
	if (!limen_value_exists(found) && *why == NULL)
		*why = g_strdup("'request' is missing");
	return found;
}

/* ---- settings ---- */

static bool
choose_subject(const test_view *view, const char *key, limen_value document, ask_settings *ask,
               char **why)
{
	limen_value subject = tests_find(view, "subject");

	if (strcmp(key, "task") == 0 || limen_value_is(subject, "task"))
		ask->subject = ASK_TASK;
	else if (strcmp(key, "object") == 0 || limen_value_is(subject, "object"))
		ask->subject = ASK_OBJECT;
	else if (!limen_value_exists(subject))
		ask->subject = ask_is_object(document) ? ASK_OBJECT : ASK_TASK;
	else
		*why = g_strdup("'subject' must be task or object");
	return *why == NULL;
}

static bool
read_phase(const test_view *view, uint32_t *out, char **why)
{
	limen_value phase = tests_find(view, "phase");

	if (limen_value_exists(phase) && !ask_parse_phase(limen_value_string(phase, NULL), out))
		*why = g_strdup("'phase' must be mutate or validate");
	return *why == NULL;
}

/*
 * Reads "run".  A false "run" of a test overrides its defaults, unless the row sets start or
 * duration.
 */
static void
read_run(const test_view *view, ask_settings *ask)
{
	const test_view row = { .columns = view->columns, .cells = view->cells };
	limen_value run = tests_find(view, "run");
	bool on = limen_value_exists(run);

	limen_value_bool(run, &on);
	if (!on)
		view = &row;
	ask->start = limen_value_string(tests_member(view, "run", "start"), NULL);
	ask->duration = limen_value_string(tests_member(view, "run", "duration"), NULL);
	ask->run = on || ask->start != NULL || ask->duration != NULL;
}

static bool
is_on(const test_view *view, const char *key)
{
	return ask_read_switch(tests_find(view, key)) == LIMEN_SWITCH_ON;
}

static bool
read_settings(const test_view *view, const char *key, limen_value document, limen_time now,
              ask_settings *ask, char **why)
{
	*ask = (ask_settings){ .decide = { .size = sizeof(ask->decide),
		                           .rewrite = ask_read_switch(tests_find(view, "rewrite")),
		                           .prioritize = ask_read_switch(tests_find(view, "prioritize")),
		                           .diagnostics = true },
		               .dry_run = is_on(view, "dryRun"),
		               .as_received = is_on(view, "asReceived"),
		               .namespace = limen_value_string(tests_find(view, "namespace"), NULL),
		               .has_time = true,
		               .time = now };
	read_run(view, ask);
	return choose_subject(view, key, document, ask, why) && read_phase(view, &ask->decide.phase, why);
}

/* ---- the envelope and hints ---- */

/* Sets the fields that an AdmissionReview would have. */
static bool
set_envelope(limen_request *req, const test_view *view, limen_diag *diag, char **why)
{
	static const char *const keys[] = { "operation", "user", "groups", "oldObject" };
	limen_value given[G_N_ELEMENTS(keys)];
	limen_type old;

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		given[i] = tests_find(view, keys[i]);
		if (limen_request_subject(req) == LIMEN_SUBJECT_TASK && limen_value_exists(given[i]))
			*why = g_strdup_printf("'%s' is for objects, and this is a task", keys[i]);
		if (*why != NULL)
			return false;
	}
	old = limen_value_type(given[3]);
	if (old > LIMEN_TYPE_NULL && old != LIMEN_TYPE_OBJECT)
		*why = g_strdup("'oldObject' must be an object");
	else if ((old == LIMEN_TYPE_OBJECT && limen_request_set_old(req, given[3]) != LIMEN_OK) ||
	         limen_request_claim(req, given[0], given[1], given[2], diag) != LIMEN_OK)
		*why = g_strdup(problems_first(diag, "out of memory"));
	return *why == NULL;
}

/* Sets the hints in the row, from the last column to the first: the first one of a name wins. */
static int
set_cells(limen_request *req, const test_view *view)
{
	static const char prefix[] = "/hints";
	int result = LIMEN_OK;

	for (guint i = view->columns == NULL ? 0 : view->columns->len; i > 0; i--) {
		limen_value cell = limen_value_at(view->cells, i - 1);
		const char *pointer = g_ptr_array_index(view->columns, i - 1);
		const char *rest = pointer + strlen(prefix);

		if (!g_str_has_prefix(pointer, prefix))
			continue;
		if (limen_value_type(cell) == LIMEN_TYPE_OBJECT && *rest == '\0')
			result |= limen_request_set_hints(req, cell);
		if (limen_value_type(cell) == LIMEN_TYPE_STRING && *rest == '/') {
			g_autofree char *name = tests_take_token(&rest);

			result |= limen_request_set_hint_list(
				req, &(limen_hint){ .name = name, .value = cell }, 1);
		}
	}
	return result;
}

/* Sets the hints of all layers, defaults first: later hints win. */
static bool
set_hints(limen_request *req, const test_view *view)
{
	int result = LIMEN_OK;

	for (int i = LAYERS; i > 0; i--) {
		limen_value hints = limen_value_get(view->layers[i - 1], "hints");

		if (limen_value_type(hints) == LIMEN_TYPE_OBJECT)
			result |= limen_request_set_hints(req, hints);
	}
	return (result | set_cells(req, view)) == LIMEN_OK;
}

bool
tests_request_make(ask_case *out, const test_file *file, const test_view *view,
                   limen_time now, char **why)
{
	g_autoptr(limen_documents) parsed = NULL;
	g_autoptr(limen_diag) diag = policy_diag();
	const char *key = NULL;
	limen_value document = find_document(file, view, &parsed, &key, why);
	ask_settings ask = { 0 };

	*out = (ask_case){ .request = NULL };
	if (*why == NULL && read_settings(view, key, document, now, &ask, why))
		out->request = ask_read(&ask, document, diag, why);
	out->options = ask.decide;
	if (out->request == NULL && *why == NULL)
		*why = g_strdup(problems_first(diag, "out of memory"));
	if (*why == NULL && set_envelope(out->request, view, diag, why) &&
	    !set_hints(out->request, view))
		*why = g_strdup("the hints cannot be taken over");
	return *why == NULL;
}
