/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subjects.c - parses a file as a task or as JSON or YAML documents and makes a request of each
 * object in it.  Expands lists, nested up to four deep, and the templates of workloads.
 */
#include "subjects.h"

#include <limen/documents.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"
#include "workload.h"

/* Caps nested lists, which real files do not have: deep nesting would make a small file costly. */
#define LIST_DEPTH_MAX 4

/* State while one file is read. */
typedef struct reading {
	const ask_settings *settings;
	limen_diag *diag;
	char **why;
	GPtrArray *subjects;
	size_t document;
	bool failed;
} reading;

/* An object in a document, with the version and kind that its list implies. */
typedef struct found {
	limen_value object;
	const char *api;
	const char *kind;
	const char *pointer;
	unsigned depth; /* number of enclosing lists */
} found;

static void
free_subject(gpointer data)
{
	subject *one = data;

	limen_request_free(one->request);
	g_free(one->label);
	g_free(one->pointer);
	g_free(one->field);
	g_free(one);
}

static void
fail(reading *run, const char *why)
{
	run->failed = true;
	if (why != NULL && *run->why == NULL)
		*run->why = g_strdup(why);
}

/* Appends a subject; takes over 'req' and the texts of 'like'. */
static subject *
add_subject(reading *run, limen_request *req, const subject *like)
{
	subject *one = g_new(subject, 1);

	*one = *like;
	one->request = req;
	one->document = run->document;
	g_ptr_array_add(run->subjects, one);
	return one;
}

/* ---- tasks ---- */

static void
add_task(reading *run, limen_request *req)
{
	if (req == NULL)
		fail(run, NULL);
	else
		add_subject(run, req, &(subject){ .pointer = g_strdup(""), .field = g_strdup("") });
}

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
	limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, document,
	               "not a task, which has a 'test': this looks like %s", looks[i].text);
	return false;
}

/*
 * Parses a task exactly as pScheduler does, including NaN; text that begins like JSON is read
 * as JSON.  Returns false if the text is not a task.
 */
static bool
read_task(reading *run, const char *text, size_t length)
{
	bool infer = run->settings->subject == ASK_INFER;
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	int result = limen_request_parse(req, text, length, infer ? NULL : run->diag);

	if (result == LIMEN_OK && !(infer && (ask_is_object(limen_request_document(req)) ||
	                                      find_missing(limen_request_document(req)) != NULL))) {
		if (check_task(run, limen_request_document(req)))
			add_task(run, ask_finish_task(run->settings, req, run->diag, run->why));
		else
			limen_request_free(req);
		return true;
	}
	limen_request_free(req);
	if (!infer)
		fail(run, limen_diag_count(run->diag, LIMEN_SEVERITY_PROBLEM) == 0
		                  ? limen_result_text(result)
		                  : NULL);
	return !infer;
}

/* ---- objects ---- */

/* Is it a pod or a claim, which LimitRanges are about? */
static bool
is_limited(const char *api, const char *kind)
{
	return g_strcmp0(api, "v1") == 0 && (g_strcmp0(kind, "Pod") == 0 ||
	                                     g_strcmp0(kind, "PersistentVolumeClaim") == 0);
}

static bool
names_namespace(limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");

	return limen_value_type(limen_value_get(metadata, "namespace")) == LIMEN_TYPE_STRING;
}

subject
subject_of(limen_request *req)
{
	limen_value document = limen_request_document(req);
	const char *group = limen_request_field(req, LIMEN_FIELD_GROUP);

	return (subject){
		.request = req,
		.object = limen_request_subject(req) == LIMEN_SUBJECT_OBJECT,
		.limited = (group == NULL || group[0] == '\0') &&
		           is_limited(limen_request_field(req, LIMEN_FIELD_VERSION),
		                      limen_request_field(req, LIMEN_FIELD_KIND)),
		.names_namespace = names_namespace(document),
		.source = document,
	};
}

