/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of callers that were compiled with another header. */
#include "base/sized.h"

#include <stdint.h>
#include <string.h>

#include "suite.h"

typedef struct sample {
	size_t size;
	uint64_t first;
	uint64_t second;
} sample;

static void
test_shorter(void)
{
	sample out = { .second = 7 };
	const sample from = { .size = offsetof(sample, second), .first = 1, .second = 2 };

	CU_ASSERT_TRUE(sized_copy(&out, sizeof(out), &from));
	CU_ASSERT_EQUAL(out.first, 1);
	CU_ASSERT_EQUAL(out.second, 7);
}

static void
test_longer(void)
{
	struct {
		sample known;
		unsigned char later[3];
	} from = { .known = { .size = sizeof(sample) + 3, .first = 1, .second = 2 } };
	sample out = { .size = 0 };

	CU_ASSERT_TRUE(sized_copy(&out, sizeof(out), &from));
	CU_ASSERT_EQUAL(out.second, 2);
	from.known.second = 3;
	from.later[2] = 1;
	CU_ASSERT_FALSE(sized_copy(&out, sizeof(out), &from));
	CU_ASSERT_EQUAL(out.second, 2);
}

/* A size that was not set may be any number; nothing behind the struct is read. */
static void
test_unset(void)
{
	sample out = { .size = 0 };
	const sample from = { .size = SIZE_MAX };

	CU_ASSERT_FALSE(sized_copy(&out, sizeof(out), &from));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what a shorter struct lacks stays", test_shorter },
		{ "a longer one counts if the rest is 0", test_longer },
		{ "a size out of range is refused", test_unset },
		{ NULL, NULL },
	};

	return suite_run("core/sized", tests);
}
