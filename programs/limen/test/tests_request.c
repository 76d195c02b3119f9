/* SPDX-License-Identifier: Apache-2.0 */
#include "tests_request.h"

#include <stdlib.h>
#include <string.h>

#include "ask/ask.h"
#include "ask/text_kind.h"
#include "cli/input.h"
#include "common/hints.h"
#include "common/json_out.h"
#include "policy/policy.h"
#include "policy/problems.h"
#include "tests_policy.h"

void
tests_request_clear(tests_request *self)
{
	limen_request_free(self->request);
}

/* ---- the text of the request ---- */

/* Which layer has 'key': 0 is the row, LAYERS + 1 none. */
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

/* Returns the one document of a file as JSON, to g_free(). */
static char *
read_file(const test_file *file, const char *name, char **why)
{
	char *path = tests_policy_path(file, name);
	GString *content = input_read(path, why);
	limen_diag *diag = policy_diag();
	limen_documents *parsed = NULL;
	char *printed = NULL;
	char *text = NULL;

	if (content != NULL &&
	    limen_documents_parse(path, content->str, content->len, 0, &parsed, diag) != LIMEN_OK)
		*why = g_strdup_printf("%s: %s", path, problems_first(diag, "out of memory"));
	else if (content != NULL && limen_documents_count(parsed) != 1)
		*why = g_strdup_printf("%s: the file holds %zu documents and not one", path,
		                       limen_documents_count(parsed));
	else if (content != NULL)
		printed = limen_value_print(limen_documents_get(parsed, 0), 0, NULL);
	text = g_strdup(printed);
	free(printed);
	limen_documents_free(parsed);
	limen_diag_free(diag);
	if (content != NULL)
		g_string_free(content, TRUE);
	g_free(path);
	return text;
}

static char *
find_text(const test_file *file, const test_view *view, char **why)
{
	int own = find_layer(view, "request");
	int named = find_layer(view, "requestFile");
	char *text;

	if (own == named && own <= LAYERS) {
		*why = g_strdup("'request' and 'requestFile' exclude each other");
		return NULL;
	}
	if (named < own)
		return read_file(file, limen_value_string(tests_find(view, "requestFile"), NULL),
		                 why);
	text = tests_text(view, "request");
	if (text == NULL)
		*why = g_strdup("there is no 'request'");
	return text;
}

/* ---- settings ---- */

static bool
looks_like_object(const char *text)
{
	limen_documents *parsed = NULL;
	bool object = limen_documents_parse("request.json", text, strlen(text), 0, &parsed,
	                                    NULL) == LIMEN_OK &&
	              text_kind_is_object(limen_documents_get(parsed, 0));

	limen_documents_free(parsed);
	return object;
}

static bool
choose_subject(const test_view *view, const char *text, ask_settings *ask, char **why)
{
	limen_value subject = tests_find(view, "subject");

	if (limen_value_is(subject, "task"))
		ask->subject = ASK_TASK;
	else if (limen_value_is(subject, "object"))
		ask->subject = ASK_OBJECT;
	else if (!limen_value_exists(subject))
		ask->subject = looks_like_object(text) ? ASK_OBJECT : ASK_TASK;
	else
		*why = g_strdup("'subject' must be task or object");
	return *why == NULL;
}

static limen_switch
read_switch(const test_view *view, const char *key)
{
	bool on = false;

	if (!limen_value_bool(tests_find(view, key), &on))
		return LIMEN_AUTO;
	return on ? LIMEN_ON : LIMEN_OFF;
}

static bool
read_phase(const test_view *view, limen_phase *out, char **why)
{
	limen_value phase = tests_find(view, "phase");

	if (limen_value_is(phase, "mutate"))
		*out = LIMEN_PHASE_MUTATE;
	else if (limen_value_is(phase, "validate"))
		*out = LIMEN_PHASE_VALIDATE;
	else if (limen_value_exists(phase))
		*why = g_strdup("'phase' must be mutate or validate");
	return *why == NULL;
}

/* "run: false" of a test undoes the "run" of its defaults, unless its row says start or duration. */
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
read_settings(const test_view *view, const char *text, limen_time now, ask_settings *ask,
              char **why)
{
	*ask = (ask_settings){ .rewrite = read_switch(view, "rewrite"),
		               .prioritize = read_switch(view, "prioritize"),
		               .dry_run = read_switch(view, "dryRun") == LIMEN_ON,
		               .as_received = read_switch(view, "asReceived") == LIMEN_ON,
		               .namespace = limen_value_string(tests_find(view, "namespace"), NULL),
		               .hint_object = limen_value_none(),
		               .has_time = true,
		               .time = now };
	read_run(view, ask);
	return choose_subject(view, text, ask, why) && read_phase(view, &ask->phase, why);
}