static void
add_review(reading *run, const found *what)
{
	limen_request *req = ask_read_object(run->settings, what->object, NULL, NULL, run->diag,
	                                     run->why);
	const char *name, *kind, *operation;

	if (req == NULL) {
		fail(run, NULL);
		return;
	}
	name = limen_request_field(req, LIMEN_FIELD_NAME);
	kind = limen_request_field(req, LIMEN_FIELD_KIND);
	operation = limen_request_field(req, LIMEN_FIELD_OPERATION);
	add_subject(run, req, &(subject){
		.object = true,
		.review = true,
		.limited = is_limited(limen_request_field(req, LIMEN_FIELD_VERSION), kind),
		.names_namespace = true,
		.source = limen_value_get(limen_value_get(what->object, "request"), "object"),
		.label = g_strdup_printf("%s of %s \"%s\"", operation == NULL ? "review" : operation,
		                         kind == NULL ? "object" : kind, name == NULL ? "" : name),
		.pointer = g_strconcat(what->pointer, "/request/object", NULL),
		.field = g_strdup(""),
	});
}

static subject *
add_object(reading *run, const found *what)
{
	limen_request *req;
	const char *name;

	if (is_limited(what->api, what->kind))
		workload_lint(what->object, "", run->diag);
	req = ask_read_object(run->settings, what->object, what->api, what->kind, run->diag,
	                      run->why);
	if (req == NULL) {
		fail(run, NULL);
		return NULL;
	}
	name = limen_request_field(req, LIMEN_FIELD_NAME);
	if (name == NULL)
		name = limen_request_field(req, LIMEN_FIELD_GENERATE_NAME);
	return add_subject(run, req, &(subject){
		.object = true,
		.limited = is_limited(what->api, what->kind),
		.names_namespace = names_namespace(what->object),
		.source = what->object,
		.label = g_strdup_printf("%s \"%s\"", what->kind == NULL ? "object" : what->kind,
		                         name != NULL ? name : ""),
		.pointer = g_strdup(what->pointer),
		.field = g_strdup(""),
	});
}

/* Adds the object that 'workload', found as 'what', would make. */
static void
add_template(reading *run, const found *what, subject *workload, const template_object *made)
{
	const char *namespace = limen_request_field(workload->request, LIMEN_FIELD_NAMESPACE);
	bool pods = strcmp(made->kind, "Pod") == 0;
	limen_request *req;
	int result;

	if (made->object == NULL) {
		fail(run, NULL);
		return;
	}
	req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	/* Without a document: the template may have names of its own. */
	result = limen_request_describe(req, "v1", made->kind, namespace, NULL);
	result |= limen_request_set_document(req, limen_documents_get(made->object, 0));
	if (made->name != NULL)
		result |= limen_request_set_field(req, LIMEN_FIELD_NAME, made->name);
	if (made->prefix != NULL)
		result |= limen_request_set_field(req, LIMEN_FIELD_GENERATE_NAME, made->prefix);
	if (result != LIMEN_OK)
		g_error("out of memory");
	limen_request_set_manifest(req, !run->settings->as_received);
	req = ask_complete(run->settings, req, run->why);
	if (req == NULL) {
		fail(run, NULL);
		return;
	}
	workload->workload = true;
	add_subject(run, req, &(subject){
		.object = true,
		.derived = true,
		.limited = true,
		.names_namespace = workload->names_namespace,
		.source = made->template,
		.label = g_strdup_printf("%s, %s of %s", workload->label, pods ? "pods" : "claims",
		                         made->field),
		.pointer = g_strconcat(what->pointer, made->pointer, NULL),
		.field = g_strconcat(made->field, ".", NULL),
	});
}

static void
add_workload(reading *run, const found *what)
{
	subject *workload = add_object(run, what);
	GPtrArray *templates;

	if (workload == NULL || what->api == NULL || what->kind == NULL)
		return;
	templates = workload_expand(what->object, what->api, what->kind, run->diag);
	for (guint i = 0; i < templates->len; i++)
		add_template(run, what, workload, g_ptr_array_index(templates, i));
	g_ptr_array_unref(templates);
}

/* ---- lists ---- */

/* Returns true for a "List", or a list of one kind such as "PodList", with "items". */
static bool
is_list(const found *what)
{
	return what->kind != NULL && g_str_has_suffix(what->kind, "List") &&
	       limen_value_exists(limen_value_get(what->object, "items"));
}

static void add_found(reading *run, const found *what);

/* Returns a member; NULL for what limen_request_describe() will refuse. */
static const char *
read_member(limen_value object, const char *key)
{
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(object, key), &length);

	return text != NULL && strlen(text) == length ? text : NULL;
}

