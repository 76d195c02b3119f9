/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq.c - the rewriter "jq" through the real engine: what its data has to be,
 * and that the answer is what the script made of the task, whatever that is.
 * tests/cases/jq has the rules.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "suite.h"

/* The script takes what the hint says for the specification. */
#define TAKE_HINT "{\"script\":\".test.spec = hint(\\\"spec\\\")\"}"

/* Is the rewritten task the JSON 'wanted'? */
static bool
is_rewritten(const limen_kit *kit, const char *wanted)
{
	limen_request *req = limen_request_new(LIMEN_TASK);
	bool same = false;

	if (limen_request_parse(req, wanted, strlen(wanted), NULL) == LIMEN_OK)
		same = limen_value_equal(limen_request_original(req),
		                         limen_decision_rewritten(limen_kit_decision(kit)));
	limen_request_free(req);
	return same;
}

/* Numbers from 'seed' that are the same every time. */
static unsigned
mix(unsigned seed)
{
	seed ^= seed >> 16;
	seed *= 0x7feb352dU;
	seed ^= seed >> 15;
	seed *= 0x846ca68bU;
	return seed ^ seed >> 16;
}

static void
write_scalar(FILE *out, unsigned seed)
{
	static const char *const scalars[] = {
		"null", "true", "false", "\"\"", "\"text\"", "\"\\u0000\\\"\\\\\\n\"",
		"\"\\u00fc\"",
		"0", "1", "1.0", "-7", "2.5", "1e3", "9007199254740992", "1e-7", "1234567.875"
	};

	fputs(scalars[seed % (sizeof(scalars) / sizeof(scalars[0]))], out);
}

/*
 * Writes a value that 'seed' stands for.  With 'changes', some of the nodes in it
 * stand for other seeds, so that most is as without.
 */
static void
write_value(FILE *out, unsigned seed, unsigned changes, int depth)
{
	bool changed = changes != 0 && mix(seed + changes) % 8 == 0;
	unsigned own = mix(changed ? seed ^ changes : seed);
	unsigned count = own / 16 % 6;
	bool is_array = own % 5 == 0;

	if (depth == 0 || own % 5 > 2) {
		write_scalar(out, own / 8);
		return;
	}
	fputc(is_array ? '[' : '{', out);
	for (unsigned i = 0; i < count; i++) {
		fputs(i == 0 ? "" : ",", out);
		if (!is_array)
			fprintf(out, "\"%s%u\":", mix(own + i) % 5 == 0 ? "\\u0000" : "k", i);
		write_value(out, own + i, changes, depth - 1);
	}
	fputc(is_array ? ']' : '}', out);
}

static char *
make_value(unsigned seed, unsigned changes, const char *before, const char *after)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	fputs(before, out);
	write_value(out, seed, changes, 5);
	fputs(after, out);
	fclose(out);
	return text;
}

static void
test_random(void)
{
	limen_kit *kit = plugin_open(LIMEN_KIND_REWRITER, "jq", TAKE_HINT);
	unsigned different = 0;

	for (unsigned i = 1; kit != NULL && i <= 1500; i++) {
		unsigned changes = i % 4 == 0 ? 0 : mix(i);
		char *task = make_value(i, 0, "{\"test\":{\"type\":\"x\",\"spec\":", "}}");
		char *wanted = make_value(i, changes, "{\"test\":{\"type\":\"x\",\"spec\":", "}}");
		char *hints = make_value(i, changes, "{\"spec\":", "}");
		limen_verdict verdict = limen_kit_run(kit, task, hints);
		const limen_decision *decision = limen_kit_decision(kit);
		bool same = strcmp(task, wanted) == 0;

		different += same ? 0 : 1;
		plugin_assert(verdict == LIMEN_PASS && is_rewritten(kit, wanted), __FILE__,
		              __LINE__, "%s to %s: %s", task, wanted, limen_kit_reason(kit));
		plugin_assert(!same || limen_value_count(limen_decision_patch(decision)) == 0,
		              __FILE__, __LINE__, "%s: has a patch", task);
		free(task);
		free(wanted);
		free(hints);
	}
	CU_ASSERT(different > 400);
	limen_kit_free(kit);
}

static void
test_data(void)
{
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{}", "'script' is a required property");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":5}", "/rewrite/script");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":[\".\",5]}", "/rewrite/script/1");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\"\"}", "The script is empty");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\". | (\"}", "/rewrite/script");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\"nope(1)\"}", "nope/1");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\".\",\"args\":[]}", "/rewrite/args");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\".\",\"timeout\":\"PT0S\"}",
	              "/rewrite/timeout");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\".\",\"more\":1}", "'more'");
	plugin_remark(LIMEN_KIND_REWRITER, "jq",
	              "{\"script\":[\".\",\"# done\"],\"args\":{\"a\":1},"
	              "\"timeout\":\"PT2S\"}", "");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_REWRITER, "jq");
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "the answer is what the script made of the task", test_random },
		{ "what the data has to be", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("rewriter/jq", tests);
}
