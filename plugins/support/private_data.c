/* SPDX-License-Identifier: Apache-2.0 */
/*
 * private_data.c - what a rewriter or prioritizer keeps in the task while its
 * script runs.
 */
#include "private_data.h"

const jq_stranger private_data_strangers[] = {
	{ ".task.type", "which no task has; the type of its test is .test.type" },
	{ ".task.spec", "which no task has; the specification of its test is .test.spec" },
	{ ".task", "which no task has; the input is the task itself" },
	{ ".type", "which no task has; the type of its test is .test.type" },
	{ ".spec", "which no task has; the specification of its test is .test.spec" },
	{ ".classifiers", "which no task has; the function classifiers gives them" },
	{ ".hints", "which no task has; the function hint(name) gives them" },
	{ "classifiers_has",
	  "which compares the whole name of a classifier; pScheduler 5.2 accepts any part of it" },
	{ NULL, NULL }
};
jv
private_data_add(jv task, const char *key, const limen_request *req, const char *name, jv value)
{
	size_t count;
	const char *const *names = limen_request_classifiers(req, &count);
	jv classifiers, data;

	if (!jv_is_valid(task))
		return task;
	if (jv_get_kind(task) != JV_KIND_OBJECT) {
		jv_free(task);
		return jv_invalid_with_msg(jv_string("The task is not an object"));
	}
	classifiers = jv_array();
	for (size_t i = 0; i < count; i++)
		classifiers = jv_array_append(classifiers, jv_string(names[i]));
	data = jv_object_set(jv_object(), jv_string("classifiers"), classifiers);
	data = jv_object_set(data, jv_string(name), value);
	data = jv_object_set(data, jv_string("diags"), jv_array());
	data = jv_object_set(data, jv_string("hints"), jq_hints(req));
	return jv_object_set(task, jv_string(key), data);
}

jv
private_data_take(jv *result, const char *key)
{
	jv data = jv_object_get(jv_copy(*result), jv_string(key));

	*result = jv_object_delete(*result, jv_string(key));
	if (jv_get_kind(data) == JV_KIND_OBJECT)
		return data;
	jv_free(data);
	return jv_invalid();
}

bool
private_data_messages(jv data, limen_reply *reply,
                      void (*take)(limen_reply *reply, const char *message))
{
	jv messages = jv_object_get(jv_copy(data), jv_string("diags"));
	bool good = jv_get_kind(messages) == JV_KIND_ARRAY;
	int count = good ? jv_array_length(jv_copy(messages)) : 0;

	for (int i = 0; i < count && good; i++) {
		jv message = jv_array_get(jv_copy(messages), i);

		good = jv_get_kind(message) == JV_KIND_STRING;
		if (good)
			take(reply, jv_string_value(message));
		jv_free(message);
	}
	jv_free(messages);
	return good;
}
