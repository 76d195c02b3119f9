/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML texts: reading ends, every problem has words in UTF-8, and what was read
 * is the same when it is written as JSON and read again.
 */
#include <string.h>

#include "document/document.h"
#include "fuzz.h"
#include "base/utf8.h"
#include "reader/reader.h"

const fuzz_target fuzz_this = { "yaml", "docs/examples/kubernetes", 4000 };

static bool
holds_nan(limen_value value)
{
	limen_iter iter = limen_iter_start(value);
	limen_value member;
	double real;

	if (limen_value_real(value, &real) && real != real)
		return true;
	while (limen_iter_next(&iter, NULL, &member))
		if (holds_nan(member))
			return true;
	return false;
}

static void
check_document(const document *doc)
{
	size_t length = 0;
	char *text = limen_value_to_json(document_root(doc), 0, &length);
	document *again = json_read(NULL, text, length, READ_NAN, NULL);

	FUZZ_CHECK(text != NULL && again != NULL);
	if (!holds_nan(document_root(doc)))
		FUZZ_CHECK(limen_value_equal(document_root(doc), document_root(again)));
	free(text);
	document_unref(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	limen_diag *diag = limen_diag_new();
	document **documents = NULL;
	size_t count = 0;
	int result = yaml_read("input.yaml", (const char *)data, size, READ_NOTE_DUPLICATES,
	                       &documents, &count, diag);

	FUZZ_CHECK(result == LIMEN_OK || result == LIMEN_EINVAL);
	FUZZ_CHECK((result == LIMEN_OK) == (limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0));
	for (size_t i = 0; result == LIMEN_OK && i < count; i++) {
		check_document(documents[i]);
		document_unref(documents[i]);
	}
	free(documents);
	for (size_t i = 0; limen_diag_get(diag, i) != NULL; i++) {
		const char *text = limen_diag_get(diag, i)->text;

		FUZZ_CHECK(strchr(text, '\n') == NULL);
		FUZZ_CHECK(utf8_valid(text, strlen(text)) == strlen(text));
	}
	limen_diag_free(diag);
	return 0;
}
