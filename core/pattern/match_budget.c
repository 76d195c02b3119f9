/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PCRE2 calls back before each item of the pattern, and the callback charges
 * that step and the way gone since the last one.  An item that fails has gone
 * a way that no callback sees: a repeat up to its least count, a
 * back-reference up to the length of its group, an assertion up to where it
 * looks back.  That way is charged before the item is tried.
 *
 * The calls take room in the compiled pattern: one of more than some 8000
 * characters goes without them.  It gets as many of PCRE2's own steps as fit
 * when each goes as far as the text or the pattern allows.
 */
#include "match_budget.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The budget of one search: about 10 ms, and the time to read the text a few times. */
#define STEPS_BASE ((uint64_t)1000000)
#define STEPS_PER_BYTE ((uint64_t)16)

/* The budget, in characters, of a search that does not call back. */
#define UNCOUNTED_WAY ((uint64_t)1 << 28)
#define UNCOUNTED_LIMIT ((uint64_t)10000000)

/* A step has the time of some characters that a repeat or an assertion passes. */
#define CHARACTERS_PER_STEP ((uint64_t)4)

/* A character of a back-reference takes some steps' time where case does not matter. */
#define REFERENCE_WEIGHT ((uint64_t)8)

/* What a step of a plain pattern is charged at most, with some room. */
#define PLAIN_WEIGHT ((uint64_t)4)

/* The longest text for an erratic pattern. */
#define ERRATIC_TEXT_MAX ((size_t)4096)

/* An item's cost: the way it may go before it fails, and whether it refers to a group. */
#define ITEM_WAY ((uint32_t)0xffff)
#define ITEM_REFERS ((uint32_t)0x10000)

struct survey {
	match_cost *cost;
	const char *pattern;
	size_t longest;
};

struct budget {
	const match_cost *cost;
	uint64_t left;
	size_t position;
};

/* The brace of \x{41} and its like follows a backslash and a letter, and repeats nothing. */
static bool
opens_repeat(const char *item, size_t at)
{
	if (item[at] != '{')
		return false;
	return at < 2 || item[at - 2] != '\\' || strchr("gkoxN", item[at - 1]) == NULL;
}

/* The greatest least count in the item; comments and spaces may stand about it. */
static uint32_t
find_repeat(const char *item, size_t length)
{
	uint32_t most = 0;

	for (size_t at = 0; at < length; at++) {
		uint32_t count = 0;

		if (!opens_repeat(item, at))
			continue;
		while (at + 1 < length && item[at + 1] >= '0' && item[at + 1] <= '9' &&
		       count <= ITEM_WAY) {
			count = count * 10 + (uint32_t)(item[at + 1] - '0');
			at++;
		}
		if (count > most)
			most = count;
	}
	return most < ITEM_WAY ? most : ITEM_WAY;
}

static bool
starts_with(const char *item, size_t length, const char *start)
{
	return length >= strlen(start) && memcmp(item, start, strlen(start)) == 0;
}

static bool
refers_back(const char *item, size_t length)
{
	if (starts_with(item, length, "(?P="))
		return true;
	return length >= 2 && item[0] == '\\' &&
	       ((item[1] >= '1' && item[1] <= '9') || item[1] == 'g' || item[1] == 'k');
}

/* \X goes back to the first of a row of flags; a script run is read again at its end. */
static bool
is_erratic(const char *item, size_t length)
{
	return starts_with(item, length, "\\X") || starts_with(item, length, "(*");
}

static int
survey_item(pcre2_callout_enumerate_block *block, void *data)
{
	struct survey *survey = data;
	match_cost *cost = survey->cost;
	size_t length = block->next_item_length;
	const char *item;
	uint32_t way;

	if (block->pattern_position > cost->length ||
	    length > cost->length - block->pattern_position)
		return PCRE2_ERROR_INTERNAL;
	item = survey->pattern + block->pattern_position;
	way = find_repeat(item, length);
	if (length > survey->longest)
		survey->longest = length;
	if (starts_with(item, length, "(") && way < cost->lookbehind)
		way = cost->lookbehind < ITEM_WAY ? (uint32_t)cost->lookbehind : ITEM_WAY;
	if (refers_back(item, length))
		way |= ITEM_REFERS;
	cost->erratic |= is_erratic(item, length);
	cost->items[block->pattern_position] |= way;
	return 0;
}

int
match_cost_find(match_cost *cost, const pcre2_code *code, const char *pattern, size_t length,
                bool counted)
{
	struct survey survey = { .cost = cost, .pattern = pattern };
	uint32_t options = 0;
	uint32_t captures = 0;
	uint32_t lookbehind = 0;

	*cost = (match_cost){ .length = length, .weight = 1 };
	pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &options);
	pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &captures);
	pcre2_pattern_info(code, PCRE2_INFO_MAXLOOKBEHIND, &lookbehind);
	cost->anchored = (options & PCRE2_ANCHORED) != 0;
	cost->lookbehind = lookbehind;
	if (!counted)
		return LIMEN_OK;
	cost->items = calloc(length + 1, sizeof(*cost->items));
	if (cost->items == NULL)
		return LIMEN_ENOMEM;
	/* An item that could not be read may be anything. */
	if (pcre2_callout_enumerate(code, survey_item, &survey) != 0)
		cost->erratic = true;
	/* Each call copies the groups; a class is read from its start for each character. */
	cost->weight = (uint32_t)(1 + captures / 8 + survey.longest / 64);
	return LIMEN_OK;
}

