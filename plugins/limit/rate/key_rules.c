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
	[PART_PATH] = "path:",
};

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
	               "hint:NAME or "
	               "path:/POINTER",
	               text);
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
		                                      : "no memory for '%s'",
		               text);
	return result;
}

static int
open_part(part *item, const char *text, limen_value where, limen_diag *diag)
{
	if (!read_word(text, item))
		return report_word(text, where, diag);
	if (item->kind == PART_HINT && item->name[0] == '\0') {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "'hint:' needs the name of a hint");
		return LIMEN_EINVAL;
	}
	if (item->kind == PART_HINT)
		hint_name_check(item->name, where, diag);
	if (item->kind == PART_PATH || item->kind == PART_TEST_TYPE)
		return open_path(item, where, diag);
	return LIMEN_OK;
}

/* Tells what a pointer into a document reads of HTTP requests. */
static int
use_pointer(const char *pointer, limen_opening *opening)
{
	static const char headers[] = "/headers/";

	if (strcmp(pointer, "/path") == 0)
		return limen_opening_use_http(opening, LIMEN_HTTP_PATH, NULL);
	if (strncmp(pointer, headers, sizeof(headers) - 1) == 0 && strchr(pointer, '~') == NULL)
		return limen_opening_use_http(opening, 0, pointer + sizeof(headers) - 1);
	return limen_opening_use_http(opening, LIMEN_HTTP_ALL, NULL);
}

static int
use_part(const part *item, limen_opening *opening)
{
	bool is_requester = item->kind == PART_REQUESTER ||
	                    (item->kind == PART_HINT && strcmp(item->name, "requester") == 0);

	if (item->kind == PART_PATH)
		return use_pointer(item->name, opening);
	return limen_opening_use_http(opening, is_requester ? LIMEN_HTTP_CLIENT : 0, NULL);
}

int
key_rules_open(key_rules *rules, limen_strings list, limen_opening *opening, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(limen_opening_option(opening, "key"));
	int result = limen_opening_use_http(opening, 0, NULL);

	rules->parts = calloc(list.count + 1, sizeof(*rules->parts));
	if (rules->parts == NULL)
		return LIMEN_ENOMEM;
	rules->count = list.count;
	for (size_t i = 0; i < list.count; i++) {
		limen_value where = limen_value_none();
		int outcome;

		limen_iter_next(&iter, NULL, &where);
		outcome = open_part(&rules->parts[i], list.items[i], where, diag);
		if (outcome == LIMEN_OK)
			outcome = use_part(&rules->parts[i], opening);
		if (outcome != LIMEN_OK)
			result = outcome;
	}
	if (result != LIMEN_OK)
		key_rules_close(rules);
	return result;
}

void
key_rules_close(key_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		limen_path_free(rules->parts[i].path);
	free(rules->parts);
	rules->parts = NULL;
	rules->count = 0;
}
