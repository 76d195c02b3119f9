/* SPDX-License-Identifier: Apache-2.0 */
/* test_sha256.c - the examples of FIPS 180-4, and every length around a block. */
#include "sha256.h"

#include <stdio.h>
#include <string.h>

#include "suite.h"

static void
check(const char *text, size_t length, const char *wanted)
{
	uint8_t hash[SHA256_SIZE];
	char found[2 * SHA256_SIZE + 1];

	sha256(text, length, hash);
	for (size_t i = 0; i < SHA256_SIZE; i++)
		snprintf(found + 2 * i, 3, "%02x", hash[i]);
	CU_ASSERT_STRING_EQUAL(found, wanted);
}

static void
test_examples(void)
{
	static char million[1000000];

	memset(million, 'a', sizeof(million));
	check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
	      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	check(million, sizeof(million),
	      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* The hash of the hashes of 0 to 200 bytes of 'x', as sha256sum computes it. */
static void
test_lengths(void)
{
	uint8_t hashes[201][SHA256_SIZE];
	char text[200];

	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i <= sizeof(text); i++)
		sha256(text, i, hashes[i]);
	check((const char *)hashes, sizeof(hashes),
	      "2e9fcf76499976b60177466c31b8ab5caa7d4c6dd8dd97c8ce7b574af689ec94");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the examples of the standard", test_examples },
		{ "each length around the end of a block", test_lengths },
		{ NULL, NULL },
	};

	return suite_run("plugins/support/sha256", tests);
}
