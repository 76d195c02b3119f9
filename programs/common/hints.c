/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints.c - merges new hints with those a request has already: members of an object, or
 * NAME=VALUE arguments.  A hint_list owns its array and the names passed to hints_put().
 */
#include "hints.h"

#include <string.h>

hint_list *
hints_start(const limen_request *req)
{
	hint_list *list = g_new(hint_list, 1);

	*list = (hint_list){ .hints = g_array_new(FALSE, FALSE, sizeof(limen_hint)),
		             .names = g_ptr_array_new_with_free_func(g_free) };
	hints_put_all(list, limen_request_hints(req));
	return list;
}

void
hints_put(hint_list *list, char *name, const char *text, limen_value value)
{
	limen_hint hint = { .name = name, .text = text, .value = value };

	g_ptr_array_add(list->names, name);
	g_array_append_val(list->hints, hint);
}

void
hints_put_all(hint_list *list, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;
	limen_hint hint = { .text = NULL };

	while (limen_iter_next(&iter, &key, &hint.value)) {
		size_t length = 0;

		hint.name = limen_value_string(key, &length);
		/* A name with a NUL would be cut there and collide with a shorter name. */
		if (strlen(hint.name) == length)
			g_array_append_val(list->hints, hint);
	}
}

bool
hints_finish(hint_list *list, limen_request *req)
{
	bool good = limen_request_set_hint_list(req, (const limen_hint *)(void *)list->hints->data,
	                                        list->hints->len) == LIMEN_OK;

	g_array_free(list->hints, TRUE);
	g_ptr_array_unref(list->names);
	g_free(list);
	return good;
}

bool
hints_add(limen_request *req, limen_value object)
{
	hint_list *list;

	if (limen_value_count(limen_request_hints(req)) == 0)
		return limen_request_set_hints(req, object) == LIMEN_OK;
	list = hints_start(req);
	hints_put_all(list, object);
	return hints_finish(list, req);
}

bool
hints_check(const char *text)
{
	const char *equals = strchr(text, '=');

	return equals != NULL && equals != text && g_utf8_validate(text, -1, NULL);
}

bool
hints_add_texts(limen_request *req, char *const *texts)
{
	hint_list *list = hints_start(req);

	for (; *texts != NULL; texts++) {
		const char *equals = strchr(*texts, '=');

		hints_put(list, g_strndup(*texts, (size_t)(equals - *texts)), equals + 1,
		          limen_value_none());
	}
	return hints_finish(list, req);
}