/* ---- what an object comes with ---- */

static bool
set_text(limen_request *req, limen_value value, limen_field field, const char *hint)
{
	const char *text = limen_value_string(value, NULL);

	return text == NULL || (limen_request_set_field(req, field, text) == LIMEN_OK &&
	                        limen_request_set_hint(req, hint, text) == LIMEN_OK);
}

static bool
set_groups(limen_request *req, limen_value groups)
{
	limen_iter iter = limen_iter_start(groups);
	limen_value group;
	bool good = true;

	if (!limen_value_exists(groups))
		return true;
	while (good && limen_iter_next(&iter, NULL, &group)) {
		size_t length = 0;
		const char *text = limen_value_string(group, &length);

		good = text != NULL && strlen(text) == length &&
		       limen_request_add_group(req, text) == LIMEN_OK;
	}
	return good && hints_add_list(req, "groups", groups);
}

/* As an AdmissionReview would have it. */
static bool
set_envelope(limen_request *req, const test_view *view, char **why)
{
	static const char *const keys[] = { "user", "groups", "operation", "oldObject" };
	limen_value old = tests_find(view, "oldObject");

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (limen_request_subject(req) == LIMEN_TASK &&
		    limen_value_exists(tests_find(view, keys[i]))) {
			*why = g_strdup_printf("'%s' is for objects, and this is a task", keys[i]);
			return false;
		}
	if (set_text(req, tests_find(view, "user"), LIMEN_FIELD_USER, "user") &&
	    set_text(req, tests_find(view, "operation"), LIMEN_FIELD_OPERATION, "operation") &&
	    set_groups(req, tests_find(view, "groups")) &&
	    (!limen_value_exists(old) || limen_request_set_old(req, old) == LIMEN_OK))
		return true;
	*why = g_strdup("'user', 'groups' and 'operation' must be strings");
	return false;
}

/* Appends the hints that are cells of the row, that of the first column last: it counts. */
static void
append_cells(GString *json, const test_view *view)
{
	static const char prefix[] = "/hints";

	for (guint i = view->columns->len; i > 0; i--) {
		limen_value cell = limen_value_at(view->cells, i - 1);
		const char *pointer = g_ptr_array_index(view->columns, i - 1);
		const char *rest;
		char *name;

		if (!g_str_has_prefix(pointer, prefix))
			continue;
		rest = pointer + strlen(prefix);
		if (limen_value_type(cell) == LIMEN_TYPE_OBJECT && *rest == '\0')
			hints_append(json, cell);
		if (limen_value_type(cell) != LIMEN_TYPE_STRING || *rest != '/')
			continue;
		name = tests_take_token(&rest);
		json_key(json, name);
		json_value(json, cell);
		g_free(name);
	}
}

/* Later hints win, so those of the defaults come first. */
static bool
set_hints(limen_request *req, const test_view *view)
{
	GString *json = g_string_new("{");
	bool good;

	hints_append(json, limen_request_hints(req));
	for (int i = LAYERS; i > 0; i--) {
		limen_value hints = limen_value_get(view->layers[i - 1], "hints");

		if (limen_value_exists(hints))
			hints_append(json, hints);
	}
	if (view->columns != NULL)
		append_cells(json, view);
	g_string_append_c(json, '}');
	good = hints_set_json(req, json);
	g_string_free(json, TRUE);
	return good;
}

bool
tests_request_make(tests_request *out, const test_file *file, const test_view *view,
                   limen_time now, char **why)
{
	char *text = find_text(file, view, why);
	limen_diag *diag = policy_diag();
	ask_settings ask = { 0 };

	*out = (tests_request){ .request = NULL };
	if (text != NULL && read_settings(view, text, now, &ask, why))
		out->request = ask_read(&ask, text, strlen(text), diag, why);
	if (out->request == NULL && *why == NULL)
		*why = g_strdup(problems_first(diag, "out of memory"));
	if (out->request != NULL) {
		out->options = (limen_decide_options){ .size = sizeof(out->options),
			                               .rewrite = ask.rewrite,
			                               .prioritize = ask.prioritize,
			                               .diagnostics = true,
			                               .phase = ask.phase };
		if (set_envelope(out->request, view, why) && !set_hints(out->request, view))
			*why = g_strdup("the hints cannot be taken over");
	}
	limen_diag_free(diag);
	g_free(text);
	return out->request != NULL && *why == NULL;
}
