/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "documents.h"
#include "document/member_lookup.h"
#include "suite.h"

static document *
make_object(unsigned count)
{
	builder *build = builder_new();
	char text[16];

	builder_begin_object(build, ORIGIN_NONE, 0);
	for (unsigned i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%u", i);
		builder_string(build, ORIGIN_NONE, 0, text, strlen(text));
		builder_number(build, ORIGIN_NONE, 0, text, strlen(text));
	}
	builder_end(build);
	return builder_finish(build);
}

/* Every key of a larger object is looked up in a smaller one. */
static void
check_size(unsigned count, const document *larger)
{
	document *doc = make_object(count);
	limen_iter iter = limen_iter_start(document_root(larger));
	member_lookup lookup = member_lookup_start(document_root(doc).node);
	limen_value key, member;
	unsigned found = 0;

	while (limen_iter_next(&iter, &key, &member)) {
		limen_value other = member_lookup_get(&lookup, document_root(doc), key);

		found += limen_value_exists(other) ? 1 : 0;
		CU_ASSERT_TRUE(!limen_value_exists(other) || limen_value_equal(member, other));
	}
	CU_ASSERT_EQUAL(found, count);
	text_map_free(&lookup.keys);
	document_unref(doc);
}

static void
test_sizes(void)
{
	static const unsigned sizes[] = { 0, 1, TEXT_MAP_FEW, TEXT_MAP_FEW + 1, 1000 };
	document *larger = make_object(2000);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		check_size(sizes[i], larger);
	document_unref(larger);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "objects of many sizes", test_sizes },
		{ NULL, NULL },
	};

	return suite_run("core/member_lookup", tests);
}
