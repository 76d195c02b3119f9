/* SPDX-License-Identifier: Apache-2.0 */
/*
 * playground.c - makes questions of pasted text: one for each document, item of a list, and pod or
 * claim of a workload.
 */
#include "playground.h"

#include <limen/question.h>
#include <stdlib.h>
#include <string.h>

#include "../common/auto.h"
#include "../common/json_out.h"
#include "../common/workload.h"

/* Caps nested lists: deep nesting would make a small text costly. */
#define LIST_DEPTH_MAX 4

/* Each case has the given members, and that of a template the name of its workload. */
#define BYTES_MOST ((size_t)64 << 20)

/* State while one text is read. */
typedef struct reading {
	limen_engine *engine; /* with the policy that names kinds of workloads */
	limen_value given; /* members for each question */
	limen_diag *diag;
	GPtrArray *cases;
	size_t most;
	size_t bytes; /* of all cases */
	size_t document; /* from 1 */
} reading;

/* A workload whose templates are added. */
typedef struct workload {
	reading *run;
	const char *label;
	limen_value namespace;
} workload;

static bool
has(limen_value document, const char *key)
{
	return limen_value_exists(limen_value_get(document, key));
}

static unsigned
line_of(limen_value value)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	const limen_problem *found;

	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, value, "here");
	found = limen_diag_get(diag, 0);
	return found == NULL ? 0 : found->line;
}

/* Has the text a problem by its number of cases, or by their size?  Then no more are added. */
static bool
is_full(const reading *run)
{
	return run->cases->len > run->most || run->bytes > BYTES_MOST;
}

/* Appends the members of 'from' that are for the question, and that 'own' (may be none) has not. */
static void
append_members(GString *out, limen_value from, limen_value own)
{
	static const char *const others[] = { "text", "policy", "recent", "explain", "diagnostics",
		                              "dryRun", "dry_run", NULL };
	limen_iter iter = limen_iter_start(from);
	limen_value key, value;

	while (limen_iter_next(&iter, &key, &value)) {
		const char *name = limen_value_string(key, NULL);

		if (!g_strv_contains(others, name) && !has(own, name))
			json_write(out, "@:v", name, value);
	}
}

/* Adds the case of 'members', the beginning of a question without its bracket. */
static void
add_case(reading *run, GString *members, limen_value own, limen_value source, const char *label,
         bool derived)
{
	g_auto(heap_text) pointer = limen_value_pointer(source);
	GString *text;

	if (is_full(run))
		return;
	if (run->cases->len == run->most)
		limen_diag_refuse(run->diag, source, "there are too many requests (--max-batch)");
	append_members(members, run->given, own);
	json_write(members, "explain:b diagnostics:b}", true, true);
	text = g_string_new(NULL);
	json_write(text, "{about:{document:z line:d label:s path:s derived:b} question:j}",
	           run->document, (int)line_of(source), label, pointer, derived, members->str);
	run->bytes += text->len;
	if (run->bytes > BYTES_MOST)
		limen_diag_refuse(run->diag, source, "the requests are too large together");
	g_ptr_array_add(run->cases, g_string_free(text, FALSE));
}

/* Adds the question with 'source' as its member 'member'; NULL: 'source' is a question. */
static void
add_subject(reading *run, const char *member, limen_value source, const char *label)
{
	g_autoptr(GString) members = g_string_new("{");

	if (member == NULL)
		append_members(members, source, limen_value_none());
	else
		json_write(members, "@:v", member, source);
	add_case(run, members, member == NULL ? source : limen_value_none(), source, label, false);
}

