/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_list.c - a list, page by page (Kubernetes API concepts, "Retrieving large
 * results sets in chunks").
 *
 * It is read from the server's storage and not from its cache, which after a
 * restart may be older than what was known before.
 */
#include <stdio.h>
#include <string.h>

#include "kube_reflector.h"
#include "kube_text.h"

enum {
	PAGE_OBJECTS = 500,
	PAGE_MAX = 32 << 20, /* bytes */
	PAGES_MAX = 1000,
	TOKEN_MAX = 8192     /* "continue", escaped */
};

static bool
put_objects(kube_reflector *reflector, limen_value page)
{
	const kube_listener *listener = &reflector->watch->listener;
	limen_value items = limen_value_get(page, "items");
	limen_type type = limen_value_type(items);
	limen_iter iter = limen_iter_start(items);
	limen_value object;

	/* An API server may write null for no objects. */
	if (type == LIMEN_TYPE_NULL)
		return true;
	if (type != LIMEN_TYPE_ARRAY)
		return kube_text_fail(reflector->error, "the answer is no list");
	while (limen_iter_next(&iter, NULL, &object)) {
		if (!listener->put(listener->data, object, reflector->error))
			return false;
	}
	return true;
}

/* Stores the token of the next page, "" if this is the last. */
static bool
read_continue(kube_reflector *reflector, limen_value page, char token[TOKEN_MAX])
{
	limen_value metadata = limen_value_get(page, "metadata");
	limen_value next = limen_value_get(metadata, "continue");
	const char *text = limen_value_string(next, NULL);

	token[0] = '\0';
	if (!limen_value_exists(next) || limen_value_type(next) == LIMEN_TYPE_NULL)
		return true;
	if (text == NULL || !kube_text_escape(text, token, TOKEN_MAX))
		return kube_text_fail(reflector->error, "the answer does not say how it goes on");
	return true;
}

static bool
read_page(kube_reflector *reflector, limen_value page, char token[TOKEN_MAX])
{
	if (limen_value_type(page) != LIMEN_TYPE_OBJECT)
		return kube_text_fail(reflector->error, "the answer is no list");
	if (!put_objects(reflector, page) || !read_continue(reflector, page, token))
		return false;
	return kube_read_version(page, reflector->version) ||
	       kube_text_fail(reflector->error, "the list has no resourceVersion");
}

static bool
read_answer(kube_reflector *reflector, const kube_answer *answer, char token[TOKEN_MAX])
{
	limen_documents *documents = NULL;
	bool good;

	if (answer->body == NULL ||
	    limen_documents_parse("list.json", answer->body, answer->length, 0, &documents,
	                          NULL) != LIMEN_OK)
		return kube_text_fail(reflector->error, "the answer is no JSON");
	good = read_page(reflector, limen_documents_get(documents, 0), token);
	limen_documents_free(documents);
	return good;
}

/* Puts what and where before what is wrong with a page. */
static kube_outcome
fail(kube_reflector *reflector)
{
	kube_answer wrong = { .status = 0 };

	memcpy(wrong.error, reflector->error, sizeof wrong.error);
	kube_explain(reflector, "list", &wrong);
	return KUBE_GONE;
}

static kube_outcome
get_page(kube_reflector *reflector, char token[TOKEN_MAX])
{
	char path[TOKEN_MAX + 512];
	kube_request request = {
		.path = path,
		.timeout = reflector->watch->times->answer,
		.max = PAGE_MAX,
	};
	kube_answer answer;
	kube_outcome outcome = KUBE_GOOD;

	snprintf(path, sizeof path, "%s?limit=%d%s%s", reflector->watch->path, PAGE_OBJECTS,
	         *token == '\0' ? "" : "&continue=", token);
	switch (kube_session_get(&reflector->session, &request, &answer)) {
	case KUBE_STOPPED:
		outcome = KUBE_OVER;
		break;
	case KUBE_DONE:
		if (answer.status == 200) {
			if (!read_answer(reflector, &answer, token))
				outcome = fail(reflector);
			break;
		}
		/* fallthrough */
	default:
		kube_explain(reflector, "list", &answer);
		outcome = KUBE_GONE;
	}
	kube_answer_clear(&answer);
	return outcome;
}

/* A page whose token is too old (410) begins the list anew, after a pause. */
kube_outcome
kube_list(kube_reflector *reflector)
{
	const kube_listener *listener = &reflector->watch->listener;
	char token[TOKEN_MAX] = "";
	kube_outcome outcome = KUBE_GOOD;
	int pages = 0;

	listener->count(listener->data, KUBE_LIST);
	listener->begin(listener->data);
	do {
		outcome = get_page(reflector, token);
		pages++;
	} while (outcome == KUBE_GOOD && *token != '\0' && pages < PAGES_MAX);
	if (outcome != KUBE_GOOD)
		return outcome;
	if (*token != '\0') {
		kube_text_fail(reflector->error, "the list has more than %d pages", PAGES_MAX);
		return fail(reflector);
	}
	if (!listener->commit(listener->data, true, reflector->error))
		return fail(reflector);
	return KUBE_GOOD;
}
