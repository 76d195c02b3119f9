/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_case.h"
#include "base/strbuf.h"

#define UNKNOWN 30
#define GUESSED 20

/* Loads a policy whose UNKNOWN applications name a classifier by 'name'. */
static limen_diag *
load_applications(const char *name)
{
	limen_engine *engine = policy_case_engine(0);
	limen_diag *diag = limen_diag_new();
	strbuf text = STRBUF_INIT;
	size_t length;
	char *made;

	strbuf_adds(&text, "{\"schema\": 4, \"identifiers\": [], \"limits\": [],"
	                   " \"classifiers\": [{\"name\": \"known\", \"description\": \"\","
	                   " \"identifiers\": []}], \"applications\": [");
	for (int i = 0; i < UNKNOWN; i++)
		strbuf_addf(&text, "%s{\"description\": \"\", \"classifier\": \"%s\","
		                   " \"apply\": []}", i == 0 ? "" : ",", name);
	strbuf_adds(&text, "]}");
	made = strbuf_steal(&text, &length);
	limen_engine_load_text(engine, "policy", made, length, diag);
	free(made);
	limen_engine_free(engine);
	return diag;
}

static void
test_guesses(void)
{
	limen_diag *diag = load_applications("knwon");
	size_t hints = 0;

	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), UNKNOWN);
	for (size_t i = 0; i < UNKNOWN; i++) {
		const limen_problem *one = limen_diag_get(diag, i);

		CU_ASSERT_STRING_EQUAL(one->text, "Unknown classifiers: knwon");
		if (one->hint == NULL)
			continue;
		CU_ASSERT_STRING_EQUAL(one->hint, "did you mean 'known'?");
		CU_ASSERT_EQUAL(i, hints);
		hints++;
	}
	CU_ASSERT_EQUAL(hints, GUESSED);
	limen_diag_free(diag);
}

static void
test_known(void)
{
	limen_diag *diag = load_applications("known");

	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 0);
	limen_diag_free(diag);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every unknown name is reported, the first ones with a guess", test_guesses },
		{ "known names are no problem", test_known },
		{ NULL, NULL },
	};

	return suite_run("core/name_lookup", tests);
}
