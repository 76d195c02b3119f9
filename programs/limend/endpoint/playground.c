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
#include "../common/objects.h"

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
	limen_value namespace; /* of the object that was added last, which templates may follow */
} reading;

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
add_template(reading *run, const found_object *found)
{
	const limen_template *template = found->template;
	g_autoptr(GString) members = g_string_new(NULL);
	limen_iter iter = limen_iter_start(limen_value_get(template->object, "metadata"));
	limen_value key, value;

	json_write(members, "{object:{apiVersion:s kind:s metadata:{", "v1", template->kind);
	json_write(members, "name:S generateName:S", template->name, template->generate_name);
	if (limen_value_exists(run->namespace))
		json_write(members, "namespace:v", run->namespace);
	while (limen_iter_next(&iter, &key, &value)) {
		const char *name = limen_value_string(key, NULL);

		if (strcmp(name, "name") != 0 && strcmp(name, "generateName") != 0 &&
		    strcmp(name, "namespace") != 0)
			json_write(members, "@:v", name, value);
	}
	json_write(members, "} spec:v}", limen_value_get(template->object, "spec"));
	add_case(run, members, limen_value_none(), template->value, found->label, true);
}

static void
refuse(reading *run, limen_value document)
{
	limen_diag_refuse(run->diag, document,
	                  "no request: a manifest has 'apiVersion' and 'kind', a task has 'test', a "
	                  "question has 'task', 'object' or 'http'");
}

static bool
add_found(void *data, const found_object *found)
{
	reading *run = data;

	if (found->template != NULL) {
		add_template(run, found);
	} else if (limen_review_is(found->value)) {
		add_subject(run, "object", found->value, "AdmissionReview");
	} else if (has(found->value, "kind") && has(found->value, "apiVersion")) {
		run->namespace = limen_value_get(limen_value_get(found->value, "metadata"), "namespace");
		add_subject(run, "object", found->value, found->label);
	} else {
		refuse(run, found->value);
		return false;
	}
	return !is_full(run);
}

static bool
is_question(limen_value document)
{
	return has(document, "task") || has(document, "object") || has(document, "oldObject") ||
	       has(document, "http");
}

static void
add_document(reading *run, limen_value document)
{
	object_walk walk = { run->engine, .take = add_found, .data = run, .diag = run->diag };

	if (limen_review_is(document) ||
	    (has(document, "kind") && (has(document, "apiVersion") || has(document, "items"))))
		objects_walk(&walk, document, NULL, NULL);
	else if (has(document, "test"))
		add_subject(run, "task", document, "task");
	else if (is_question(document))
		add_subject(run, NULL, document, "question");
	else
		refuse(run, document);
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
		add_document(&run, limen_documents_get(parsed, i));
	}
	if (result != LIMEN_OK || limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0)
		g_ptr_array_set_size(cases, 0);
}
