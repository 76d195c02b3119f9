/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key_rules.c - the option "key": "requester", "hint:NAME" and so on.
 */
#include <limen/nearest.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/hint_names.h"
#include "key.h"

#define TEST_TYPE_PATH "/test/type"

static const char *const words[] = {
	[PART_REQUESTER] = "requester",
	[PART_CLASSIFIER] = "classifier",
	[PART_TEST_TYPE] = "test-type",
	[PART_HINT] = "hint:",
	[PART_POINTER] = "path:",
	[PART_HEADER] = "header:",
	[PART_METHOD] = "method",
	[PART_HOST] = "host",
	[PART_PATH] = "path",
	[PART_ROUTE] = "route",
};

#define HEADERS "/headers/"

#define WORD_COUNT (sizeof(words) / sizeof(words[0]))

/* The part that 'text' names; false if there is none. */
static bool
read_word(const char *text, part *out)
{
	for (size_t i = 0; i < WORD_COUNT; i++) {
		size_t length = strlen(words[i]);
		bool has_name = words[i][length - 1] == ':';

		if (strncmp(text, words[i], length) != 0 || (!has_name && text[length] != '\0'))
			continue;
		*out = (part){ .kind = (part_kind)i, .name = text + length };
		return true;
	}
	return false;
}

static int
report_word(const char *text, limen_value where, limen_diag *diag)
{
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
	               "'%s' is not a part of a key: use requester, classifier, test-type, "
	               "hint:NAME, path:/POINTER, header:NAME, method, host, path or route", text);
	return LIMEN_EINVAL;
}

static int
open_path(part *item, limen_value where, limen_diag *diag)
{
	const char *text = item->kind == PART_TEST_TYPE ? TEST_TYPE_PATH : item->name;
	int result = limen_path_new(text, strlen(text), &item->path);

	if (result != LIMEN_OK)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               result == LIMEN_EINVAL ? "'%s' is not a JSON pointer"
		                                      : "no memory for '%s'", text);
	return result;
}

/* Values of these are secrets: whoever reads a list of buckets must not learn them. */
static bool
is_secret(const char *header)
{
	static const char *const names[] = { "authorization", "cookie", "x-api-key" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(header, names[i]) == 0)
			return true;
	return false;
}

static int
open_header(part *item, const key_rules *rules, limen_opening *opening)
{
	item->header = strdup(item->name);
	if (item->header == NULL)
		return LIMEN_ENOMEM;
	for (char *c = item->header; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	item->hashed = rules->hash || is_secret(item->header);
	return limen_opening_use_http(opening, item->hashed ? LIMEN_HTTP_SECRET : 0, item->header);
}

/* Returns the part of HTTP requests that a pointer into their document reads. */
static unsigned
pointer_needs(const char *pointer)
{
	static const char *const members[] = { "/method", "/scheme", "/host", "/query" };

	if (strcmp(pointer, "/path") == 0)
		return LIMEN_HTTP_PATH;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (strcmp(pointer, members[i]) == 0)
			return 0;
	return LIMEN_HTTP_ALL;
}

static unsigned
part_needs(const part *item)
{
	switch (item->kind) {
	case PART_REQUESTER:
		return LIMEN_HTTP_CLIENT;
	case PART_HINT:
		return strcmp(item->name, "requester") == 0 ? LIMEN_HTTP_CLIENT : 0;
	case PART_PATH:
		return LIMEN_HTTP_PATH;
	case PART_POINTER:
		return pointer_needs(item->name);
	default:
		return 0;
	}
}

static int
open_part(part *item, const key_rules *rules, limen_value where, limen_opening *opening,
          limen_diag *diag)
{
	/* Makes a pointer to a header a header, too: its value may have to be hashed. */
	if (item->kind == PART_POINTER && strncmp(item->name, HEADERS, strlen(HEADERS)) == 0 &&
	    strchr(item->name, '~') == NULL)
		*item = (part){ .kind = PART_HEADER, .name = item->name + strlen(HEADERS) };
	if ((item->kind == PART_HINT || item->kind == PART_HEADER) && item->name[0] == '\0') {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "'%s' needs the name of a %.*s",
		               words[item->kind], (int)strlen(words[item->kind]) - 1,
		               words[item->kind]);
		return LIMEN_EINVAL;
	}
	if (item->kind == PART_HEADER)
		return open_header(item, rules, opening);
	if (item->kind == PART_HINT)
		hint_name_check(item->name, where, diag);
	limen_opening_use_http(opening, part_needs(item), NULL);
	return item->kind == PART_POINTER || item->kind == PART_TEST_TYPE
	               ? open_path(item, where, diag)
	               : LIMEN_OK;
}

int
part_open(part *item, const char *text, const char *expected, limen_value where,
          limen_opening *opening, limen_diag *diag)
{
	static const key_rules plain = { .hash = false };

	if (read_word(text, item) && (item->kind == PART_HEADER || item->kind == PART_POINTER))
		return open_part(item, &plain, where, opening, diag);
	*item = (part){ .name = NULL };
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "'%s' is not %s", text, expected);
	return LIMEN_EINVAL;
}

void
part_close(part *item)
{
	limen_path_free(item->path);
	free(item->header);
}

/* A client chooses these parts with each request, unless a proxy sets or clears the header. */
static bool
is_chosen(const part *item)
{
	return item->kind == PART_HEADER || item->kind == PART_PATH ||
	       (item->kind == PART_POINTER && (strcmp(item->name, "/path") == 0 ||
	                                       strcmp(item->name, "/query") == 0));
}

static void
note_chosen(const key_rules *rules, limen_opening *opening, limen_diag *diag)
{
	for (size_t i = 0; i < rules->count; i++)
		if (!is_chosen(&rules->parts[i]))
			return;
	if (rules->count > 0)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_option(opening, "key"),
		               "clients choose all parts of this key: one that changes them is not "
		               "limited, unless a proxy sets or clears the header");
}

int
key_rules_open(key_rules *rules, limen_strings list, limen_opening *opening, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(limen_opening_option(opening, "key"));
	int result = limen_opening_use_http(opening, 0, NULL); /* without parts: nothing */

	rules->parts = calloc(list.count + 1, sizeof(*rules->parts));
	if (rules->parts == NULL)
		return LIMEN_ENOMEM;
	rules->count = list.count;
	for (size_t i = 0; i < list.count; i++) {
		limen_value where = limen_value_none();
		int outcome;

		limen_iter_next(&iter, NULL, &where);
		outcome = read_word(list.items[i], &rules->parts[i])
		                  ? open_part(&rules->parts[i], rules, where, opening, diag)
		                  : report_word(list.items[i], where, diag);
		if (outcome != LIMEN_OK)
			result = outcome;
	}
	note_chosen(rules, opening, diag);
	if (result != LIMEN_OK)
		key_rules_close(rules);
	return result;
}

void
key_rules_close(key_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		part_close(&rules->parts[i]);
	free(rules->parts);
	rules->parts = NULL;
	rules->count = 0;
}
