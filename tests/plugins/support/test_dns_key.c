/* SPDX-License-Identifier: Apache-2.0 */
/* The names that the cache of the DNS library knows answers by. */
#include "../../../plugins/support/dns/key.h"

#include <string.h>

#include "suite.h"

enum {
	SEED = 42,
	LONGEST = 20
};

/* What a key is made of, byte by byte: printable ASCII but for the backslash. */
static bool
fold_bytes(const char *name, char *out)
{
	for (; *name != '\0'; name++) {
		if (*name <= ' ' || *name > '~' || *name == '\\')
			return false;
		*out++ = (char)(*name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name);
	}
	*out = '\0';
	return true;
}

static bool
is_as_expected(const char *name)
{
	char room[DNS_NAME_MAX];
	char expected[LONGEST + 1];
	size_t length = strlen(name);
	bool good = fold_bytes(name, expected);
	key made;

	if (good && length > 0 && expected[length - 1] == '.')
		expected[--length] = '\0';
	good = good && length > 0;
	if (key_make(SEED, DNS_A, name, room, &made) != good)
		return false;
	return !good || (made.type == DNS_A && made.length == length &&
	                 strcmp(made.name, expected) == 0);
}

static void
test_bytes(void)
{
	for (size_t length = 0; length <= LONGEST; length++) {
		char name[LONGEST + 1] = "";

		memset(name, 'n', length);
		CU_ASSERT_TRUE(is_as_expected(name));
		for (size_t i = 0; i < length; i++) {
			unsigned wrong = 0;

			for (unsigned byte = 1; byte < 256; byte++) {
				name[i] = (char)byte;
				wrong += !is_as_expected(name);
			}
			CU_ASSERT_EQUAL(wrong, 0);
			name[i] = 'n';
		}
	}
}

static void
test_length(void)
{
	char name[DNS_NAME_MAX + 2];
	char room[DNS_NAME_MAX];
	key made;

	memset(name, 'a', sizeof(name));
	name[DNS_NAME_MAX - 1] = '\0';
	CU_ASSERT_TRUE_FATAL(key_make(SEED, DNS_A, name, room, &made));
	CU_ASSERT_EQUAL(made.length, DNS_NAME_MAX - 1);
	CU_ASSERT_STRING_EQUAL(made.name, name);
	name[DNS_NAME_MAX - 1] = 'a';
	name[DNS_NAME_MAX] = '\0';
	CU_ASSERT_FALSE(key_make(SEED, DNS_A, name, room, &made));
}

/* Names that mean the same have one hash; other names, types and seeds have others. */
static void
test_hash(void)
{
	char rooms[2][DNS_NAME_MAX];
	key one, other;

	CU_ASSERT_TRUE(key_make(SEED, DNS_A, "Host.Example.ORG.", rooms[0], &one));
	CU_ASSERT_TRUE(key_make(SEED, DNS_A, "host.example.org", rooms[1], &other));
	CU_ASSERT_EQUAL(one.hash, other.hash);
	CU_ASSERT_TRUE(key_make(SEED, DNS_AAAA, "host.example.org", rooms[1], &other));
	CU_ASSERT_NOT_EQUAL(one.hash, other.hash);
	CU_ASSERT_TRUE(key_make(SEED + 1, DNS_A, "host.example.org", rooms[1], &other));
	CU_ASSERT_NOT_EQUAL(one.hash, other.hash);
	CU_ASSERT_TRUE(key_make(SEED, DNS_A, "host.example.orf", rooms[1], &other));
	CU_ASSERT_NOT_EQUAL(one.hash, other.hash);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "every byte in every place", test_bytes },
		{ "the longest name", test_length },
		{ "hashes", test_hash },
		{ NULL, NULL },
	};

	return suite_run("support/dns key", tests);
}
