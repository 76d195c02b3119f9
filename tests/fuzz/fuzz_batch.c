/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The question of a line of "limen check --batch": it is refused with a reason or becomes a
 * request that can be decided, and what was understood of it is the same when it is printed and
 * read again.
 */
#include <glib.h>
#include <limen/documents.h>
#include <stdlib.h>

#include "ask/case.h"
#include "fuzz_engine.h"

const fuzz_target fuzz_this = { "batch", NULL, 1500 };

static const ask_settings defaults = { .decide = { .size = sizeof(limen_decide_options) } };

static bool
read_question(ask_case *out, limen_value document, char **why)
{
	*out = (ask_case){ .request = NULL };
	return case_read_question(&defaults, document, out, why);
}

static bool
is_same(const ask_case *left, const ask_case *right)
{
	return limen_value_equal(limen_request_id(left->request), limen_request_id(right->request)) &&
	       limen_value_equal(limen_request_document(left->request),
	                         limen_request_document(right->request)) &&
	       limen_value_equal(limen_request_hints(left->request),
	                         limen_request_hints(right->request)) &&
	       limen_request_subject(left->request) == limen_request_subject(right->request) &&
	       limen_request_is_dry_run(left->request) == limen_request_is_dry_run(right->request) &&
	       left->options.rewrite == right->options.rewrite &&
	       left->options.prioritize == right->options.prioritize &&
	       left->options.diagnostics == right->options.diagnostics &&
	       left->options.trace == right->options.trace;
}

static void
read_again(const ask_case *first, limen_value document)
{
	size_t length = 0;
	char *text = limen_value_to_json(document, 0, &length);
	limen_documents *parsed = NULL;
	ask_case again;
	char *why = NULL;

	FUZZ_CHECK(text != NULL);
	FUZZ_CHECK(limen_documents_parse("line.json", text, length, 0, &parsed, NULL) == LIMEN_OK);
	FUZZ_CHECK(read_question(&again, limen_documents_get(parsed, 0), &why));
	FUZZ_CHECK(why == NULL && is_same(first, &again));
	limen_request_free(again.request);
	limen_documents_free(parsed);
	free(text);
}

static void
read_line(limen_value document)
{
	ask_case line;
	char *why = NULL;
	bool good = read_question(&line, document, &why);

	FUZZ_CHECK(good == (why == NULL));
	if (good) {
		read_again(&line, document);
		fuzz_engine_decide(fuzz_engine(), line.request);
	}
	limen_request_free(line.request);
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
