/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decide.c - POST /v1/decide answers one question with a decision object.
 *
 * POST /v1/decide/batch answers many questions, an array or one per line, in the same
 * order.  Each answer is a decision object or has a member "error" with the reason why there is no
 * decision; an error does not affect the other answers.
 */
#include <string.h>

#include "../common/auto.h"
#include "../common/json_out.h"
#include "endpoint.h"

bool
answer_decide(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const char *const known[] = { "status", "timeout", NULL };
	g_autoptr(limen_decision) decision = NULL;
	g_auto(deciding) item = { .request = NULL };
	bool verdict = false;

	if (!arguments_check(&request->arguments, known, why) ||
	    !arguments_verdict(&request->arguments, &verdict, why))
		return false;
	if (deciding_read(request, &item, why))
		decision = deciding_run(&shared->decider, request, &item, why);
	if (decision == NULL || !deciding_append(response->body, &item, decision,
	                                         shared->decider.short_messages, why))
		return false;
	g_string_append_c(response->body, '\n');
	if (verdict)
		deciding_show_verdict(decision, response);
	return true;
}

/* ---- batches ---- */

typedef struct batch {
	service *shared;
	const http_request *request;
	GString *out;
	size_t answered;
} batch;

static void
append_fault(GString *out, limen_value members, const fault *why)
{
	limen_value id = limen_value_get(members, "id");

	g_string_append_c(out, '{');
	if (limen_value_type(id) > LIMEN_TYPE_NULL)
		json_write(out, "id:v", id);
	endpoint_append_error(out, why);
	g_string_append_c(out, '}');
}

/* Answers the question 'members', or with the fault in 'why' if there is one already. */
static void
answer_one(batch *all, limen_value members, fault *why)
{
	g_autoptr(limen_decision) decision = NULL;
	g_auto(deciding) item = { .request = NULL };

	if (why->status == 0 && question_is_no_review(members, why) &&
	    question_read(&all->request->peer, members, &item, why))
		if (endpoint_has_room(all->out, why))
			decision = deciding_run(&all->shared->decider, all->request, &item, why);
	if (decision == NULL || !deciding_append(all->out, &item, decision,
	                                         all->shared->decider.short_messages, why))
		append_fault(all->out, members, why);
	all->answered++;
}

static bool
answer_array(batch *all, fault *why)
{
	size_t maximum = all->shared->batch_maximum;
	g_autoptr(limen_documents) body = question_open("The body", all->request->body,
	                                                all->request->length, why);
	limen_value list = limen_documents_get(body, 0);
	limen_value members;

	if (body == NULL)
		return false;
	if (limen_value_type(list) != LIMEN_TYPE_ARRAY)
		return fault_set(why, 400, "A batch must be an array");
	if (limen_value_count(list) > maximum)
		return fault_set(why, 413, "A batch holds %zu questions at most", maximum);
	g_string_append_c(all->out, '[');
	for (limen_iter iter = limen_iter_start(list); limen_iter_next(&iter, NULL, &members);) {
		g_auto(fault) none = { .status = 0 };

		if (all->answered > 0)
			g_string_append_c(all->out, ',');
		answer_one(all, members, &none);
	}
	g_string_append(all->out, "]\n");
	return true;
}

/*
 * Finds the next line that is not blank, from '*at' on, and moves '*at' behind it.  Returns false
 * if there is none.
 */
static bool
next_line(const http_request *request, size_t *at, const char **line, size_t *length)
{
	while (*at < request->length) {
		const char *start = request->body + *at;
		const char *end = memchr(start, '\n', request->length - *at);
		size_t size = end == NULL ? request->length - *at : (size_t)(end - start);

		*at += size + 1;
		*line = start;
		*length = size;
		if (strspn(start, " \t\r") < size)
			return true;
	}
	return false;
}

static bool
answer_lines(batch *all, fault *why)
{
	size_t maximum = all->shared->batch_maximum;
	const char *line;
	size_t count = 0;
	size_t length;
	size_t at = 0;

	/* Lines are counted first: a batch that is refused must not charge anything. */
	while (next_line(all->request, &at, &line, &length))
		count++;
	if (count > maximum)
		return fault_set(why, 413, "A batch holds %zu questions at most", maximum);
	at = 0;
	while (next_line(all->request, &at, &line, &length)) {
		g_auto(fault) none = { .status = 0 };
		g_autoptr(limen_documents) parsed = question_open("The body", line, length, &none);

		answer_one(all, limen_documents_get(parsed, 0), &none);
		g_string_append_c(all->out, '\n');
	}
	return true;
}

bool
answer_batch(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const char *const known[] = { "timeout", NULL };
	http_request alone = *request;
	batch all = {
		.shared = shared,
		.request = &alone,
		.out = response->body,
	};

	/* The decisions of a batch follow one another on this thread. */
	alone.deferral = NULL;
	if (!arguments_check(&request->arguments, known, why))
		return false;
	if (http_type_of(request) == HTTP_JSON)
		return answer_array(&all, why);
	response->content_type = "application/x-ndjson";
	return answer_lines(&all, why);
}
