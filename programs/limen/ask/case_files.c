/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case_files.c - parses a file as a task or as JSON or YAML documents and makes a case of each
 * object in it and of what workloads would make.
 */
#include <limen/documents.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "common/auto.h"
#include "cli/input.h"
#include "common/objects.h"

/* State while one file is read. */
typedef struct reading {
	const ask_settings *settings;
	limen_engine *engine; /* with the policy that names kinds of workloads */
	limen_diag *diag;
	char **why;
	GPtrArray *cases;
	ask_case *last; /* the object that was added last, which templates may follow */
	size_t document;
	bool failed;
} reading;

static void
free_case(gpointer data)
{
	ask_case *item = data;

	limen_request_free(item->request);
	g_free(item->label);
	g_free(item->pointer);
	g_free(item->field);
	g_free(item);
}

static void
fail(reading *run, int result)
{
	run->failed = true;
	if (*run->why == NULL && limen_diag_count(run->diag, LIMEN_SEVERITY_PROBLEM) == 0)
		*run->why = g_strdup(limen_result_text((limen_result)result));
}

/* Adds the case of 'req'; returns NULL if that is NULL.  The texts are those of the case. */
static ask_case *
add_case(reading *run, limen_request *req, const char *pointer, const char *field)
{
	ask_case *item;

	run->failed = run->failed || req == NULL;
	if (req == NULL)
		return NULL;
	item = g_new(ask_case, 1);
	*item = case_of(req, &run->settings->decide);
	item->document = run->document;
	item->pointer = g_strdup(pointer);
	item->field = g_strdup(field);
	g_ptr_array_add(run->cases, item);
	return item;
}

/* ---- tasks ---- */

/* Returns true if the file 'name' (NULL: unknown) is to be parsed as JSON, not as YAML. */
static bool
begins_like_json(const char *name, const char *text, size_t length)
{
	size_t at = 0;

	if (name != NULL && (g_str_has_suffix(name, ".yaml") || g_str_has_suffix(name, ".yml")))
		return false;
	while (at < length && memchr(" \t\r\n", text[at], 4) != NULL)
		at++;
	return at == length || text[at] == '{' || text[at] == '[' ||
	       (name != NULL && g_str_has_suffix(name, ".json"));
}

/* Returns the key that keeps a manifest with "metadata" from being an object, or NULL. */
static const char *
find_missing(limen_value document)
{
	bool kind = limen_value_exists(limen_value_get(document, "kind"));
	bool api = limen_value_exists(limen_value_get(document, "apiVersion"));

	if (kind == api || !limen_value_exists(limen_value_get(document, "metadata")))
		return NULL;
	return kind ? "apiVersion" : "kind";
}

/*
 * Adds a problem if 'document', which nobody called a task, is none: every task has a 'test'.
 * Returns true for a task.
 */
static bool
check_task(reading *run, limen_value document)
{
	static const struct {
		const char *member;
		const char *text;
	} looks[] = {
		{ "task", "a question to limend; --batch decides lines of them" },
		{ "object", "a question to limend; --batch decides lines of them" },
		{ "tests", "a file of tests; run it with 'limen test'" },
		{ "resources", "a kustomization; check what 'kubectl kustomize' prints" },
		{ "patches", "a kustomization; check what 'kubectl kustomize' prints" },
		{ "dependencies", "a package.json" },
		{ "devDependencies", "a package.json" },
		{ "version", "a package.json" },
	};
	size_t i = 0;

	if (run->settings->subject != ASK_INFER || run->settings->run ||
	    limen_value_type(document) != LIMEN_TYPE_OBJECT || ask_is_policy(document) ||
	    limen_value_exists(limen_value_get(document, "test")))
		return true;
	while (i < G_N_ELEMENTS(looks) &&
	       !limen_value_exists(limen_value_get(document, looks[i].member)))
		i++;
	if (i == G_N_ELEMENTS(looks))
		return true;
	return limen_diag_refuse(run->diag, document,
	                         "not a task, which has a 'test': this looks like %s",
	                         looks[i].text);
}

/*
 * Parses a task exactly as pScheduler does, including NaN; text that begins like JSON is read
 * as JSON.  Returns false if the text is not a task.
 */
static bool
read_task(reading *run, const char *text, size_t length)
{
	bool infer = run->settings->subject == ASK_INFER;
	g_autoptr(limen_request) req = limen_request_new(LIMEN_SUBJECT_TASK);
	int result = limen_request_parse(req, text, length, infer ? NULL : run->diag);
	limen_value document = limen_request_document(req);

	if (infer && (result != LIMEN_OK || ask_is_object(document) || find_missing(document) != NULL))
		return false;
	if (result != LIMEN_OK)
		fail(run, result);
	else if (check_task(run, document))
		add_case(run, ask_finish_task(run->settings, g_steal_pointer(&req), run->diag,
		                              run->why), "", "");
	return true;
}

/* ---- objects ---- */

static char *
describe_review(const limen_request *req)
{
	const char *name = limen_request_field(req, LIMEN_FIELD_NAME);
	const char *kind = limen_request_field(req, LIMEN_FIELD_KIND);
	const char *operation = limen_request_field(req, LIMEN_FIELD_OPERATION);

	return g_strdup_printf("%s of %s \"%s\"", operation == NULL ? "review" : operation,
	                       kind == NULL ? "object" : kind, name == NULL ? "" : name);
}

