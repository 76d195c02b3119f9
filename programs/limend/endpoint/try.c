/* SPDX-License-Identifier: Apache-2.0 */
/*
 * try.c - the playground: POST /ui/try decides requests as dry runs, POST /ui/edit also under an
 * edited policy, which a process of its own compiles (edit_process.h).  Nothing is charged, counted,
 * logged or put in force.
 */
#include <string.h>

#include "../common/auto.h"
#include "../common/help.h"
#include "../common/json_out.h"
#include "audit/recent.h"
#include "endpoint.h"
#include "http/arguments.h"
#include "playground.h"
#include "question/edit_process.h"

static bool
is_on(service *shared, const http_request *request, fault *why)
{
	return endpoint_ui(shared, request) == UI_PLAYGROUND ||
	       fault_set(why, 403, "The playground is off (--ui playground)");
}

/* Decides 'item', which was read from the request, and appends the decision. */
static bool
try_item(service *shared, const http_request *request, deciding *item, bool traced, GString *out,
         fault *why)
{
	/* Trusted peers get the full answer even with --messages=short. */
	bool brief = shared->decider.short_messages && !request->peer.trusted;
	g_autoptr(limen_decision) decision = NULL;

	limen_request_set_dry_run(item->request, true);
	item->options.trace = traced && !brief;
	item->options.diagnostics = item->options.trace;
	decision = deciding_try(&shared->decider, request, item, why);
	return decision != NULL && deciding_append(out, item, decision, brief, why);
}

/*
 * Returns the decision in force about a question, to g_string_free(); NULL with a fault.  'before' are
 * the answers so far.
 */
static GString *
try_question(service *shared, const http_request *request, const char *question, bool traced,
             const GString *before, fault *why)
{
	http_request alone = *request;
	g_autoptr(limen_documents) parsed = question_open("The request", question, strlen(question),
	                                                  why);
	g_auto(deciding) item = { .request = NULL };
	GString *out = g_string_new(NULL);

	/* The decisions follow one another on this thread. */
	alone.deferral = NULL;
	if (parsed != NULL && endpoint_has_room(before, why) &&
	    question_read(&request->peer, limen_documents_get(parsed, 0), &item, why) &&
	    try_item(shared, &alone, &item, traced, out, why))
		return out;
	g_string_free(out, TRUE);
	return NULL;
}

/* ---- POST /ui/try ---- */

static void
try_text(service *shared, const http_request *request, limen_value given, const char *text,
         size_t length, GString *out)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	g_autoptr(GPtrArray) cases = playground_cases_new();

	playground_read(shared->decider.engine, given, text, length, shared->batch_maximum, cases,
	                diag);
	json_write(out, "{");
	json_key(out, "problems");
	question_append_problems(out, diag);
	json_write(out, "results:[");
	for (guint i = 0; i < cases->len; i++) {
		const playground_case *item = cases->pdata[i];
		g_auto(fault) why = { .status = 0 };
		g_autoptr(GString) decision = try_question(shared, request, item->question, true,
		                                           out, &why);

		json_write(out, "{about:j", item->about);
		if (decision != NULL)
			json_write(out, "decision:j", decision->str);
		else
			endpoint_append_error(out, &why);
		json_write(out, "}");
	}
	json_write(out, "]}");
}

/* Tries a text in YAML, or in the member "text"; returns false if the request has none. */
static bool
has_text(service *shared, const http_request *request, GString *out)
{
	g_autoptr(limen_documents) body = NULL;
	const char *text;
	size_t length = 0;

	if (http_type_of(request) == HTTP_YAML) {
		try_text(shared, request, limen_value_none(), request->body, request->length, out);
		return true;
	}
	limen_documents_parse("question.json", request->body, request->length, 0, &body, NULL);
	text = limen_value_string(limen_value_get(limen_documents_get(body, 0), "text"), &length);
	if (text == NULL)
		return false;
	try_text(shared, request, limen_documents_get(body, 0), text, length, out);
	return true;
}

bool
answer_ui_try(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const char *const known[] = { "timeout", NULL };
	g_auto(deciding) item = { .request = NULL };

	if (!is_on(shared, request, why) || !arguments_check(&request->arguments, known, why))
		return false;
	if ((deciding_waits(request) || !has_text(shared, request, response->body)) &&
	    (!deciding_read(request, &item, why) ||
	     !try_item(shared, request, &item, true, response->body, why)))
		return false;
	g_string_append_c(response->body, '\n');
	return true;
}

/* ---- POST /ui/edit ---- */

/* Returns true if two decisions (JSON objects) differ in what the sender of a request notices. */
static bool
is_changed(limen_value before, limen_value after)
{
	static const char *const members[] = { "admitted", "code", "reason", "patch", "warnings",
		                               "rewritten", "priority" };

	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		limen_value left = limen_value_get(before, members[i]);
		limen_value right = limen_value_get(after, members[i]);

		if (limen_value_exists(left) != limen_value_exists(right) ||
		    (limen_value_exists(left) && !limen_value_equal(left, right)))
			return true;
	}
	return false;
}

/* An edit that is tried: cases of the text, then those of decisions that were kept. */
typedef struct edit {
	service *shared;
	const http_request *request;
	GPtrArray *cases;
	guint own; /* cases of the text */
} edit;

