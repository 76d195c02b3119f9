/* SPDX-License-Identifier: Apache-2.0 */
#include "text_kind.h"

#include <glib.h>
#include <string.h>

bool
text_kind_is_object(limen_value document)
{
	return limen_value_exists(limen_value_get(document, "kind")) &&
	       limen_value_exists(limen_value_get(document, "apiVersion"));
}

static bool
begins_like_json(const char *name, const char *text, size_t length)
{
	size_t at = 0;

	if (name != NULL && (g_str_has_suffix(name, ".yaml") || g_str_has_suffix(name, ".yml")))
		return false;
	while (at < length && memchr(" \t\r\n", text[at], 4) != NULL)
		at++;
	return at == length || text[at] == '{' || text[at] == '[' ||
	       (name != NULL && g_str_has_suffix(name, ".json"));
}

bool
text_kind_is_task(const ask_settings *settings, const char *name, const char *text, size_t length)
{
	limen_request *req;
	bool task;

	if (settings->subject == ASK_OBJECT || !begins_like_json(name, text, length))
		return false;
	if (settings->subject == ASK_TASK)
		return true;
	req = limen_request_new(LIMEN_TASK);
	task = req != NULL && limen_request_parse(req, text, length, NULL) == LIMEN_OK &&
	       !text_kind_is_object(limen_request_document(req));
	limen_request_free(req);
	return task;
}
