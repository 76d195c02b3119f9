/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks of pScheduler: a line that is the hint "requester", a line that is the
 * hint "user", then the task, under a policy with every sort of limit.
 */
#include <string.h>

#include "fuzz_engine.h"

const fuzz_target fuzz_this = { "task", NULL, 1500 };

/* Sets the hint from the next line, where it is text; returns what follows. */
static size_t
read_hint(limen_request *req, const char *name, const char *text, size_t at, size_t size)
{
	const char *end = memchr(text + at, '\n', size - at);
	size_t length = end == NULL ? size - at : (size_t)(end - text) - at;
	char *value = strndup(text + at, length);

	FUZZ_CHECK(value != NULL);
	if (length > 0)
		limen_request_set_hint(req, name, value);
	free(value);
	return end == NULL ? size : at + length + 1;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	limen_engine *engine = fuzz_engine();
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_diag *diag = limen_diag_new();
	const char *text = (const char *)data;
	limen_run run;
	size_t at;
	int result;

	FUZZ_CHECK(req != NULL);
	at = read_hint(req, "requester", text, 0, size);
	at = read_hint(req, "user", text, at, size);
	result = limen_request_parse(req, text + at, size - at, diag);
	FUZZ_CHECK(result == LIMEN_OK || result == LIMEN_EINVAL);
	FUZZ_CHECK((result == LIMEN_OK) == (limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0));
	if (result == LIMEN_OK) {
		if (limen_request_run(req, &run, NULL) == LIMEN_OK)
			FUZZ_CHECK(run.end.time == run.start.time + run.duration);
		fuzz_engine_decide(engine, req);
	}
	limen_diag_free(diag);
	limen_request_free(req);
	return 0;
}
