/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "suite.h"

static void
test_build(void)
{
	strbuf buf = STRBUF_INIT;
	size_t length = 0;
	char *text;

	strbuf_adds(&buf, "one");
	strbuf_addc(&buf, ' ');
	strbuf_add(&buf, "twofold", 3);
	strbuf_addf(&buf, " %d%s", 3, "!");
	CU_ASSERT_STRING_EQUAL(buf.text, "one two 3!");
	text = strbuf_steal(&buf, &length);
	CU_ASSERT_STRING_EQUAL(text, "one two 3!");
	CU_ASSERT_EQUAL(length, 10);
	CU_ASSERT_PTR_NULL(buf.text);
	CU_ASSERT_EQUAL(buf.length, 0);
	free(text);
}

static void
test_empty(void)
{
	strbuf buf = STRBUF_INIT;
	size_t length = 7;
	char *text = strbuf_steal(&buf, &length);

	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_EQUAL(length, 0);
	free(text);
	strbuf_add(&buf, NULL, 0);
	CU_ASSERT_STRING_EQUAL(buf.text, "");
	strbuf_free(&buf);
	strbuf_free(&buf);
}

static void
test_bytes(void)
{
	strbuf buf = STRBUF_INIT;

	strbuf_add(&buf, "a\0b", 3);
	strbuf_addc(&buf, '\0');
	strbuf_addf(&buf, "%c", '\0');
	CU_ASSERT_EQUAL(buf.length, 5);
	CU_ASSERT_EQUAL(memcmp(buf.text, "a\0b\0\0", 6), 0);
	strbuf_free(&buf);
}

/* Whatever sizes it grew by, the text is the sum of its parts. */
static void
test_growth(void)
{
	strbuf buf = STRBUF_INIT;
	char *all = malloc(200000);
	size_t length = 0;

	for (size_t i = 0; length < 190000; i++) {
		char part[700];
		size_t size = i * 37 % sizeof(part);

		memset(part, (int)('a' + i % 26), sizeof(part));
		memcpy(all + length, part, size);
		length += size;
		strbuf_add(&buf, part, size);
		CU_ASSERT_EQUAL(buf.text[buf.length], '\0');
	}
	CU_ASSERT_EQUAL_FATAL(buf.length, length);
	CU_ASSERT_EQUAL(memcmp(buf.text, all, length), 0);
	free(all);
	strbuf_free(&buf);
}

/* A text with a piece missing must not pass for a whole one. */
static void
test_no_memory(void)
{
	strbuf buf = STRBUF_INIT;
	char wide[200];

	memset(wide, 'x', sizeof(wide));
	strbuf_adds(&buf, "before");
	fail_malloc_once(1);
	strbuf_add(&buf, wide, sizeof(wide));
	CU_ASSERT_TRUE(fail_malloc_stop());
	CU_ASSERT_TRUE(buf.failed);
	strbuf_adds(&buf, "after");
	strbuf_addf(&buf, "%d", 1);
	CU_ASSERT_PTR_NULL(strbuf_steal(&buf, NULL));
	/* It can be used again. */
	strbuf_adds(&buf, "fresh");
	CU_ASSERT_FALSE(buf.failed);
	CU_ASSERT_STRING_EQUAL(buf.text, "fresh");
	strbuf_free(&buf);
}

static void
test_no_memory_at_once(void)
{
	strbuf buf = STRBUF_INIT;

	fail_malloc_once(1);
	CU_ASSERT_PTR_NULL(strbuf_steal(&buf, NULL));
	CU_ASSERT_TRUE(fail_malloc_stop());
	strbuf_free(&buf);
}

static void
test_overflow(void)
{
	strbuf buf = STRBUF_INIT;

	strbuf_adds(&buf, "x");
	strbuf_add(&buf, "y", SIZE_MAX - 1);
	CU_ASSERT_STRING_EQUAL(buf.text, "x");
	CU_ASSERT_PTR_NULL(strbuf_steal(&buf, NULL));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "parts add up", test_build },
		{ "an empty text is a text", test_empty },
		{ "NULs count as bytes", test_bytes },
		{ "text grows in any steps", test_growth },
		{ "a failed addition spoils the text and all that follow", test_no_memory },
		{ "a failed first allocation is reported", test_no_memory_at_once },
		{ "a length that overflows is a failed addition", test_overflow },
		{ NULL, NULL },
	};

	return suite_run("core/strbuf", tests);
}