static void
clear_edit(edit *self)
{
	if (self->cases != NULL)
		g_ptr_array_unref(self->cases);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(edit, clear_edit)

/* Adds the kept decisions that have a document; 'about' of each case is the entry without it. */
static void
add_recent(edit *self)
{
	const recent_filter filter = { .number = self->shared->batch_maximum, .documented = true };
	g_autoptr(GString) text = g_string_new("{");
	g_autoptr(limen_documents) parsed = NULL;
	limen_value entry, key, value;
	limen_iter iter;

	recent_write(self->shared->decider.recent, &filter, text);
	g_string_append_c(text, '}');
	limen_documents_parse("recent.json", text->str, text->len, 0, &parsed, NULL);
	iter = limen_iter_start(limen_value_get(limen_documents_get(parsed, 0), "decisions"));
	while (limen_iter_next(&iter, NULL, &entry)) {
		g_autoptr(GString) question = g_string_new(NULL);
		g_autoptr(GString) about = g_string_new("{");
		limen_iter members = limen_iter_start(entry);

		while (limen_iter_next(&members, &key, &value)) {
			if (limen_value_is(key, "document"))
				json_value(question, value);
			else
				json_write(about, "@:v", limen_value_string(key, NULL), value);
		}
		json_write(about, "}");
		g_ptr_array_add(self->cases, playground_case_new(about->str, question->str));
	}
}

/* Writes what the process is to do: decide the questions of the cases under the policy. */
static GString *
make_job(const edit *self, limen_value policy)
{
	g_autofree char *modules = help_module_path(self->shared->module_path);
	GString *job = g_string_new(NULL);

	json_write(job, "{policy:v modules:S namespace:S questions:[", policy, modules,
	           self->shared->namespace);
	for (guint i = 0; i < self->cases->len; i++)
		json_raw(job, ((const playground_case *)self->cases->pdata[i])->question);
	json_write(job, "]}");
	return job;
}

/* Appends what became of a case; of kept decisions only what would change. */
static void
append_result(const edit *self, guint index, limen_value after, GString *out)
{
	const playground_case *item = self->cases->pdata[index];
	bool own = index < self->own;
	g_auto(fault) why = { .status = 0 };
	g_autoptr(GString) before = try_question(self->shared, self->request, item->question, own,
	                                         out, &why);
	g_autoptr(limen_documents) parsed = NULL;
	bool changed;

	if (before == NULL && own) {
		json_write(out, "{about:j", item->about);
		endpoint_append_error(out, &why);
		json_write(out, "}");
	}
	if (before == NULL)
		return;
	limen_documents_parse("before.json", before->str, before->len, 0, &parsed, NULL);
	changed = is_changed(limen_documents_get(parsed, 0), after);
	if (own || changed)
		json_write(out, "{about:j before:j after:v changed:b}", item->about, before->str,
		           after, changed);
}

static void
append_answer(const edit *self, limen_value answer, const limen_diag *diag, GString *out)
{
	limen_iter iter = limen_iter_start(limen_value_get(answer, "answers"));
	limen_value after;
	guint index = 0;

	json_write(out, "{policy-problems:v", limen_value_get(answer, "problems"));
	json_key(out, "problems");
	question_append_problems(out, diag);
	json_write(out, "results:[");
	while (index < self->own && limen_iter_next(&iter, NULL, &after))
		append_result(self, index++, after, out);
	json_write(out, "] recent:{changed:[");
	while (limen_iter_next(&iter, NULL, &after))
		append_result(self, index++, after, out);
	json_write(out, "] decided:d}}", (int)(index > self->own ? index - self->own : 0));
}

static bool
try_edit(edit *self, limen_value body, GString *out, fault *why)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	g_autoptr(limen_documents) parsed = NULL;
	g_autoptr(GString) job = NULL;
	g_autofree char *found = NULL;
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(body, "text"), &length);
	bool with_recent = true;

	if (text != NULL)
		playground_read(self->shared->decider.engine, body, text, length,
		                self->shared->batch_maximum, self->cases, diag);
	self->own = self->cases->len;
	limen_value_bool(limen_value_get(body, "recent"), &with_recent);
	if (with_recent)
		add_recent(self);
	job = make_job(self, limen_value_get(body, "policy"));
	found = edit_process_run(job, why);
	if (found == NULL)
		return false;
	if (limen_documents_parse("answer.json", found, strlen(found), 0, &parsed, NULL) !=
	    LIMEN_OK)
		return fault_memory(why);
	append_answer(self, limen_documents_get(parsed, 0), diag, out);
	return true;
}

bool
answer_ui_edit(service *shared, const http_request *request, http_response *response, fault *why)
{
	g_autoptr(limen_documents) body = NULL;
	g_auto(edit) self = { .shared = shared, .request = request };
	limen_value policy;

	if (!is_on(shared, request, why))
		return false;
	if (!request->peer.trusted)
		return question_distrust("Only trusted clients may try a policy", why);
	body = question_open("The body", request->body, request->length, why);
	if (body == NULL)
		return false;
	policy = limen_value_get(limen_documents_get(body, 0), "policy");
	if (limen_value_string(policy, NULL) == NULL)
		return fault_set(why, 400, "'policy' must be the text of a policy");
	self.cases = playground_cases_new();
	if (!try_edit(&self, limen_documents_get(body, 0), response->body, why)) {
		response->retry_after = why->status == 503 ? 1 : 0;
		return false;
	}
	g_string_append_c(response->body, '\n');
	return true;
}
