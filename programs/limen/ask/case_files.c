/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case_files.c - parses a file as a task or as JSON or YAML documents and makes a case of each
 * object in it.  Expands lists, nested up to four deep, and the templates of workloads.
 */
#include <limen/documents.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "common/auto.h"
#include "cli/input.h"
#include "common/workload.h"

/* Caps nested lists, which real files do not have: deep nesting would make a small file costly. */
#define LIST_DEPTH_MAX 4

/* State while one file is read. */
typedef struct reading {
	const ask_settings *settings;
	limen_engine *engine; /* with the policy that names kinds of workloads */
	limen_diag *diag;
	char **why;
	GPtrArray *cases;
	size_t document;
	bool failed;
} reading;

/* An object in a document, with the version and kind that its list implies. */
typedef struct found_object {
	limen_value object;
	const char *api;
	const char *kind;
	const char *pointer;
	unsigned depth; /* number of enclosing lists */
} found_object;

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

/*
 * Adds the case of 'req', unless that is NULL.  Takes over 'label', 'pointer' and 'field' (NULL:
 * none).
 */
static ask_case *
add_case(reading *run, limen_request *req, char *label, char *pointer, char *field)
{
	ask_case *item = g_new0(ask_case, 1);

	if (req != NULL)
		*item = case_of(req, &run->settings->decide);
	item->document = run->document;
	item->label = label;
	item->pointer = pointer;
	item->field = field == NULL ? g_strdup("") : field;
	if (req != NULL) {
		g_ptr_array_add(run->cases, item);
		return item;
	}
	run->failed = true;
	free_case(item);
	return NULL;
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
		                              run->why), NULL, g_strdup(""), NULL);
	return true;
}

/* ---- objects ---- */

static void
add_review(reading *run, const found_object *found)
{
	limen_request *req = ask_read_object(run->settings, found->object, NULL, NULL, run->diag,
	                                     run->why);
	ask_case *item = add_case(run, req, NULL,
	                          g_strconcat(found->pointer, "/request/object", NULL), NULL);
	const char *name, *kind, *operation;

	if (item == NULL)
		return;
	name = limen_request_field(req, LIMEN_FIELD_NAME);
	kind = limen_request_field(req, LIMEN_FIELD_KIND);
	operation = limen_request_field(req, LIMEN_FIELD_OPERATION);
	item->review = true;
	item->names_namespace = true;
	item->source = limen_value_get(limen_value_get(found->object, "request"), "object");
	item->label = g_strdup_printf("%s of %s \"%s\"", operation == NULL ? "review" : operation,
	                              kind == NULL ? "object" : kind, name == NULL ? "" : name);
}

static ask_case *
add_object(reading *run, const found_object *found)
{
	limen_request *req;
	ask_case *item;
	const char *name;

	if (workload_is_limited(found->api, found->kind))
		workload_lint(found->object, "", run->diag);
	req = ask_read_object(run->settings, found->object, found->api, found->kind, run->diag,
	                      run->why);
	item = add_case(run, req, NULL, g_strdup(found->pointer), NULL);
	if (item == NULL)
		return NULL;
	name = limen_request_field(req, LIMEN_FIELD_NAME);
	if (name == NULL)
		name = limen_request_field(req, LIMEN_FIELD_GENERATE_NAME);
	item->source = found->object;
	item->label = g_strdup_printf("%s \"%s\"", found->kind == NULL ? "object" : found->kind,
	                              name != NULL ? name : "");
	return item;
}

/* A workload whose templates are added. */
typedef struct workload_case {
	reading *run;
	const found_object *found;
	ask_case *workload;
} workload_case;

/* Makes the request that would create the object of 'template'. */
static limen_request *
make_planned(const workload_case *from, const limen_template *template)
{
	const char *namespace = limen_request_field(from->workload->request, LIMEN_FIELD_NAMESPACE);
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
	limen_request_set_manifest(req, !from->run->settings->as_received);
	return req;
}

