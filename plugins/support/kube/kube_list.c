/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_list.c - a list, page by page (Kubernetes API concepts, "Retrieving large
 * results sets in chunks").
 *
 * The list is read from the server's storage, not from its cache: after a restart the cache
 * may be older than the last list.
 */
#include <stdio.h>

#include "kube_reflector.h"

enum {
	PAGE_OBJECTS = 500,
	PAGE_SHRINK = 8,
	PAGE_MAX = 8 << 20, /* bytes; in memory a page takes ten times as much */
	/* Cap on pages: more objects than etcd has room for, so no tenant can make a list fail. */
	PAGES_MAX = 20000,
	PAGES_BEFORE_MORE = 4,
	TOKEN_MAX = 8192     /* "continue", escaped */
};

/*
 * The next page.  Its size may differ from the page before: the token only holds the
 * position in the list.
 */
typedef struct page {
	int objects; /* "limit" of the request */
	int most;    /* cap for 'objects' */
	int good;    /* successive pages of that size */
	char token[TOKEN_MAX];
} page;

static bool
put_objects(kube_reflector *reflector, limen_value list)
{
	const kube_listener *listener = &reflector->watch->listener;
	limen_value items = limen_value_get(list, "items");
	limen_type type = limen_value_type(items);
	limen_value object;

	/* An API server may write null for no objects. */
	if (type == LIMEN_TYPE_NULL)
		return true;
	if (type != LIMEN_TYPE_ARRAY)
		return kube_text_fail(reflector->error, "the answer is not a list");
	for (limen_iter iter = limen_iter_start(items); limen_iter_next(&iter, NULL, &object);)
		if (!listener->put(listener->data, object, reflector->error))
			return false;
	return true;
}

/* Stores the token of the next page, "" if this is the last. */
static bool
read_continue(kube_reflector *reflector, limen_value list, char token[TOKEN_MAX])
{
	limen_value metadata = limen_value_get(list, "metadata");
	limen_value next = limen_value_get(metadata, "continue");
	const char *text = limen_value_string(next, NULL);

	token[0] = '\0';
	if (!limen_value_exists(next) || limen_value_type(next) == LIMEN_TYPE_NULL)
		return true;
	if (text == NULL || !kube_text_escape(text, token, TOKEN_MAX))
		return kube_text_fail(reflector->error,
		                      "the answer has an invalid metadata.continue");
	return true;
}

static bool
read_list(kube_reflector *reflector, limen_value list, char token[TOKEN_MAX])
{
	if (limen_value_type(list) != LIMEN_TYPE_OBJECT)
		return kube_text_fail(reflector->error, "the answer is not a list");
	if (!put_objects(reflector, list) || !read_continue(reflector, list, token))
		return false;
	return kube_read_version(list, reflector->version) ||
	       kube_text_fail(reflector->error, "the list has no resourceVersion");
}

static bool
read_answer(kube_reflector *reflector, const kube_answer *answer, char token[TOKEN_MAX])
{
	limen_documents *documents = NULL;
	bool good;

	if (answer->body.text == NULL ||
	    limen_documents_parse("list.json", answer->body.text, answer->body.length, 0,
	                          &documents, NULL) != LIMEN_OK)
		return kube_text_fail(reflector->error, "the answer is not JSON");
	good = read_list(reflector, limen_documents_get(documents, 0), token);
	limen_documents_free(documents);
	return good;
}

/*
 * Reduces the page size after a page that exceeds PAGE_MAX: a tenant may write many long
 * LimitRanges.  Returns false if the page has one object only.
 */
static bool
shrink(page *next)
{
	if (next->objects == 1)
		return false;
	next->most = next->objects / 2;
	next->good = 0;
	next->objects = next->objects < PAGE_SHRINK ? 1 : next->objects / PAGE_SHRINK;
	return true;
}

/* Increases the page size again: a list of small pages could exceed PAGES_MAX. */
static void
grow(page *next)
{
	next->good = next->objects == next->most ? next->good + 1 : 0;
	if (next->good == PAGES_BEFORE_MORE) {
		next->most = next->most > PAGE_OBJECTS / 2 ? PAGE_OBJECTS : next->most * 2;
		next->good = 0;
	}
	next->objects = next->objects > next->most / 2 ? next->most : next->objects * 2;
}

static kube_outcome
take_answer(kube_reflector *reflector, kube_end end, const kube_answer *answer, page *next)
{
	if (end == KUBE_STOPPED)
		return KUBE_OVER;
	if (answer->too_long && shrink(next))
		return KUBE_GOOD;
	if (end != KUBE_DONE || answer->status != 200) {
		kube_explain(reflector, "list", answer);
		return KUBE_GONE;
	}
	if (!read_answer(reflector, answer, next->token))
		return kube_fail(reflector, "list", KUBE_GONE);
	grow(next);
	return KUBE_GOOD;
}

static kube_outcome
get_page(kube_reflector *reflector, page *next, bool *more)
{
	char path[TOKEN_MAX + 512];
	kube_request request = {
		.path = path,
		.timeout = reflector->watch->times->answer,
		.max = PAGE_MAX,
	};
	kube_answer answer;
	kube_outcome outcome;
	kube_end end;

	snprintf(path, sizeof path, "%s?limit=%d%s%s", reflector->watch->path, next->objects,
	         *next->token == '\0' ? "" : "&continue=", next->token);
	end = kube_session_get(&reflector->session, &request, &answer);
	outcome = take_answer(reflector, end, &answer, next);
	*more = answer.too_long || *next->token != '\0';
	kube_answer_clear(&answer);
	return outcome;
}

/* A page whose token is too old (410) begins the list anew, after a pause. */
kube_outcome
kube_list(kube_reflector *reflector)
{
	const kube_listener *listener = &reflector->watch->listener;
	page next = { .objects = PAGE_OBJECTS, .most = PAGE_OBJECTS, .token = "" };
	kube_outcome outcome = KUBE_GOOD;
	bool more = false;
	int pages = 0;

	listener->count(listener->data, KUBE_LIST);
	listener->begin(listener->data);
	do {
		outcome = get_page(reflector, &next, &more);
		pages++;
	} while (outcome == KUBE_GOOD && more && pages < PAGES_MAX);
	if (outcome != KUBE_GOOD)
		return outcome;
	if (more) {
		kube_text_fail(reflector->error, "the list has more than %d pages", PAGES_MAX);
		return kube_fail(reflector, "list", KUBE_GONE);
	}
	if (!listener->commit(listener->data, true, reflector->error))
		return kube_fail(reflector, "list", KUBE_GONE);
	kube_ask_again(reflector);
	return KUBE_GOOD;
}
