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
try_item(const decider *with, const http_request *request, deciding *item, bool traced, GString *out,
         fault *why)
{
	/* Trusted peers get the full answer even with --messages=short. */
	bool brief = with->short_messages && !request->peer.trusted;
	g_autoptr(limen_decision) decision = NULL;

	limen_request_set_dry_run(item->request, true);
	item->options.trace = traced && !brief;
	item->options.diagnostics = item->options.trace;
	decision = deciding_try(with, request, item, why);
	return decision != NULL && deciding_append(out, item, decision, brief, why);
}

/*
 * Returns the decision in force about a question, to g_string_free(); NULL with a fault.  'before' are
 * the answers so far.
 */
static GString *
try_question(const decider *with, const http_request *request, limen_value question, bool traced,
             const GString *before, fault *why)
{
	http_request alone = *request;
	g_auto(deciding) item = { .request = NULL };
	GString *out = g_string_new(NULL);

	/* The decisions follow one another on this thread. */
	alone.deferral = NULL;
	if (endpoint_has_room(before, why) && question_read(&request->peer, question, &item, why) &&
	    try_item(with, &alone, &item, traced, out, why))
		return out;
	g_string_free(out, TRUE);
	return NULL;
}

/* Reads JSON that limend has written; memory that is short gives no value. */
static limen_value
read_own(const char *text, limen_documents **parsed)
{
	limen_documents_parse("own.json", text, strlen(text), 0, parsed, NULL);
	return limen_documents_get(*parsed, 0);
}

/* ---- POST /ui/try ---- */

static void
try_text(service *shared, const http_request *request, limen_value given, const char *text,
         size_t length, GString *out)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	g_autoptr(GPtrArray) cases = g_ptr_array_new_with_free_func(g_free);

	playground_read(shared->decider.engine, given, text, length, shared->batch_maximum, cases,
	                diag);
	json_write(out, "{");
	json_key(out, "problems");
	question_append_problems(out, diag);
	json_write(out, "results:[");
	for (guint i = 0; i < cases->len; i++) {
		g_autoptr(limen_documents) parsed = NULL;
		limen_value item = read_own(cases->pdata[i], &parsed);
		g_auto(fault) why = { .status = 0 };
		g_autoptr(GString) decision = try_question(
			&shared->decider, request, limen_value_get(item, "question"), true, out, &why);

		json_write(out, "{about:v", limen_value_get(item, "about"));
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
	     !try_item(&shared->decider, request, &item, true, response->body, why)))
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
	decider in_force; /* of the decisions before the edit, with the time for all of them */
	GPtrArray *cases;
	guint own; /* cases of the text */
} edit;

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
	iter = limen_iter_start(limen_value_get(read_own(text->str, &parsed), "decisions"));
	while (limen_iter_next(&iter, NULL, &entry)) {
		GString *item = g_string_new("{\"about\":{");
		limen_iter members = limen_iter_start(entry);

		while (limen_iter_next(&members, &key, &value))
			if (!limen_value_is(key, "document"))
				json_write(item, "@:v", limen_value_string(key, NULL), value);
		json_write(item, "} question:v}", limen_value_get(entry, "document"));
		g_ptr_array_add(self->cases, g_string_free(item, FALSE));
	}
}

/* Writes what the process is to do: decide the questions of the cases under the policy. */
static GString *
make_job(const edit *self, limen_value policy)
{
	g_autofree char *modules = help_module_path(self->shared->module_path);
	GString *job = g_string_new(NULL);

	json_write(job, "{policy:v modules:S namespace:S cases:[", policy, modules,
	           self->shared->namespace);
	for (guint i = 0; i < self->cases->len; i++)
		json_raw(job, self->cases->pdata[i]);
	json_write(job, "]}");
	return job;
}

