/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of tests, as "limen test" reads them: one is refused with a reason, or has tests
 * with names that are the same when the file is printed as JSON and read again.
 */
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "test/tests.h"

const fuzz_target fuzz_this = { "tests", NULL, 3000 };

/* Reads a file with this content, which need have no name. */
static test_file *
read_text(const char *text, size_t length)
{
	static int fd = -1;
	char path[64];

	if (fd == -1)
		fd = memfd_create("tests", MFD_CLOEXEC);
	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, text, length, 0) == (ssize_t)length);
	g_snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return tests_read(path);
}

static bool
is_good(const test_file *file)
{
	return file->why == NULL && limen_diag_count(file->diag, LIMEN_SEVERITY_PROBLEM) == 0;
}

static void
check_tests(const test_file *file, const test_file *again)
{
	FUZZ_CHECK(is_good(again));
	FUZZ_CHECK(file->suite.cases->len == again->suite.cases->len);
	for (guint i = 0; i < file->suite.cases->len; i++) {
		const test_case *left = g_ptr_array_index(file->suite.cases, i);
		const test_case *right = g_ptr_array_index(again->suite.cases, i);
		limen_documents *parsed[2] = { NULL };
		char *why[2] = { NULL };
		limen_value request = tests_whole(&left->view, "request", &parsed[0], &why[0]);
		limen_value other = tests_whole(&right->view, "request", &parsed[1], &why[1]);

		FUZZ_CHECK(strcmp(left->result.name, right->result.name) == 0);
		FUZZ_CHECK(g_strcmp0(why[0], why[1]) == 0);
		FUZZ_CHECK(limen_value_equal(request, other) || why[0] != NULL ||
		           !limen_value_exists(request));
		FUZZ_CHECK(limen_value_count(left->steps) == limen_value_count(right->steps));
		for (int k = 0; k < 2; k++) {
			limen_documents_free(parsed[k]);
			g_free(why[k]);
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	test_file *file = read_text((const char *)data, size);

	if (is_good(file)) {
		size_t length = 0;
		char *text = limen_value_to_json(file->root, 0, &length);
		test_file *again;

		FUZZ_CHECK(text != NULL && file->suite.cases->len > 0);
		again = read_text(text, length);
		check_tests(file, again);
		tests_free(again);
		free(text);
	}
	tests_free(file);
	return 0;
}
