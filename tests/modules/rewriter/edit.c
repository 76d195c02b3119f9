/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit.c - the rewriter that makes the changes its data lists: values to set
 * at JSON pointers, nodes to remove, or a whole document.
 */
#include <limen/module.h>
#include <limen/version.h>

#include <stdlib.h>
#include <string.h>

struct edit {
	limen_value set;
	limen_strings remove;
	limen_value document;
	limen_strings message;
	bool announce;
	const char *reject;
	const char *error;
	bool skip;
};

static const limen_option options[] = {
	LIMEN_OPT_OBJECT(struct edit, set, .key = "set",
	                 .help = "Pointers and what to put there"),
	LIMEN_OPT_STRINGS(struct edit, remove, .key = "remove", .help = "Pointers to remove"),
	LIMEN_OPT_JSON(struct edit, document, .key = "document", .help = "The whole new task"),
	LIMEN_OPT_STRINGS(struct edit, message, .key = "message", .help = "What was changed"),
	LIMEN_OPT_BOOL(struct edit, announce, .key = "announce",
	               .help = "Whether to report a change without a message"),
	LIMEN_OPT_STRING(struct edit, reject, .key = "reject", .help = "Why to reject the task"),
	LIMEN_OPT_STRING(struct edit, error, .key = "error", .help = "Why to fail"),
	LIMEN_OPT_BOOL(struct edit, skip, .key = "skip",
	               .help = "Whether to have no opinion after all"),
	LIMEN_OPT_END
};

static limen_value
find(const limen_request *req, const char *pointer, size_t length)
{
	limen_value found = limen_value_none();
	limen_path *path;

	if (limen_path_new(pointer, length, &path) == LIMEN_OK) {
		found = limen_request_find(req, path);
		limen_path_free(path);
	}
	return found;
}

/* The key of 'pointer' is taken as it is: no case needs escapes in it. */
static void
set_one(const limen_request *req, const char *pointer, limen_value value, limen_reply *reply)
{
	const char *slash = strrchr(pointer, '/');
	size_t length = slash == NULL ? 0 : (size_t)(slash - pointer);
	char *text = limen_value_to_json(value, 0, NULL);

	limen_reply_set(reply, find(req, pointer, length), slash == NULL ? "" : slash + 1,
	                text == NULL ? "" : text);
	free(text);
}

static void
make_changes(const struct edit *edit, const limen_request *req, limen_reply *reply)
{
	limen_iter iter = limen_iter_start(edit->set);
	limen_value pointer, value;

	while (limen_iter_next(&iter, &pointer, &value))
		set_one(req, limen_value_string(pointer, NULL), value, reply);
	for (size_t i = 0; i < edit->remove.count; i++)
		limen_reply_remove(reply, find(req, edit->remove.items[i],
		                               strlen(edit->remove.items[i])));
	if (limen_value_exists(edit->document)) {
		size_t length = 0;
		char *text = limen_value_to_json(edit->document, 0, &length);

		limen_reply_replace(reply, text == NULL ? "" : text, length);
		free(text);
	}
}

static limen_verdict
rewrite(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct edit *edit = self;

	if (edit->error != NULL) {
		limen_reply_reason(reply, "%s", edit->error);
		return LIMEN_ERROR;
	}
	if (edit->reject != NULL) {
		limen_reply_reason(reply, "Task rejected: %s", edit->reject);
		return LIMEN_FAIL;
	}
	make_changes(edit, req, reply);
	for (size_t i = 0; i < edit->message.count; i++)
		limen_reply_changed(reply, edit->message.items[i]);
	if (edit->announce)
		limen_reply_changed(reply, NULL);
	return edit->skip ? LIMEN_SKIP : LIMEN_PASS;
}

LIMEN_REWRITER("edit",
	.version = LIMEN_VERSION,
	.summary = "Makes the changes its data lists",
	.options = options,
	.instance_size = sizeof(struct edit),
	.rewrite = rewrite);
