/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AdmissionReviews of API servers, under LimitRanger and EventRateLimit: each is
 * refused with a reason or gets an answer with its own uid.
 */
#include <string.h>

#include "common/review.h"
#include "common/review_answer.h"
#include "fuzz_engine.h"

const fuzz_target fuzz_this = { "review", "tests/cli/data/reviews", 1500 };

static void
check_answer(const GString *answer, const limen_request *req)
{
	limen_documents *read = NULL;
	limen_value response, allowed, uid;
	bool flag = false;

	FUZZ_CHECK(limen_documents_parse("answer.json", answer->str, answer->len, 0, &read,
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
answer_review(const limen_request *req, const char *api, limen_phase phase)
{
	limen_decide_options options = { .size = sizeof(options), .phase = phase };
	limen_decision *decision = NULL;
	GString *answer = g_string_new(NULL);

	FUZZ_CHECK(limen_engine_decide(fuzz_engine(), req, &options, &decision) == LIMEN_OK);
	review_answer_write(answer, decision, req, api, NULL);
	check_answer(answer, req);
	limen_decision_free(decision);
	g_string_free(answer, TRUE);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const review_peer peer = { "192.0.2.7", "192.0.2.1" };
	limen_diag *diag = limen_diag_new();
	const char *api = NULL;
	limen_request *req;

	if (review_parse((const char *)data, size, &peer, &api, diag, &req) != LIMEN_OK) {
		FUZZ_CHECK(req == NULL);
		FUZZ_CHECK(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0);
	} else {
		FUZZ_CHECK(review_answer_knows(api));
		answer_review(req, api, LIMEN_PHASE_MUTATE);
		answer_review(req, api, LIMEN_PHASE_VALIDATE);
		fuzz_engine_decide(fuzz_engine(), req);
	}
	limen_request_free(req);
	limen_diag_free(diag);
	return 0;
}
