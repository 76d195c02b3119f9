/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policy files, JSON and YAML: a load ends, every refusal has words, and what was
 * loaded decides and describes itself.  Nothing is asked of the network.
 */
#include <string.h>

#include "fuzz_engine.h"

const fuzz_target fuzz_this = { "policy", "tests/cli/data", 1500 };

static limen_request *
make_request(limen_subject subject, const char *document)
{
	limen_request *req = limen_request_new(subject);

	FUZZ_CHECK(req != NULL);
	FUZZ_CHECK(limen_request_parse(req, document, strlen(document), NULL) == LIMEN_OK);
	limen_request_set_hint(req, "requester", "192.0.2.1");
	limen_request_set_field(req, LIMEN_FIELD_OPERATION, "CREATE");
	limen_request_set_timeout(req, 2 * LIMEN_SECOND);
	return req;
}

static void
decide_under(limen_engine *engine)
{
	limen_request *task = make_request(
		LIMEN_SUBJECT_TASK, "{\"test\": {\"type\": \"rtt\", \"spec\": {\"count\": 3}}}");
	limen_request *pod = make_request(
		LIMEN_SUBJECT_OBJECT, "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\":"
				      " {\"name\": \"p\"}, \"spec\": {\"containers\":"
				      " [{\"name\": \"c\"}]}}");
	size_t length = 0;
	char *text = limen_engine_describe(engine, 0, &length);

	fuzz_engine_check_json(text, length);
	free(text);
	if (!limen_engine_may_block(engine)) {
		fuzz_engine_decide(engine, task);
		fuzz_engine_decide(engine, pod);
	}
	limen_request_free(task);
	limen_request_free(pod);
}

/* Scripts could run until their time is up, and processes take long to begin. */
static bool
is_slow(const uint8_t *data, size_t size)
{
	static const char *const words[] = { "script", "process", "/dev/", "redis" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (memmem(data, size, words[i], strlen(words[i])) != NULL)
			return true;
	return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	limen_engine *engine = fuzz_engine_idle();
	limen_diag *diag = limen_diag_new();
	int result;

	if (memmem(data, size, "/dev/", 5) == NULL) {
		result = limen_engine_load_text(engine, NULL, (const char *)data, size, diag);
		FUZZ_CHECK(result == LIMEN_OK ||
		           limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0);
		FUZZ_CHECK(result != LIMEN_OK ||
		           limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0);
		if (result == LIMEN_OK && !is_slow(data, size))
			decide_under(engine);
	}
	limen_diag_free(diag);
	return 0;
}