/* Adds the object that a controller would make of a template, with its name and namespace. */
static void
add_template(void *data, const limen_template *template)
{
	const workload *from = data;
	g_autofree char *label = g_strdup_printf(
		"%s, %s of %s", from->label, strcmp(template->kind, "Pod") == 0 ? "pods" : "claims",
		template->field);
	g_autofree char *place = g_strconcat(template->field, ".", NULL);
	g_autoptr(GString) members = g_string_new(NULL);
	limen_iter iter = limen_iter_start(limen_value_get(template->object, "metadata"));
	limen_value key, value;

	if (is_full(from->run))
		return;
	workload_lint(template->value, place, from->run->diag);
	json_write(members, "{object:{apiVersion:s kind:s metadata:{", "v1", template->kind);
	json_write(members, "name:S generateName:S", template->name, template->generate_name);
	if (limen_value_exists(from->namespace))
		json_write(members, "namespace:v", from->namespace);
	while (limen_iter_next(&iter, &key, &value)) {
		const char *name = limen_value_string(key, NULL);

		if (strcmp(name, "name") != 0 && strcmp(name, "generateName") != 0 &&
		    strcmp(name, "namespace") != 0)
			json_write(members, "@:v", name, value);
	}
	json_write(members, "} spec:v}", limen_value_get(template->object, "spec"));
	add_case(from->run, members, limen_value_none(), template->value, label, true);
}

static void
add_object(reading *run, limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");
	const char *api = limen_value_string(limen_value_get(object, "apiVersion"), NULL);
	const char *kind = limen_value_string(limen_value_get(object, "kind"), NULL);
	limen_value named = limen_value_get(metadata, has(metadata, "name") ? "name" : "generateName");
	const char *name = limen_value_string(named, NULL);
	g_autofree char *label = g_strdup_printf("%s \"%s\"", kind, name == NULL ? "" : name);
	workload from = { run, label, limen_value_get(metadata, "namespace") };

	if (workload_is_limited(api, kind))
		workload_lint(object, "", run->diag);
	add_subject(run, "object", object, label);
	if (api != NULL)
		workload_expand(run->engine, object, api, kind, add_template, &from, run->diag);
}

static bool
is_question(limen_value document)
{
	return has(document, "task") || has(document, "object") || has(document, "oldObject") ||
	       has(document, "http");
}

static void add_document(reading *run, limen_value document, unsigned depth);

static void
add_list(reading *run, limen_value list, unsigned depth)
{
	limen_iter iter = limen_iter_start(limen_value_get(list, "items"));
	limen_value item;

	if (depth == LIST_DEPTH_MAX)
		limen_diag_refuse(run->diag, list, "lists are nested too deeply");
	while (depth < LIST_DEPTH_MAX && !is_full(run) && limen_iter_next(&iter, NULL, &item))
		add_document(run, item, depth + 1);
}

static void
add_document(reading *run, limen_value document, unsigned depth)
{
	const char *kind = limen_value_string(limen_value_get(document, "kind"), NULL);

	if (limen_review_is(document)) {
		add_subject(run, "object", document, "AdmissionReview");
	} else if (kind != NULL && g_str_has_suffix(kind, "List") && has(document, "items")) {
		add_list(run, document, depth);
	} else if (kind != NULL && has(document, "apiVersion")) {
		add_object(run, document);
	} else if (has(document, "test")) {
		add_subject(run, "task", document, "task");
	} else if (is_question(document)) {
		add_subject(run, NULL, document, "question");
	} else {
		limen_diag_refuse(run->diag, document,
		                  "no request: a manifest has 'apiVersion' and 'kind', a task has "
		                  "'test', a question has 'task', 'object' or 'http'");
	}
}

void
playground_read(limen_engine *engine, limen_value given, const char *text, size_t length,
                size_t most, GPtrArray *cases, limen_diag *diag)
{
	g_autoptr(limen_documents) parsed = NULL;
	reading run = { .engine = engine, .given = given, .diag = diag, .most = most,
		        .cases = cases };
	int result = limen_documents_parse(NULL, text, length, LIMEN_DOCUMENTS_NOTE_REPEATED,
	                                   &parsed, diag);

	if (result == LIMEN_OK && limen_documents_count(parsed) == 0)
		limen_diag_refuse(diag, limen_value_none(), "there is no document");
	for (size_t i = 0; i < limen_documents_count(parsed) && !is_full(&run); i++) {
		run.document = i + 1;
		add_document(&run, limen_documents_get(parsed, i), 0);
	}
	if (result != LIMEN_OK || limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0)
		g_ptr_array_set_size(cases, 0);
}
