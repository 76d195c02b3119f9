/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <string.h>

#include "base/hash.h"

/* Key and input bytes count up from 0, as in the test of SipHash's reference code. */
static void
test_vectors(void)
{
	static const uint64_t expected[] = {
		UINT64_C(0xabac0158050fc4dc), UINT64_C(0xc9f49bf37d57ca93),
		UINT64_C(0x82cb9b024dc7d44d), UINT64_C(0x8bf80ab8e7ddf7fb),
		UINT64_C(0xcf75576088d38328), UINT64_C(0xdef9d52f49533b67),
		UINT64_C(0xc50d2b50c59f22a7), UINT64_C(0xd3927d989bb11140),
		UINT64_C(0x369095118d299a8e), UINT64_C(0x25a48eb36c063de4),
		UINT64_C(0x79de85ee92ff097f), UINT64_C(0x70c118c1f94dc352),
		UINT64_C(0x78a384b157b4d9a2), UINT64_C(0x306f760c1229ffa7),
		UINT64_C(0x605aa111c0f95d34), UINT64_C(0xd320d86d2a519956),
		UINT64_C(0xcc4fdd1a7d908b66),
	};
	const hash_key key = { { UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908) } };
	unsigned char bytes[sizeof(expected) / sizeof(expected[0])];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)i;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		CU_ASSERT_EQUAL(hash_bytes(&key, bytes, i), expected[i]);
}

static void
test_keys_differ(void)
{
	hash_key a = hash_key_new();
	hash_key b = hash_key_new();

	CU_ASSERT_NOT_EQUAL(memcmp(&a, &b, sizeof(a)), 0);
	CU_ASSERT_NOT_EQUAL(hash_bytes(&a, "limit", 5), hash_bytes(&b, "limit", 5));
	CU_ASSERT_EQUAL(hash_bytes(&a, "limit", 5), hash_bytes(&a, "limit", 5));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "agrees with SipHash-1-3", test_vectors },
		{ "every key is drawn anew", test_keys_differ },
		{ NULL, NULL },
	};

	return suite_run("core/hash", tests);
}
