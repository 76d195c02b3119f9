/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq.c - the prioritizer "jq" through the real engine: what its data has to
 * be, and sums of random steps.  tests/cases/jq has the rules.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "suite.h"

/* Takes the steps of the task one after another: [value] sets, a number adjusts. */
#define TAKE_STEPS \
	"{\"script\":\"reduce .steps[] as $s (.; if $s | type == \\\"array\\\" " \
	"then set($s[0]; \\\"S\\\") else adjust($s; \\\"A\\\") end)\"}"

#define RUN "\"run_schedule\":{\"start\":\"2020-01-01T00:00:00Z\",\"duration\":\"PT10S\"}"

static void
test_random(void)
{
	limen_kit *kit = plugin_open(LIMEN_KIND_PRIORITIZER, "jq", TAKE_STEPS);

	for (unsigned seed = 1; kit != NULL && seed <= 500; seed++) {
		char *task = NULL;
		size_t length;
		FILE *out = open_memstream(&task, &length);
		double wanted = 0.0, found = 0.0;
		bool given;

		srand(seed);
		fprintf(out, "{" RUN ",\"steps\":[");
		for (int i = rand() % 20; i >= 0; i--) {
			/* Halves are exact, whatever is added to them. */
			double step = (rand() % 2001 - 1000) / 2.0;
			bool sets = rand() % 5 == 0;

			fprintf(out, sets ? "[%.1f]%s" : "%.1f%s", step, i == 0 ? "" : ",");
			wanted = sets ? step : wanted + step;
		}
		fprintf(out, "]}");
		fclose(out);
		CU_ASSERT_EQUAL(limen_kit_run(kit, task, NULL), LIMEN_PASS);
		given = limen_decision_priority(limen_kit_decision(kit), &found);
		plugin_assert(given && found == wanted, __FILE__, __LINE__, "%s: %g, not %g", task,
		              found, wanted);
		free(task);
	}
	limen_kit_free(kit);
}

static void
test_data(void)
{
	plugin_refuse(LIMEN_KIND_PRIORITIZER, "jq", "{}", "'script' is a required property");
	plugin_refuse(LIMEN_KIND_PRIORITIZER, "jq", "{\"script\":5}", "/priority/script");
	plugin_refuse(LIMEN_KIND_PRIORITIZER, "jq", "{\"script\":\"set(1)\"}", "set/1");
	plugin_refuse(LIMEN_KIND_PRIORITIZER, "jq", "{\"script\":\"change(1)\"}", "change/1");
	plugin_refuse(LIMEN_KIND_PRIORITIZER, "jq", "{\"script\":\".\",\"args\":5}",
	              "/priority/args");
	plugin_refuse(LIMEN_KIND_PRIORITIZER, "jq", "{\"script\":\".\",\"timeout\":\"P1D\"}",
	              "/priority/timeout");
	plugin_refuse(LIMEN_KIND_PRIORITIZER, "jq", "{\"script\":\".\",\"more\":1}", "'more'");
	plugin_remark(LIMEN_KIND_PRIORITIZER, "jq", "{\"script\":[\".\",\"# done\"]}", "");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_PRIORITIZER, "jq");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "set and adjust, one after another", test_random },
		{ "what the data has to be", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("prioritizer/jq", tests);
}