static void
add_template(void *data, const limen_template *template)
{
	const workload_case *from = data;
	reading *run = from->run;
	bool pods = strcmp(template->kind, "Pod") == 0;
	char *pointer = limen_value_pointer(template->value);
	char *field = g_strconcat(template->field, ".", NULL);
	ask_case *item;

	workload_lint(template->value, field, run->diag);
	item = add_case(run, ask_complete(run->settings, make_planned(from, template), run->why),
	                g_strdup_printf("%s, %s of %s", from->workload->label,
	                                pods ? "pods" : "claims", template->field),
	                g_strdup(pointer == NULL ? from->found->pointer : pointer), field);
	free(pointer);
	if (item == NULL)
		return;
	from->workload->workload = true;
	item->derived = true;
	item->names_namespace = from->workload->names_namespace;
	item->source = template->value;
}

static void
add_workload(reading *run, const found_object *found)
{
	workload_case from = { run, found, add_object(run, found) };

	/* With --phase=workload the workload itself is decided. */
	if (from.workload != NULL && found->api != NULL && found->kind != NULL &&
	    run->settings->decide.phase != LIMEN_PHASE_WORKLOAD)
		workload_expand(run->engine, found->object, found->api, found->kind, add_template,
		                &from, run->diag);
}

/* ---- lists ---- */

static void add_found(reading *run, limen_value object, const char *pointer, const found_object *list);

static void
add_list(reading *run, const found_object *list)
{
	limen_value items = limen_value_get(list->object, "items");
	limen_iter iter = limen_iter_start(items);
	limen_type type = limen_value_type(items);
	limen_value element;

	if (type != LIMEN_TYPE_ARRAY && type != LIMEN_TYPE_NULL)
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, items, "items: must be an array");
	else if (list->depth == LIST_DEPTH_MAX)
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, items,
		               "lists are nested too deeply");
	else if (type == LIMEN_TYPE_ARRAY)
		for (size_t i = 0; !run->failed && limen_iter_next(&iter, NULL, &element); i++) {
			g_autofree char *pointer = g_strdup_printf("%s/items/%zu", list->pointer, i);

			add_found(run, element, pointer, list);
		}
}

/* Returns a member; NULL for what limen_request_describe() will refuse. */
static const char *
read_member(limen_value object, const char *key)
{
	const char *text;

	return case_text(limen_value_get(object, key), &text) ? text : NULL;
}

/* Adds an object, a review, or a "List" or a list of one kind such as "PodList", with "items". */
static void
add_found(reading *run, limen_value object, const char *pointer, const found_object *list)
{
	found_object found = { .object = object,
		        .api = read_member(object, "apiVersion"),
		        .kind = read_member(object, "kind"),
		        .pointer = pointer,
		        .depth = list == NULL ? 0 : list->depth + 1 };
	g_autofree char *implied = NULL;

	/* Elements of a typed list may omit apiVersion and kind. */
	if (list != NULL && strcmp(list->kind, "List") != 0) {
		implied = g_strndup(list->kind, strlen(list->kind) - strlen("List"));
		found.api = found.api == NULL ? list->api : found.api;
		found.kind = found.kind == NULL ? implied : found.kind;
	}
	if (limen_review_is(object))
		add_review(run, &found);
	else if (found.kind != NULL && g_str_has_suffix(found.kind, "List") &&
	         limen_value_exists(limen_value_get(object, "items")))
		add_list(run, &found);
	else
		add_workload(run, &found);
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
		add_found(run, document, "", NULL);
	else if (wanted == ASK_HTTP || check_task(run, document))
		add_case(run, ask_read(run->settings, document, run->diag, run->why), NULL,
		         g_strdup(""), NULL);
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
	g_autofree char *listed = g_strconcat(kind == NULL ? "" : kind, "List", NULL);
	const found_object list = { .api = api, .kind = listed };
	reading run = { .settings = settings, .engine = engine, .diag = diag, .why = why,
		        .cases = cases };

	add_found(&run, object, "", &list);
	return run.failed || limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0
	               ? NULL
	               : g_steal_pointer(&cases);
}