/* Makes the request that would create the object of 'template', of the workload added last. */
static limen_request *
make_planned(const reading *run, const limen_template *template)
{
	const char *namespace = limen_request_field(run->last->request, LIMEN_FIELD_NAMESPACE);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	/* Without a document: the template may have names of its own. */
	int result = limen_request_describe(req, "v1", template->kind, namespace, NULL);

	result |= limen_request_set_document(req, template->object);
	if (template->name != NULL)
		result |= limen_request_set_field(req, LIMEN_FIELD_NAME, template->name);
	if (template->generate_name != NULL)
		result |= limen_request_set_field(req, LIMEN_FIELD_GENERATE_NAME,
		                                  template->generate_name);
	if (result != LIMEN_OK)
		g_error("out of memory");
	limen_request_set_manifest(req, !run->settings->as_received);
	return ask_complete(run->settings, req, run->why);
}

static bool
add_found(void *data, const found_object *found)
{
	reading *run = data;
	bool review = limen_review_is(found->value);
	bool derived = found->template != NULL;
	limen_request *req = derived ? make_planned(run, found->template)
	                             : ask_read_object(run->settings, found->value, found->api,
	                                               found->kind, run->diag, run->why);
	g_auto(heap_text) place = limen_value_pointer(found->value);
	g_autofree char *pointer = g_strconcat(place == NULL ? "" : place,
	                                       review ? "/request/object" : NULL, NULL);
	ask_case *item = add_case(run, req, pointer, found->field);

	if (item == NULL)
		return false;
	item->source = found->value;
	item->label = review ? describe_review(req) : g_strdup(found->label);
	if (review) {
		item->review = item->names_namespace = true;
		item->source = limen_value_get(limen_value_get(found->value, "request"), "object");
	} else if (derived) {
		item->derived = run->last->workload = true;
		item->names_namespace = run->last->names_namespace;
	} else {
		run->last = item;
	}
	return true;
}

static void
add_objects(reading *run, limen_value value, const char *api, const char *kind)
{
	object_walk walk = {
		.engine = run->engine,
		/* With --phase=workload the workload itself is decided. */
		.whole = run->settings->decide.phase == LIMEN_PHASE_WORKLOAD,
		.take = add_found,
		.data = run,
		.diag = run->diag,
	};

	objects_walk(&walk, value, api, kind);
}

/* ---- files ---- */

static void
add_document(reading *run, limen_value document)
{
	ask_subject wanted = run->settings->subject;
	bool infer = wanted == ASK_INFER;
	const char *missing = infer ? find_missing(document) : NULL;

	if (missing != NULL)
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, document,
		               "'%s' is missing: an object needs it (is it a task? add --task)",
		               missing);
	else if (wanted == ASK_OBJECT || (infer && ask_is_object(document)))
		add_objects(run, document, NULL, NULL);
	else if (wanted == ASK_HTTP || check_task(run, document))
		add_case(run, ask_read(run->settings, document, run->diag, run->why), "", "");
}

static void
read_documents(reading *run, const char *name, const char *text, size_t length)
{
	g_autoptr(limen_documents) parsed = NULL;
	int result = limen_documents_parse(name, text, length, LIMEN_DOCUMENTS_NOTE_REPEATED,
	                                   &parsed, run->diag);

	if (result != LIMEN_OK)
		fail(run, result);
	if (result != LIMEN_OK && g_regex_match_simple("\\{\\{-? *[.$/a-z]", text, 0, 0))
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "this looks like a Helm template; check what 'helm template' prints");
	if (result == LIMEN_OK && limen_documents_count(parsed) == 0)
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "there is no document");
	for (size_t i = 0; !run->failed && i < limen_documents_count(parsed); i++) {
		run->document = i;
		add_document(run, limen_documents_get(parsed, i));
	}
}

GPtrArray *
cases_read(const ask_settings *settings, limen_engine *engine, const char *path, size_t *documents,
           limen_diag *diag, char **why)
{
	/* The name of a file tells the format; standard input has none. */
	const char *name = input_is_stdin(path) ? NULL : path;
	g_autoptr(GString) text = settings->http == NULL ? input_read(path, why)
	                                                 : g_string_new(settings->http);
	g_autoptr(GPtrArray) cases = g_ptr_array_new_with_free_func(free_case);
	reading run = { .settings = settings, .engine = engine, .diag = diag, .why = why,
		        .cases = cases };

	if (text == NULL)
		return NULL;
	if (settings->subject >= ASK_OBJECT || !begins_like_json(name, text->str, text->len) ||
	    !read_task(&run, text->str, text->len))
		read_documents(&run, name, text->str, text->len);
	*documents = run.document + 1;
	return run.failed || limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0
	               ? NULL
	               : g_steal_pointer(&cases);
}

GPtrArray *
cases_of_object(const ask_settings *settings, limen_engine *engine, limen_value object,
                const char *api, const char *kind, limen_diag *diag, char **why)
{
	g_autoptr(GPtrArray) cases = g_ptr_array_new_with_free_func(free_case);
	reading run = { .settings = settings, .engine = engine, .diag = diag, .why = why,
		        .cases = cases };

	add_objects(&run, object, api, kind);
	return run.failed || limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0
	               ? NULL
	               : g_steal_pointer(&cases);
}
