/* SPDX-License-Identifier: Apache-2.0 */
/*
 * document.c - the documents of a request as jq values, attached to it so that
 * all scripts of a decision share one conversion (on each thread: reference
 * counts of a jv are not atomic).
 */
#include <stdlib.h>

#include "jq.h"

/* The addresses are the keys. */
static const char newest_key, original_key, hints_key;

static void
destroy(void *data)
{
	jv *value = data;

	jv_free(*value);
	free(data);
}

static jv
attached(const limen_request *req, const void *key, limen_value (*get)(const limen_request *req))
{
	jv *kept = limen_request_attachment(req, key);
	jv made;

	if (kept != NULL)
		return jv_copy(*kept);
	made = jq_from_value(get(req));
	kept = malloc(sizeof(*kept));
	if (kept == NULL)
		return made;
	*kept = jv_copy(made);
	limen_request_attach(req, key, kept, destroy);
	return made;
}

jv
jq_document(const limen_request *req)
{
	return attached(req, &newest_key, limen_request_document);
}

jv
jq_original(const limen_request *req)
{
	if (limen_request_generation(req) == 0)
		return jq_document(req);
	return attached(req, &original_key, limen_request_original);
}

jv
jq_hints(const limen_request *req)
{
	return attached(req, &hints_key, limen_request_hints);
}

int64_t
jq_deadline(const limen_request *req)
{
	int64_t deadline;

	return limen_request_deadline(req, &deadline) ? deadline : INT64_MAX;
}
