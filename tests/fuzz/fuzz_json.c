/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON texts: what jansson, which shares no code with limen, makes of them is
 * what limen makes of them.
 */
#include <jansson.h>
#include <string.h>

#include "document/document.h"
#include "fuzz.h"
#include "reader/reader.h"

#include <limen/json.h>

const fuzz_target fuzz_this = { "json", "tests/cli/data", 20000 };

/* More brackets than limen takes of them, one within another. */
static bool
may_be_deep(const uint8_t *data, size_t size)
{
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += data[i] == '[' || data[i] == '{';
	return count > READ_DEPTH_MAX;
}

/* jansson has no numbers beyond 64 bits or a double, and no NUL in a key. */
static bool
is_beyond_jansson(const json_error_t *error)
{
	return json_error_code(error) == json_error_numeric_overflow ||
	       json_error_code(error) == json_error_null_byte_in_key;
}

/* What is printed says the same, and is printed the same way again. */
static void
check_print(limen_value value)
{
	size_t length = 0, again_length = 0;
	char *text = limen_value_to_json(value, LIMEN_JSON_SORTED, &length);
	document *again = json_read(NULL, text, length, 0, NULL);
	char *same = limen_value_to_json(document_root(again), 0, &again_length);

	FUZZ_CHECK(again != NULL && limen_value_equal(value, document_root(again)));
	FUZZ_CHECK(again_length == length && memcmp(text, same, length) == 0);
	free(text);
	free(same);
	document_unref(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	json_error_t error;
	json_t *theirs = json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	document *ours = json_read(NULL, text, size, 0, NULL);
	limen_value root = document_root(ours);

	/* jansson 2.14 loses a NUL that it has read too far. */
	if (memchr(data, '\0', size) != NULL) {
		json_decref(theirs);
		FUZZ_CHECK(ours == NULL);
		return 0;
	}
	if (theirs == NULL && !is_beyond_jansson(&error))
		FUZZ_CHECK(ours == NULL);
	if (theirs != NULL && !may_be_deep(data, size)) {
		json_t *view = limen_value_json(root);

		FUZZ_CHECK(ours != NULL && json_equal(theirs, view) == 1);
		json_decref(view);
	}
	if (ours != NULL)
		check_print(root);
	json_decref(theirs);
	document_unref(ours);
	return 0;
}
