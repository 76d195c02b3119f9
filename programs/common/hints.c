/* SPDX-License-Identifier: Apache-2.0 */
#include "hints.h"

#include <stdlib.h>
#include <string.h>

#include "../common/json_out.h"

void
hints_append(GString *json, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;
	limen_value member;

	while (limen_iter_next(&iter, &key, &member)) {
		char *name = limen_value_print(key, 0, NULL);
		char *value = limen_value_print(member, 0, NULL);

		json_raw(json, name);
		g_string_append_c(json, ':');
		json_raw(json, value);
		free(name);
		free(value);
	}
}

/* A document of its own is the only way to hints that are not strings. */
bool
hints_set_json(limen_request *req, const GString *json)
{
	limen_request *holder = limen_request_new(LIMEN_OBJECT);
	bool good = holder != NULL &&
	            limen_request_parse(holder, json->str, json->len, NULL) == LIMEN_OK &&
	            limen_request_set_hints(req, limen_request_document(holder)) == LIMEN_OK;

	limen_request_free(holder);
	return good;
}

bool
hints_add(limen_request *req, limen_value object)
{
	limen_value before = limen_request_hints(req);
	GString *json;
	bool good;

	if (limen_value_count(before) == 0)
		return limen_request_set_hints(req, object) == LIMEN_OK;
	json = g_string_new("{");
	hints_append(json, before);
	hints_append(json, object);
	g_string_append_c(json, '}');
	good = hints_set_json(req, json);
	g_string_free(json, TRUE);
	return good;
}

bool
hints_add_list(limen_request *req, const char *name, limen_value values)
{
	GString *json = g_string_new("{");
	char *list = limen_value_print(values, 0, NULL);
	bool good;

	hints_append(json, limen_request_hints(req));
	json_key(json, name);
	json_raw(json, list);
	g_string_append_c(json, '}');
	good = hints_set_json(req, json);
	g_string_free(json, TRUE);
	free(list);
	return good;
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
	GString *json = g_string_new("{");
	bool good;

	hints_append(json, limen_request_hints(req));
	for (; *texts != NULL; texts++) {
		const char *equals = strchr(*texts, '=');
		char *name = g_strndup(*texts, (size_t)(equals - *texts));

		json_put_string(json, name, equals + 1);
		g_free(name);
	}
	g_string_append_c(json, '}');
	good = hints_set_json(req, json);
	g_string_free(json, TRUE);
	return good;
}
