/* SPDX-License-Identifier: Apache-2.0 */
/* JSON pointers, against their steps written byte by byte. */
#include "document/pointer.h"
#include "suite.h"

#include <string.h>

enum {
	LONGEST = 40
};

/* RFC 6901, section 3: ~ is ~0 and / is ~1. */
static void
write_step(char *out, const char *key, size_t length)
{
	*out++ = '/';
	for (size_t i = 0; i < length; i++) {
		if (key[i] == '~' || key[i] == '/') {
			*out++ = '~';
			*out++ = key[i] == '~' ? '0' : '1';
		} else {
			*out++ = key[i];
		}
	}
	*out = '\0';
}

static void
check_step(const char *key, size_t length)
{
	char expected[2 * LONGEST + 2];
	char room[32];
	strbuf pointer = strbuf_within(room, sizeof(room));
	size_t mark;

	write_step(expected, key, length);
	strbuf_adds(&pointer, "/first");
	mark = pointer_enter_member(&pointer, key, length);
	CU_ASSERT_EQUAL(mark, strlen("/first"));
	CU_ASSERT_EQUAL(pointer.length, mark + strlen(expected));
	CU_ASSERT_STRING_EQUAL(pointer.text + mark, expected);
	pointer_leave(&pointer, mark);
	CU_ASSERT_STRING_EQUAL(pointer.text, "/first");
	strbuf_free(&pointer);
}

/* Each byte that is escaped, or next to one that is, in each place of keys of each length. */
static void
test_members(void)
{
	static const char bytes[] = "~/.0}\x7f\xae\xaf\xfe\x01";

	for (size_t length = 0; length <= LONGEST; length++) {
		char key[LONGEST];

		memset(key, 'k', sizeof(key));
		check_step(key, length);
		for (size_t i = 0; i < length; i++) {
			for (size_t j = 0; j < sizeof(bytes) - 1; j++) {
				key[i] = bytes[j];
				check_step(key, length);
			}
			key[i] = 'k';
		}
		memset(key, '~', sizeof(key));
		check_step(key, length);
		memset(key, '/', sizeof(key));
		check_step(key, length);
	}
}

static void
test_elements(void)
{
	strbuf pointer = STRBUF_INIT;

	pointer_enter_element(&pointer, 0);
	pointer_enter_element(&pointer, 10);
	pointer_enter_element(&pointer, SIZE_MAX);
	CU_ASSERT_STRING_EQUAL(pointer.text, SIZE_MAX > UINT32_MAX ? "/0/10/18446744073709551615"
	                                                           : "/0/10/4294967295");
	strbuf_free(&pointer);
}

/* What failed stays so. */
static void
test_failed(void)
{
	strbuf pointer = { .failed = true };

	CU_ASSERT_EQUAL(pointer_enter_member(&pointer, "key", 3), 0);
	CU_ASSERT_TRUE(pointer.failed);
	CU_ASSERT_EQUAL(pointer.length, 0);
	pointer_leave(&pointer, 0);
	strbuf_free(&pointer);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "members", test_members },
		{ "elements", test_elements },
		{ "memory is short", test_failed },
		{ NULL, NULL },
	};

	return suite_run("core/pointer", tests);
}