/* The end of \p{Zs} or \x{9}, which are one item each, from the letter on; 'at' for others. */
static size_t
skip_braces(const char *pattern, size_t length, size_t at)
{
	const char *end;

	if (strchr("pPx", pattern[at]) == NULL || at + 1 == length || pattern[at + 1] != '{')
		return at;
	end = memchr(pattern + at, '}', length - at);
	return end == NULL ? at : (size_t)(end - pattern);
}

bool
match_cost_is_plain(const char *pattern, size_t length, uint32_t options)
{
	static const char elsewhere[] = "*+?{(|";
	static const char escaped[] = "dDsSwWbBAzZ";

	if ((options & PCRE2_LITERAL) != 0)
		return true;
	for (size_t i = 0; i < length; i++) {
		if (pattern[i] == '\0' || strchr(elsewhere, pattern[i]) != NULL)
			return false;
		if (pattern[i] != '\\')
			continue;
		i++;
		if (i == length || pattern[i] == '\0')
			return false;
		i = skip_braces(pattern, length, i);
		if (!ispunct((unsigned char)pattern[i]) && strchr(escaped, pattern[i]) == NULL)
			return false;
	}
	return true;
}

/* At each place there are as many steps as items, and they go as far, forth and back. */
bool
match_cost_is_small(const match_cost *cost, size_t length)
{
	uint64_t steps = ((uint64_t)cost->length + 1) * PLAIN_WEIGHT;

	return !cost->erratic && steps <= STEPS_BASE / cost->weight / ((uint64_t)length + 1);
}

void
match_cost_free(match_cost *cost)
{
	free(cost->items);
	cost->items = NULL;
}

static size_t
measure_longest_group(const pcre2_callout_block *block)
{
	size_t longest = 0;

	for (uint32_t i = 1; i < block->capture_top; i++) {
		PCRE2_SIZE start = block->offset_vector[2 * i];
		PCRE2_SIZE end = block->offset_vector[2 * i + 1];

		if (start != PCRE2_UNSET && end != PCRE2_UNSET && end > start &&
		    end - start > longest)
			longest = end - start;
	}
	return longest;
}

/* The steps' worth of the way that the next item may go unseen. */
static uint64_t
foresee(const match_cost *cost, const pcre2_callout_block *block)
{
	size_t at = block->pattern_position;
	uint32_t item = at <= cost->length ? cost->items[at] : ITEM_WAY;
	size_t left = block->subject_length - block->current_position;
	size_t way = item & ITEM_WAY;

	if (item == 0)
		return 0;
	if ((item & ITEM_REFERS) == 0)
		return (way < block->subject_length ? way : block->subject_length) /
		       CHARACTERS_PER_STEP;
	if (way == 0)
		way = measure_longest_group(block);
	else
		way = left;
	return (way < left ? way : left) * REFERENCE_WEIGHT;
}

static int
charge_step(pcre2_callout_block *block, void *data)
{
	struct budget *budget = data;
	size_t position = block->current_position;
	uint64_t way = position > budget->position ? position - budget->position
	                                           : budget->position - position;

	budget->position = position;
	way += foresee(budget->cost, block);
	if (budget->left <= way)
		return PCRE2_ERROR_CALLOUT;
	budget->left -= way + 1;
	return 0;
}

static bool
set_counted_limit(const match_cost *cost, size_t length, struct budget *budget)
{
	uint64_t weight = cost->weight;

	if (length > (UINT64_MAX - STEPS_BASE) / STEPS_PER_BYTE / REFERENCE_WEIGHT)
		return false;
	if (cost->erratic) {
		if (length > ERRATIC_TEXT_MAX)
			return false;
		weight += length;
	}
	budget->left = (STEPS_BASE + STEPS_PER_BYTE * length) / weight;
	return true;
}

static bool
set_uncounted_limit(const match_cost *cost, size_t length, pcre2_match_context *context)
{
	uint64_t places = cost->anchored ? 1 : (uint64_t)length + 1;
	uint64_t way = length > cost->length ? length : cost->length;
	uint64_t limit = UNCOUNTED_WAY / places / way;

	if (limit == 0)
		return false;
	pcre2_set_match_limit(context,
	                      (uint32_t)(limit < UNCOUNTED_LIMIT ? limit : UNCOUNTED_LIMIT));
	return true;
}

int
match_search(const match_cost *cost, const pcre2_code *code, const char *text, size_t length,
             pcre2_match_data *found, pcre2_match_context *context)
{
	struct budget budget = { .cost = cost };
	bool counted = cost->items != NULL;
	int result;

	if (counted ? !set_counted_limit(cost, length, &budget)
	            : !set_uncounted_limit(cost, length, context))
		return PCRE2_ERROR_MATCHLIMIT;
	if (counted)
		pcre2_set_callout(context, charge_step, &budget);
	result = pcre2_match(code, (PCRE2_SPTR)text, length, 0, 0, found, context);
	/* The stack of JIT code is small; the interpreter goes on with what is left to spend. */
	if (result == PCRE2_ERROR_JIT_STACKLIMIT)
		result = pcre2_match(code, (PCRE2_SPTR)text, length, 0, PCRE2_NO_JIT, found,
		                     context);
	return result;
}
