/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much the clones of a policy may repeat: limits of type "test-type", whose data of n
 * types has n + 3 values, or of type "rate" with a long key.  What clones are is shown by the cases in tests/cases/clone.
 */
#include "peak.h"
#include "policy_case.h"
#include "base/strbuf.h"

#define VALUES_MAX ((size_t)1000000)
#define BYTES_MAX ((size_t)64 << 20)
#define OTHER_TEXT strlen("ratekey1/shint:")

static void
begin(strbuf *text, const char *data)
{
	strbuf_adds(text, "{\"schema\": 4, " EVERYBODY ", \"applications\": [{\"apply\": []}],"
	                  " \"limits\": [{\"name\": \"source\", \"description\": \"x\","
	                  " ");
	strbuf_adds(text, data);
}

static void
end(strbuf *text)
{
	strbuf_adds(text, "]}");
	CU_ASSERT_FALSE_FATAL(text->failed);
}

static void
add_clones(strbuf *text, size_t count, bool chain)
{
	for (size_t i = 0; i < count; i++) {
		strbuf_addf(text, ",\n{\"name\": \"c%zu\", \"description\": \"x\", \"data\": {},"
		                  " \"clone\": \"", i + 1);
		if (chain && i > 0)
			strbuf_addf(text, "c%zu\"}", i);
		else
			strbuf_adds(text, "source\"}");
	}
}

/* A limit of 'values' values in its data, and 'count' clones of it, or one of the other. */
static strbuf
make_values(size_t values, size_t count, bool chain)
{
	strbuf text = STRBUF_INIT;

	begin(&text, "\"type\": \"test-type\", \"data\": {\"types\": [\"rtt\"");
	for (size_t i = 1; i < values - 3; i++)
		strbuf_adds(&text, ",\"rtt\"");
	strbuf_adds(&text, "]}}");
	add_clones(&text, count, chain);
	return text;
}

/* A limit of 'length' bytes of text in its data, and 'count' clones of it. */
static strbuf
make_bytes(size_t length, size_t count)
{
	strbuf text = STRBUF_INIT;

	begin(&text, "\"type\": \"rate\", \"data\": {\"rate\": \"1/s\", \"key\": [\"hint:");
	for (size_t i = 0; i < length - OTHER_TEXT; i++)
		strbuf_addc(&text, 't');
	strbuf_adds(&text, "\"]}}");
	add_clones(&text, count, false);
	return text;
}

static void
expect_good(strbuf text)
{
	limen_engine *engine = policy_case_engine(0);

	end(&text);
	policy_case_load(engine, text.text);
	CU_ASSERT_TRUE(policy_case_admits(engine));
	limen_engine_free(engine);
	strbuf_free(&text);
}

static void
expect_refused(strbuf text, const char *problems)
{
	limen_engine *engine = policy_case_engine(0);

	end(&text);
	policy_case_refuse(engine, text.text, LIMEN_ECONFIG, problems);
	limen_engine_free(engine);
	strbuf_free(&text);
}

static void
test_values(void)
{
	strbuf more = make_values(VALUES_MAX / 100, 100, false);

	expect_good(make_values(VALUES_MAX / 100, 100, false));
	expect_good(make_values(VALUES_MAX / 100, 100, true));
	/* One that repeats nothing is one more value all the same. */
	strbuf_adds(&more, ",\n{\"name\": \"small\", \"description\": \"x\", \"type\": \"pass-fail\","
	                   " \"data\": {\"pass\": true}},"
	                   "\n{\"name\": \"last\", \"description\": \"x\","
	                   " \"clone\": \"small\", \"data\": {}}");
	expect_refused(more, "problem /limits/102 103:1 Limit 'last': there are more than 1000000 values, "
	                     "counting what clones repeat");
}

static void
test_bytes(void)
{
	strbuf more = make_bytes(BYTES_MAX / 64, 64);

	expect_good(make_bytes(BYTES_MAX / 64, 64));
	strbuf_adds(&more, ",\n{\"name\": \"last\", \"description\": \"x\","
	                   " \"clone\": \"source\", \"data\": {}}");
	expect_refused(more, "problem /limits/65 66:1 Limit 'last': there are more than 67108864 bytes of "
	                     "text, counting what clones repeat");
}

/* What the clones had that come after the one that is refused would be 800 MB. */
static void
test_memory(bool chain)
{
	strbuf text = make_values(VALUES_MAX / 100, 1000, chain);
	long before = get_peak();

	expect_refused(text, "problem /limits/101 102:1 Limit 'c101': there are more than 1000000 values, "
	                     "counting what clones repeat");
	CU_ASSERT(get_peak() - before < 192 * 1024);
}

static void
test_memory_of_clones(void)
{
	test_memory(false);
}

static void
test_memory_of_chain(void)
{
	test_memory(true);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what is made for clones too many takes no memory", test_memory_of_clones },
		{ "nor what clones of clones repeat", test_memory_of_chain },
		{ "clones repeat so many values", test_values },
		{ "and so much text", test_bytes },
		{ NULL, NULL },
	};

	return suite_run("core/clones", tests);
}
