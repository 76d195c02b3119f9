/* SPDX-License-Identifier: Apache-2.0 */
/* The names that the cache of the DNS library knows answers by. */
#include "../../../plugins/support/dns/cache.h"

#include <string.h>

#include "suite.h"

enum {
	LONGEST = 20
};

static cache *store;

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
	char expected[LONGEST + 1];
	size_t length = strlen(name);
	bool good = fold_bytes(name, expected);
	key made;

	if (good && length > 0 && expected[length - 1] == '.')
		expected[--length] = '\0';
	good = good && length > 0;
	if (cache_make_key(store, DNS_A, name, &made) != good)
		return false;
	return !good || (made.length == length + 1 && strcmp(key_name(&made), expected) == 0);
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
	key made;

	memset(name, 'a', sizeof(name));
	name[DNS_NAME_MAX - 1] = '\0';
	CU_ASSERT_TRUE_FATAL(cache_make_key(store, DNS_A, name, &made));
	CU_ASSERT_EQUAL(made.length, DNS_NAME_MAX);
	CU_ASSERT_STRING_EQUAL(key_name(&made), name);
	name[DNS_NAME_MAX - 1] = 'a';
	name[DNS_NAME_MAX] = '\0';
	CU_ASSERT_FALSE(cache_make_key(store, DNS_A, name, &made));
}

/* Names that mean the same have one hash; other names, types and caches have others. */
static void
test_hash(void)
{
	cache *another = cache_new();
	key one, other;

	CU_ASSERT_PTR_NOT_NULL_FATAL(another);
	CU_ASSERT_TRUE(cache_make_key(store, DNS_A, "Host.Example.ORG.", &one));
	CU_ASSERT_TRUE(cache_make_key(store, DNS_A, "host.example.org", &other));
	CU_ASSERT_EQUAL(one.hash, other.hash);
	CU_ASSERT_TRUE(cache_make_key(store, DNS_AAAA, "host.example.org", &other));
	CU_ASSERT_NOT_EQUAL(one.hash, other.hash);
	CU_ASSERT_TRUE(cache_make_key(another, DNS_A, "host.example.org", &other));
	CU_ASSERT_NOT_EQUAL(one.hash, other.hash);
	CU_ASSERT_TRUE(cache_make_key(store, DNS_A, "host.example.orf", &other));
	CU_ASSERT_NOT_EQUAL(one.hash, other.hash);
	cache_free(another);
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

	int failures;

	store = cache_new();
	if (store == NULL)
		return 99;
	failures = suite_run("support/dns key", tests);
	cache_free(store);
	return failures;
}
