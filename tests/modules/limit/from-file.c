/* SPDX-License-Identifier: Apache-2.0 */
/* from-file.c - the limit that passes if a file says "pass". */
#include <limen/module.h>
#include <limen/version.h>
#include <string.h>

struct from_file {
	const char *path;
	bool passes;
};

static const limen_option options[] = {
	LIMEN_OPT_STRING(struct from_file, path, .key = "path", .required = true,
	                 .help = "The file to read"),
	LIMEN_OPT_END
};

static int
read_verdict(void *self, limen_opening *opening, limen_diag *diag)
{
	struct from_file *file = self;
	const char *text;
	size_t length;
	int result = limen_opening_file(opening, file->path, limen_value_none(), &text, &length,
	                                diag);

	if (result == LIMEN_OK)
		file->passes = strcmp(text, "pass") == 0;
	return result;
}

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct from_file *file = self;

	(void)req;
	(void)reply;
	return file->passes ? LIMEN_PASS : LIMEN_FAIL;
}

LIMEN_LIMIT("from-file",
	.version = LIMEN_VERSION,
	.summary = "Passes if a file says so",
	.options = options,
	.instance_size = sizeof(struct from_file),
	.open = read_verdict,
	.check = check);