/* Appends what became of a case; of kept decisions only what would change.  False: it was not decided. */
static bool
append_result(const edit *self, guint index, limen_value after, GString *out)
{
	g_autoptr(limen_documents) parsed = NULL;
	limen_value item = read_own(self->cases->pdata[index], &parsed);
	limen_value about = limen_value_get(item, "about");
	bool own = index < self->own;
	g_auto(fault) why = { .status = 0 };
	g_autoptr(GString) before = try_question(&self->in_force, self->request,
	                                         limen_value_get(item, "question"), own, out, &why);
	g_autoptr(limen_documents) decided = NULL;
	bool changed;

	if (before == NULL && own) {
		json_write(out, "{about:v", about);
		endpoint_append_error(out, &why);
		json_write(out, "}");
	}
	if (before == NULL)
		return false;
	changed = is_changed(read_own(before->str, &decided), after);
	if (own || changed)
		json_write(out, "{about:v before:j after:v changed:b}", about, before->str, after,
		           changed);
	return true;
}

static void
append_answer(const edit *self, limen_value answer, const limen_diag *diag, GString *out)
{
	limen_iter iter = limen_iter_start(limen_value_get(answer, "answers"));
	limen_value after;
	guint index = 0;
	int decided = 0;

	json_write(out, "{policy-problems:v", limen_value_get(answer, "problems"));
	json_key(out, "problems");
	question_append_problems(out, diag);
	json_write(out, "results:[");
	while (index < self->own && limen_iter_next(&iter, NULL, &after))
		append_result(self, index++, after, out);
	json_write(out, "] recent:{changed:[");
	while (limen_iter_next(&iter, NULL, &after))
		decided += append_result(self, index++, after, out);
	json_write(out, "] decided:d}}", decided);
}

static bool
try_edit(service *shared, const http_request *request, limen_value body, GString *out, fault *why)
{
	g_autoptr(GPtrArray) cases = g_ptr_array_new_with_free_func(g_free);
	edit self = { .shared = shared, .request = request, .in_force = shared->decider, .cases = cases };
	g_autoptr(limen_diag) diag = limen_diag_new();
	g_autoptr(limen_documents) parsed = NULL;
	g_autoptr(GString) job = NULL;
	g_autofree char *found = NULL;
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(body, "text"), &length);
	limen_duration bound;
	bool with_recent = true;

	if (text != NULL)
		playground_read(shared->decider.engine, body, text, length, shared->batch_maximum,
		                cases, diag);
	self.own = cases->len;
	limen_value_bool(limen_value_get(body, "recent"), &with_recent);
	if (with_recent)
		add_recent(&self);
	job = make_job(&self, limen_value_get(body, "policy"));
	found = edit_process_run(job, why);
	if (found == NULL)
		return false;
	/* Times count from the arrival of the request. */
	bound = EDIT_SECONDS * LIMEN_SECOND + (limen_host_monotonic() - request->arrived) / 1000;
	if (self.in_force.timeout <= 0 || self.in_force.timeout > bound)
		self.in_force.timeout = bound;
	append_answer(&self, read_own(found, &parsed), diag, out);
	return parsed != NULL || fault_memory(why);
}

bool
answer_ui_edit(service *shared, const http_request *request, http_response *response, fault *why)
{
	g_autoptr(limen_documents) body = NULL;
	limen_value members;

	if (!is_on(shared, request, why))
		return false;
	if (!request->peer.trusted)
		return question_distrust("Only trusted clients may try a policy", why);
	body = question_open("The body", request->body, request->length, why);
	if (body == NULL)
		return false;
	members = limen_documents_get(body, 0);
	if (limen_value_string(limen_value_get(members, "policy"), NULL) == NULL)
		return fault_set(why, 400, "'policy' must be the text of a policy");
	if (!try_edit(shared, request, members, response->body, why)) {
		response->retry_after = why->status == 503 ? 1 : 0;
		return false;
	}
	g_string_append_c(response->body, '\n');
	return true;
}
