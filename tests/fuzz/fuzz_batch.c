/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of "limen check --batch": it is refused with a reason or becomes a request that
 * can be decided, and what was understood of it is the same when it is printed and read
 * again.
 */
#include <glib.h>
#include <limen/documents.h>
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
	       left->ask.how.rewrite == right->ask.how.rewrite &&
	       left->ask.how.prioritize == right->ask.how.prioritize &&
	       left->ask.how.diagnostics == right->ask.how.diagnostics &&
	       left->ask.how.explain == right->ask.how.explain &&
	       left->ask.how.dry_run == right->ask.how.dry_run &&
	       g_strcmp0(left->ask.namespace, right->ask.namespace) == 0 &&
	       left->ask.has_time == right->ask.has_time && left->ask.time == right->ask.time;
}

static void
read_again(const batch_line *line, limen_value document)
{
	size_t length = 0;
	char *text = limen_value_to_json(document, 0, &length);
	limen_documents *parsed = NULL;
	batch_line again;
	char *why = NULL;

	FUZZ_CHECK(text != NULL);
	FUZZ_CHECK(limen_documents_parse("line.json", text, length, 0, &parsed, NULL) == LIMEN_OK);
	FUZZ_CHECK(batch_line_read(&again, &defaults, limen_documents_get(parsed, 0), &why));
	FUZZ_CHECK(why == NULL && is_same(line, &again));
	batch_line_finish(&again);
	limen_documents_free(parsed);
	free(text);
}

static void
ask(const batch_line *line)
{
	char *why = NULL;
	limen_request *req = batch_line_request(line, &why);

	FUZZ_CHECK((req == NULL) == (why != NULL));
	if (req != NULL)
		fuzz_engine_decide(fuzz_engine(), req);
	limen_request_free(req);
	g_free(why);
}

static void
read_line(limen_value document)
{
	batch_line line;
	char *why = NULL;
	bool good = batch_line_read(&line, &defaults, document, &why);

	FUZZ_CHECK(good == (why == NULL));
	if (line.id != NULL)
		fuzz_engine_check_json(line.id, strlen(line.id));
	if (good) {
		read_again(&line, document);
		ask(&line);
	}
	batch_line_finish(&line);
	g_free(why);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	limen_documents *parsed = NULL;

	if (limen_documents_parse("line.json", (const char *)data, size, 0, &parsed, NULL) == LIMEN_OK)
		read_line(limen_documents_get(parsed, 0));
	limen_documents_free(parsed);
	return 0;
}