/* Reads 'api' and 'kind' from the object. */
static void
read_kind(found *one)
{
	one->api = read_member(one->object, "apiVersion");
	one->kind = read_member(one->object, "kind");
}

/* Elements of a typed list may omit apiVersion and kind. */
static void
add_element(reading *run, const found *list, limen_value element, size_t index)
{
	bool typed = strcmp(list->kind, "List") != 0;
	char *kind = g_strndup(list->kind, strlen(list->kind) - strlen("List"));
	char *pointer = g_strdup_printf("%s/items/%zu", list->pointer, index);
	found one = { .object = element, .pointer = pointer, .depth = list->depth + 1 };

	read_kind(&one);
	one.api = one.api == NULL && typed ? list->api : one.api;
	one.kind = one.kind == NULL && typed ? kind : one.kind;
	add_found(run, &one);
	g_free(pointer);
	g_free(kind);
}

static void
add_list(reading *run, const found *list)
{
	limen_value items = limen_value_get(list->object, "items");
	limen_iter iter = limen_iter_start(items);
	limen_type type = limen_value_type(items);
	limen_value element;
	size_t index = 0;

	if (type != LIMEN_TYPE_ARRAY && type != LIMEN_TYPE_NULL) {
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, items, "items: must be an array");
		return;
	}
	if (list->depth == LIST_DEPTH_MAX) {
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, items,
		               "lists are nested too deeply");
		return;
	}
	while (type == LIMEN_TYPE_ARRAY && !run->failed &&
	       limen_iter_next(&iter, NULL, &element))
		add_element(run, list, element, index++);
}

static void
add_found(reading *run, const found *what)
{
	if (limen_review_is(what->object))
		add_review(run, what);
	else if (is_list(what))
		add_list(run, what);
	else
		add_workload(run, what);
}

/* ---- files ---- */

static void
add_document(reading *run, limen_value document)
{
	ask_subject wanted = run->settings->subject;
	found one = { .object = document, .pointer = "" };
	const char *missing = wanted == ASK_INFER ? find_missing(document) : NULL;

	if (missing != NULL) {
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, document,
		               "'%s' is missing: an object needs it (is it a task? add --task)",
		               missing);
		return;
	}
	if (wanted != ASK_OBJECT && !(wanted == ASK_INFER && ask_is_object(document))) {
		if (check_task(run, document))
			add_task(run, ask_read(run->settings, document, run->diag, run->why));
		return;
	}
	read_kind(&one);
	add_found(run, &one);
}

static void
read_documents(reading *run, const char *name, const char *text, size_t length)
{
	limen_documents *parsed = NULL;
	int result = limen_documents_parse(name, text, length, LIMEN_DOCUMENTS_NOTE_REPEATED,
	                                   &parsed, run->diag);

	if (result != LIMEN_OK) {
		fail(run, limen_diag_count(run->diag, LIMEN_SEVERITY_PROBLEM) == 0
		                  ? limen_result_text(result)
		                  : NULL);
		if (g_regex_match_simple("\\{\\{-? *[.$/a-z]", text, 0, 0))
			limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
			               "this looks like a Helm template; check what 'helm template' "
			               "prints");
		return;
	}
	if (limen_documents_count(parsed) == 0)
		limen_diag_add(run->diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "there is no document");
	for (size_t i = 0; !run->failed && i < limen_documents_count(parsed); i++) {
		run->document = i;
		add_document(run, limen_documents_get(parsed, i));
	}
	limen_documents_free(parsed);
}

GPtrArray *
subjects_read(const ask_settings *settings, const char *path, size_t *documents, limen_diag *diag,
              char **why)
{
	/* The name of a file tells the format; standard input has none. */
	const char *name = input_is_stdin(path) ? NULL : path;
	GString *text = input_read(path, why);
	reading run = { .settings = settings, .diag = diag, .why = why };

	if (text == NULL)
		return NULL;
	run.subjects = g_ptr_array_new_with_free_func(free_subject);
	if (settings->subject == ASK_OBJECT || !begins_like_json(name, text->str, text->len) ||
	    !read_task(&run, text->str, text->len))
		read_documents(&run, name, text->str, text->len);
	*documents = run.document + 1;
	g_string_free(text, TRUE);
	if (!run.failed && limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0)
		return run.subjects;
	g_ptr_array_unref(run.subjects);
	return NULL;
}
