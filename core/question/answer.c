/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.c - answers a request in the form it came in, and a text in one call.
 */
#include "question.h"

#include <limen/documents.h>

char *
limen_request_answer(const limen_request *req, const limen_decision *decision, unsigned flags,
                     size_t *length)
{
	if (req == NULL || decision == NULL)
		return NULL;
	if (limen_request_review_version(req) != NULL)
		return review_answer(req, decision, (flags & LIMEN_JSON_BRIEF) != 0, length);
	return decision_to_json(decision, limen_request_id(req), flags, length);
}

/* Decides 'req' and stores its answer; frees 'req'. */
static int
answer(limen_engine *engine, limen_request *req, const limen_decide_options *options, char **out,
       size_t *length)
{
	limen_decision *decision = NULL;
	int result = limen_engine_decide(engine, req, options, &decision);
	char *text = result == LIMEN_OK ? limen_request_answer(req, decision, 0, length) : NULL;

	limen_decision_free(decision);
	limen_request_free(req);
	if (text != NULL)
		*out = text;
	return result == LIMEN_OK && text == NULL ? LIMEN_ENOMEM : result;
}

int
limen_engine_answer_question(limen_engine *engine, const char *text, size_t length,
                             const limen_question_options *settings, char **out, size_t *out_length,
                             limen_diag *diag)
{
	limen_decide_options options = { .size = sizeof(options) };
	limen_documents *parsed = NULL;
	limen_request *req = NULL;
	int result = out == NULL ? LIMEN_EINVAL
	                         : limen_documents_parse("question.json", text, length, 0, &parsed,
	                                                 diag);

	if (result == LIMEN_OK)
		result = limen_question_read(limen_documents_get(parsed, 0), settings, &options, &req,
		                             diag);
	limen_documents_free(parsed);
	return result == LIMEN_OK ? answer(engine, req, &options, out, out_length) : result;
}

int
limen_engine_answer_review(limen_engine *engine, const char *text, size_t length,
                           limen_phase phase, const limen_question_options *settings, char **out,
                           size_t *out_length, limen_diag *diag)
{
	const limen_decide_options options = { .size = sizeof(options), .phase = phase };
	limen_documents *parsed = NULL;
	limen_request *req = NULL;
	int result = out == NULL ? LIMEN_EINVAL
	                         : limen_documents_parse("review.json", text, length, 0, &parsed,
	                                                 diag);

	if (result == LIMEN_OK)
		result = limen_review_read(limen_documents_get(parsed, 0), settings, &req, diag);
	limen_documents_free(parsed);
	return result == LIMEN_OK ? answer(engine, req, &options, out, out_length) : result;
}
