/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of everything that modules are compiled against, for 64-bit
 * machines.  Within a major number nothing here changes; what is appended gets
 * a line of its own.
 */
#include <limen/limen.h>
#include <limen/module.h>

#include "suite.h"

#define AT(type, field, place) \
	_Static_assert(offsetof(type, field) == (place), #type "." #field " has moved")
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")

#if UINTPTR_MAX == UINT64_MAX

AT(limen_module_head, abi_major, 0);
AT(limen_module_head, abi_minor, 4);
AT(limen_module_head, kind, 8);
AT(limen_module_head, size, 12);
AT(limen_module_head, name, 16);
AT(limen_module_head, option_size, 24);
AT(limen_module_head, instance_size, 28);
AT(limen_module_head, flags, 32);
AT(limen_module_head, version, 40);
AT(limen_module_head, summary, 48);
AT(limen_module_head, options, 56);
AT(limen_module_head, init, 64);
AT(limen_module_head, open, 72);
AT(limen_module_head, close, 80);
AT(limen_module_head, status, 88);
AT(limen_module_head, reserved, 96);
SIZE(limen_module_head, 128);

AT(limen_identifier_module, identify, 128);
AT(limen_identifier_module, identify_now, 136); /* 0.3 */
AT(limen_rewriter_module, rewrite, 128);
AT(limen_limit_module, check, 128);
AT(limen_admission_module, mutate, 128);
AT(limen_admission_module, validate, 136);
AT(limen_admission_module, ready, 144);
AT(limen_prioritizer_module, prioritize, 128);
AT(limen_store_module, open_table, 128);
AT(limen_store_module, close_table, 136);
AT(limen_store_module, take, 144);
AT(limen_store_module, give_back, 152);
AT(limen_store_module, table_status, 160);
AT(limen_store_module, each_bucket, 168); /* 0.3 */
AT(limen_store_module, reset_buckets, 176);
AT(limen_store_module, restore, 184);

AT(limen_option, type, 0);
AT(limen_option, offset, 4);
AT(limen_option, rows, 8);
AT(limen_option, row_size, 16);
AT(limen_option, key, 24);
AT(limen_option, required, 32);
AT(limen_option, minimum_count, 36);
AT(limen_option, minimum, 40);
AT(limen_option, maximum, 48);
AT(limen_option, pattern, 56);
AT(limen_option, fallback, 64);
AT(limen_option, choices, 72);
AT(limen_option, help, 80);
AT(limen_option, note, 88);
AT(limen_option, secret, 96);
SIZE(limen_option, 104);

/* What fields of instances are made of. */
SIZE(limen_value, 16);
SIZE(limen_iter, 24);
SIZE(limen_strings, 16);
AT(limen_strings, count, 8);
SIZE(limen_ints, 16);
SIZE(limen_range, 16);
AT(limen_range, upper, 8);
SIZE(limen_ranges, 16);
SIZE(limen_rows, 16);
AT(limen_rows, count, 8);
AT(limen_transform, script, 0);
AT(limen_transform, args, 8);
AT(limen_transform, where, 24);
AT(limen_transform, output_raw, 40);
SIZE(limen_transform, 48);
AT(limen_timestamp, time, 0);
AT(limen_timestamp, offset, 8);
AT(limen_timestamp, zoned, 12);
SIZE(limen_timestamp, 16);
AT(limen_date, month, 4);
AT(limen_date, day, 8);
SIZE(limen_date, 12);

/* What methods are given and fill. */
AT(limen_run, start, 0);
AT(limen_run, end, 16);
AT(limen_run, duration, 32);
SIZE(limen_run, 40);
AT(limen_network, prefix, 17);
SIZE(limen_network, 18);
AT(limen_take, table, 0);
AT(limen_take, key, 8);
AT(limen_take, key_length, 16);
AT(limen_take, amount, 24);
AT(limen_take, wait, 32);
AT(limen_take, granted, 40);
AT(limen_take, reading, 48);
AT(limen_take, reserved, 56);
SIZE(limen_take, 64);
AT(limen_bound, reserved, 32);
SIZE(limen_bound, 48);
AT(limen_store_take, table, 0);
AT(limen_store_take, key, 8);
AT(limen_store_take, key_length, 16);
AT(limen_store_take, amount, 24);
AT(limen_store_take, wait, 32);
AT(limen_store_take, cookie, 40);
AT(limen_store_take, granted, 48);
AT(limen_store_take, reading, 56);
SIZE(limen_store_take, 64);
AT(limen_table_spec, size, 0);
AT(limen_table_spec, name, 8);
AT(limen_table_spec, tokens, 16);
AT(limen_table_spec, period, 24);
AT(limen_table_spec, burst, 32);
AT(limen_table_spec, capacity, 40);
AT(limen_table_spec, keys, 48); /* 0.3 */
AT(limen_table_spec, rate, 56);
AT(limen_table_spec, eviction, 64);
AT(limen_table_spec, kind, 68);
AT(limen_table_spec, unit, 72);
AT(limen_table_spec, find_period, 80);
AT(limen_table_spec, calendar, 88);
SIZE(limen_period, 24);
SIZE(limen_reading, 32);
SIZE(limen_calendar, 40);

#endif

/* Numbers that stand in compiled modules. */
_Static_assert(LIMEN_ERROR == 0 && LIMEN_PASS == 1 && LIMEN_FAIL == 2 && LIMEN_SKIP == 3,
               "verdicts");
_Static_assert(LIMEN_OPTION_NONE == 0 && LIMEN_OPTION_STORE == 18 && LIMEN_OPTION_SCRIPT == 19 &&
                       LIMEN_OPTION_TIME_OF_DAY == 21 && LIMEN_OPTION_DATE == 22,
               "option types");
_Static_assert(LIMEN_KIND_IDENTIFIER == 1 && LIMEN_KIND_STORE == 6, "kinds");
_Static_assert(LIMEN_FIELD_UID == 0 && LIMEN_FIELD_SUBRESOURCE == 15, "fields");
_Static_assert(LIMEN_MODULE_SERIALIZE == 1 && LIMEN_MODULE_BLOCKING == 2 &&
                       LIMEN_MODULE_RUNS_ONLY == 4 && LIMEN_MODULE_WHOLE_REASONS == 8 &&
                       LIMEN_MODULE_WAITING == 16 && LIMEN_MODULE_LOOKUPS == 32 && LIMEN_MODULE_WINDOWS == 64,
               "flags");
_Static_assert(LIMEN_CLASS_FORBIDDEN == 0 && LIMEN_CLASS_TOO_MANY == 1 && LIMEN_CLASS_INVALID == 2,
               "classes");
_Static_assert(LIMEN_TAKE_ALL == 1 && LIMEN_TAKE_PEEK == 2 && LIMEN_TAKE_RESERVE == 4, "takes");
_Static_assert(LIMEN_TYPE_NONE == 0 && LIMEN_TYPE_OBJECT == 7, "types");

static void
test_layout(void)
{
	if (UINTPTR_MAX != UINT64_MAX)
		suite_skip("not a 64-bit machine");
	CU_PASS("checked by the compiler");
}

static void
test_version(void)
{
	unsigned major = 99;
	unsigned minor = 99;

	CU_ASSERT_STRING_EQUAL(limen_version(NULL, NULL), LIMEN_VERSION);
	CU_ASSERT_STRING_EQUAL(limen_version(&major, &minor), LIMEN_VERSION);
	CU_ASSERT_EQUAL(major, LIMEN_ABI_MAJOR);
	CU_ASSERT_EQUAL(minor, LIMEN_ABI_MINOR);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "nothing modules are compiled against has moved", test_layout },
		{ "the library tells its version", test_version },
		{ NULL, NULL },
	};

	return suite_run("abi/layout", tests);
}
