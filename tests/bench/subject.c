/* SPDX-License-Identifier: Apache-2.0 */
#include "subject.h"

#include <glib.h>
#include <limen/documents.h>
#include <limen/question.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"

enum {
	FILE_MAX = 1 << 20,
	WARM = 5000,
	COUNTED = 1000
};

char *
subject_read(const char *name, size_t *length)
{
	char *text = calloc(1, FILE_MAX);
	char *path = g_strdup_printf("%s/%s", BENCH_DIR, name);
	FILE *stream = fopen(path, "r");

	if (text == NULL || stream == NULL)
		bench_die("%s cannot be read", path);
	*length = fread(text, 1, FILE_MAX - 1, stream);
	fclose(stream);
	g_free(path);
	return text;
}

limen_engine *
subject_engine_text(const char *policy)
{
	const limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
	};
	limen_engine *engine = limen_engine_new(&options);
	limen_diag *diag = limen_diag_new();

	if (engine == NULL || diag == NULL)
		bench_die("out of memory");
	if (limen_engine_load_text(engine, "policy.conf", policy, strlen(policy), diag) !=
	    LIMEN_OK) {
		limen_diag_write(diag, stderr);
		bench_die("the policy does not load");
	}
	limen_diag_free(diag);
	if (!limen_engine_wait_ready(engine, 30 * LIMEN_SECOND))
		bench_die("the policy does not get ready");
	return engine;
}

limen_engine *
subject_engine(const char *name)
{
	size_t length;
	char *text = subject_read(name, &length);
	limen_engine *engine = subject_engine_text(text);

	free(text);
	return engine;
}

limen_request *
subject_review(const char *text, size_t length)
{
	static const limen_question_options how = { .size = sizeof(how),
		                                    .requester = "192.0.2.1",
		                                    .server = "192.0.2.2" };
	limen_diag *diag = limen_diag_new();
	limen_documents *parsed = NULL;
	limen_request *req;

	if (limen_documents_parse("review.json", text, length, 0, &parsed, diag) != LIMEN_OK ||
	    limen_review_read(limen_documents_get(parsed, 0), &how, &req, diag) != LIMEN_OK)
		bench_die("the review cannot be read");
	limen_documents_free(parsed);
	limen_diag_free(diag);
	return req;
}

limen_request *
subject_task(const char *text, const char *requester)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	if (req == NULL || limen_request_parse(req, text, strlen(text), NULL) != LIMEN_OK ||
	    (requester != NULL &&
	     limen_request_set_hint(req, "requester", requester) != LIMEN_OK))
		bench_die("the task cannot be read");
	return req;
}

static limen_decision *
decide(const subject *about, const limen_request *req)
{
	limen_decision *decision = NULL;

	if (limen_engine_decide(about->engine, req, &about->options, &decision) != LIMEN_OK)
		bench_die("nothing was decided");
	if (!about->unsettled && limen_decision_admitted(decision) == about->refused)
		bench_die("decided otherwise than expected: %s", limen_decision_reason(decision));
	return decision;
}

void
subject_decide(void *data, size_t calls)
{
	const subject *about = data;

	for (size_t i = 0; i < calls; i++)
		limen_decision_free(decide(about, about->request));
}

void
subject_answer(void *data, size_t calls)
{
	const subject *about = data;

	for (size_t i = 0; i < calls; i++) {
		limen_request *req = subject_review(about->text, about->length);
		limen_decision *decision = decide(about, req);

		free(limen_request_answer(req, decision, 0, NULL));
		limen_decision_free(decision);
		limen_request_free(req);
	}
}

void
subject_count(const char *name, void (*run)(void *data, size_t calls), void *data, double goal)
{
	size_t count, bytes;

	if (!allocations_known()) {
		bench_skip(name, "this build brings an allocator of its own");
		return;
	}
	if (!bench_wants(name))
		return;
	run(data, WARM);
	allocations_start();
	run(data, COUNTED);
	allocations_stop(&count, &bytes);
	bench_figure(name, (double)count / (int)COUNTED, "calls", goal);
}
