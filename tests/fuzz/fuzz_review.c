/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AdmissionReviews of API servers, under LimitRanger and EventRateLimit: each is
 * refused with a reason or gets an answer with its own uid.
 */
#include <limen/documents.h>
#include <limen/question.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_engine.h"

const fuzz_target fuzz_this = { "review", "tests/cli/data/reviews", 1500 };

static void
check_answer(const char *answer, size_t length, const limen_request *req)
{
	limen_documents *read = NULL;
	limen_value response, allowed, uid;
	bool flag = false;

	FUZZ_CHECK(limen_documents_parse("answer.json", answer, length, 0, &read,
	                                 NULL) == LIMEN_OK);
	response = limen_value_get(limen_documents_get(read, 0), "response");
	allowed = limen_value_get(response, "allowed");
	uid = limen_value_get(response, "uid");
	FUZZ_CHECK(limen_value_bool(allowed, &flag));
	FUZZ_CHECK(limen_value_is(uid, limen_request_field(req, LIMEN_FIELD_UID)));
	/* A patch comes with its type, and with nothing that is refused. */
	FUZZ_CHECK(limen_value_exists(limen_value_get(response, "patch")) ==
	           limen_value_exists(limen_value_get(response, "patchType")));
	FUZZ_CHECK(flag || !limen_value_exists(limen_value_get(response, "patch")));
	limen_documents_free(read);
}

static void
answer_review(const limen_request *req, limen_phase phase)
{
	limen_decide_options options = { .size = sizeof(options), .phase = phase };
	limen_decision *decision = NULL;
	size_t length = 0;
	char *answer;

	FUZZ_CHECK(limen_engine_decide(fuzz_engine(), req, &options, &decision) == LIMEN_OK);
	answer = limen_request_answer(req, decision, 0, &length);
	FUZZ_CHECK(answer != NULL);
	check_answer(answer, length, req);
	limen_decision_free(decision);
	free(answer);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const limen_question_options how = { .size = sizeof(how), .requester = "192.0.2.7" };
	limen_diag *diag = limen_diag_new();
	limen_documents *parsed = NULL;
	limen_request *req = NULL;
	int result = limen_documents_parse("review.json", (const char *)data, size, 0, &parsed, diag);

	if (result == LIMEN_OK)
		result = limen_review_read(limen_documents_get(parsed, 0), &how, &req, diag);
	FUZZ_CHECK((result == LIMEN_OK) == (req != NULL));
	if (req == NULL) {
		FUZZ_CHECK(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0);
	} else {
		FUZZ_CHECK(limen_request_review_version(req) != NULL);
		answer_review(req, LIMEN_PHASE_MUTATE);
		answer_review(req, LIMEN_PHASE_VALIDATE);
		answer_review(req, LIMEN_PHASE_WORKLOAD);
		fuzz_engine_decide(fuzz_engine(), req);
	}
	limen_documents_free(parsed);
	limen_request_free(req);
	limen_diag_free(diag);
	return 0;
}
