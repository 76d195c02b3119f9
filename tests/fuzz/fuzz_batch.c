/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of "limen check --batch": it is refused with a reason or becomes a request that
 * can be decided, and what was understood of it is the same when it is printed and read
 * again.
 */
#include <glib.h>
#include <string.h>

#include "check/batch_line.h"
#include "fuzz_engine.h"

const fuzz_target fuzz_this = { "batch", NULL, 1500 };

static const ask_settings defaults;

static bool
is_same(const batch_line *left, const batch_line *right)
{
	return g_strcmp0(left->id, right->id) == 0 && left->gone == right->gone &&
	       limen_value_equal(left->request, right->request) &&
	       limen_value_equal(left->policy, right->policy) &&
	       limen_value_equal(left->ask.hint_object, right->ask.hint_object) &&
	       left->ask.subject == right->ask.subject &&
	       left->ask.rewrite == right->ask.rewrite &&
	       left->ask.prioritize == right->ask.prioritize &&
	       left->ask.diagnostics == right->ask.diagnostics &&
	       left->ask.explain == right->ask.explain &&
	       left->ask.dry_run == right->ask.dry_run &&
	       g_strcmp0(left->ask.namespace, right->ask.namespace) == 0 &&
	       left->ask.has_time == right->ask.has_time && left->ask.time == right->ask.time;
}

static void
read_again(const batch_line *line)
{
	size_t length = 0;
	char *text = limen_value_print(limen_request_document(line->holder), 0, &length);
	batch_line again;
	char *why = NULL;

	FUZZ_CHECK(text != NULL);
	FUZZ_CHECK(batch_line_read(&again, line->number, &defaults, text, length, &why));
	FUZZ_CHECK(why == NULL && is_same(line, &again));
	batch_line_finish(&again);
	free(text);
}

static void
ask(const batch_line *line)
{
	limen_diag *diag = limen_diag_new();
	char *why = NULL;
	size_t length = 0;
	char *text = limen_value_print(line->request, 0, &length);
	limen_request *req = ask_read(&line->ask, text, length, diag, &why);

	FUZZ_CHECK(req != NULL || why != NULL || limen_diag_count(diag, LIMEN_PROBLEM) > 0);
	if (req != NULL && ask_complete(&line->ask, req, &why))
		fuzz_engine_decide(fuzz_engine(), req);
	else
		FUZZ_CHECK(req == NULL || why != NULL);
	limen_request_free(req);
	limen_diag_free(diag);
	g_free(why);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	batch_line line;
	char *why = NULL;
	bool good = batch_line_read(&line, 1, &defaults, (const char *)data, size, &why);

	FUZZ_CHECK(good == (why == NULL));
	if (line.id != NULL)
		fuzz_engine_check_json(line.id, strlen(line.id));
	if (good) {
		read_again(&line);
		ask(&line);
	}
	batch_line_finish(&line);
	g_free(why);
	return 0;
}
