/* SPDX-License-Identifier: Apache-2.0 */
/*
 * string_match.c - StringMatch.  Exact and contains with regard to case compare bytes.  Everything
 * else is PCRE2: without regard to case, exact and contains are patterns of literal characters,
 * which leaves Unicode's case tables to PCRE2.  Its limits are those below.
 */
#include <limen/string_match.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "python_pattern.h"
#include "base/recycle.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KNOWN_FLAGS ((unsigned)(LIMEN_MATCH_CASELESS | LIMEN_MATCH_INVERT | LIMEN_MATCH_WHOLE))

/* Reaching either limit is an error: whether the pattern matches is then unknown. */
#define MATCH_LIMIT    ((uint32_t)100000)
#define HEAP_LIMIT_KIB ((uint32_t)1024)

/*
 * MATCH_LIMIT holds for each place where a match may begin, and a step may read the rest of the
 * text: "\d+x" takes the square of a text's length, and "(.+)\1x" the cube.  The processor time is
 * therefore checked after every ITEMS_PER_LOOK items; each item reads TEXT_MAX bytes at most.
 */
#define ITEMS_PER_LOOK  ((unsigned)256)
#define NANOSECONDS_MAX ((int64_t)100000000)
#define TEXT_MAX        ((size_t)64 << 10)

/*
 * The calls take most of the time of a short search, and MATCH_LIMIT alone ends one in so few bytes
 * within some 20 ms, without JIT code, unless the pattern has back references.
 */
#define PLAIN_TEXT_MAX ((size_t)128)

/* For a pattern of many kilobytes, in which PCRE2 has no room for calls before each item. */
#define UNWATCHED_TEXT_MAX ((size_t)1 << 10)

struct limen_string_match {
	limen_match_style style;
	unsigned flags;
	pcre2_code *code;  /* NULL: compare 'pattern' */
	pcre2_code *plain; /* the same without calls of count_item(), for short texts; or NULL */
	pcre2_general_context *memory;
	pcre2_match_context *limits;
	size_t text_max;
	size_t length;
	char *pattern;
	char note[PYTHON_PATTERN_NOTE_MAX];
};

static void
explain(char *why, const char *text, const char *problem, size_t position)
{
	if (why != NULL)
		snprintf(why, LIMEN_MATCH_WHY_MAX, "%s: %.200s at position %zu", text, problem,
		         position);
}

static const char *
describe_style(limen_match_style style)
{
	return style == LIMEN_MATCH_REGEX ? "Invalid regular expression" : "Invalid match string";
}

static uint32_t
choose_options(const limen_string_match *match, bool ascii)
{
	uint32_t options =
		PCRE2_UTF | ((match->flags & LIMEN_MATCH_CASELESS) != 0 ? PCRE2_CASELESS : 0);

	switch (match->style) {
	case LIMEN_MATCH_EXACT:
		return options | PCRE2_LITERAL | PCRE2_ANCHORED | PCRE2_ENDANCHORED;
	case LIMEN_MATCH_CONTAINS:
		return options | PCRE2_LITERAL;
	case LIMEN_MATCH_REGEX:
		break;
	}
	/* "^" after a final newline, with (?m), is Python's; \C could split a character. */
	options |= PCRE2_ALT_CIRCUMFLEX | PCRE2_NEVER_BACKSLASH_C;
	if ((match->flags & LIMEN_MATCH_WHOLE) != 0)
		options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
	return ascii ? options : options | PCRE2_UCP;
}

/* Returns LIMEN_EINVAL with 'error' and 'offset' of PCRE2, which is out of memory as well. */
static int
compile(const char *text, size_t length, uint32_t options, pcre2_code **code, int *error,
        size_t *offset)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);

	if (context == NULL)
		return LIMEN_ENOMEM;
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	*code = pcre2_compile((PCRE2_SPTR)text, length, options, error, offset, context);
	pcre2_compile_context_free(context);
	if (*code == NULL)
		return LIMEN_EINVAL;
	/* Without JIT code, for which a system may grant no memory, the interpreter matches. */
	pcre2_jit_compile(*code, PCRE2_JIT_COMPLETE);
	return LIMEN_OK;
}

static int
report(int error, const char *name, size_t position, char *why)
{
	PCRE2_UCHAR text[LIMEN_MATCH_WHY_MAX] = "unknown mistake";

	if (error == PCRE2_ERROR_NOMEMORY || error == PCRE2_ERROR_HEAP_FAILED)
		return LIMEN_ENOMEM;
	pcre2_get_error_message(error, text, sizeof(text));
	explain(why, name, (const char *)text, position);
	return LIMEN_EINVAL;
}

static int
compile_literal(limen_string_match *match, char *why)
{
	size_t offset = 0;
	int error = 0;
	int result = compile(match->pattern, match->length, choose_options(match, false),
	                     &match->code, &error, &offset);

	match->text_max = SIZE_MAX;
	if (result != LIMEN_EINVAL)
		return result;
	return report(error, describe_style(match->style),
	              utf8_locate(match->pattern, offset).character, why);
}

/* As compile(), twice: with calls of count_item(), if there is room for them, and without. */
static int
compile_watched(limen_string_match *match, const python_pattern *pattern, int *error,
                size_t *offset)
{
	uint32_t options = choose_options(match, pattern->ascii);
	int result = compile(pattern->text, pattern->length, options | PCRE2_AUTO_CALLOUT,
	                     &match->code, error, offset);
	bool too_large = result == LIMEN_EINVAL && *error == PCRE2_ERROR_PATTERN_TOO_LARGE;
	uint32_t references = 0;

	match->text_max = too_large ? UNWATCHED_TEXT_MAX : TEXT_MAX;
	if (result != LIMEN_OK && !too_large)
		return result;
	if (!too_large)
		pcre2_pattern_info(match->code, PCRE2_INFO_BACKREFMAX, &references);
	if (references > 0)
		return LIMEN_OK;
	return compile(pattern->text, pattern->length, options,
	               too_large ? &match->code : &match->plain, error, offset);
}

static int
compile_regex(limen_string_match *match, char *why)
{
	python_pattern respelled = { .text = NULL };
	size_t offset = 0;
	int error = 0;
	int result = python_pattern_translate(match->pattern, match->length, &respelled);

	if (result != LIMEN_OK)
		return result;
	memcpy(match->note, respelled.note, sizeof(match->note));
	result = compile_watched(match, &respelled, &error, &offset);
	python_pattern_free(&respelled);
	if (result != LIMEN_EINVAL)
		return result;
	offset = python_pattern_origin(match->pattern, match->length, offset);
	return report(error, describe_style(match->style),
	              utf8_locate(match->pattern, offset).character, why);
}

static void *
get_memory(PCRE2_SIZE size, void *data)
{
	(void)data;
	return recycle_alloc(size);
}

static void
give_memory(void *block, void *data)
{
	(void)data;
	recycle_free(block);
}

/* Items of this thread's search, and the thread's processor time (ns) at the first check. */
static _Thread_local unsigned items;
static _Thread_local int64_t first_look;

static int64_t
read_processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* PCRE2 calls this before each item of a regular expression; ends a search that takes too long. */
static int
count_item(pcre2_callout_block *block, void *data)
{
	(void)block;
	(void)data;
	if (++items % ITEMS_PER_LOOK != 0)
		return 0;
	if (items == ITEMS_PER_LOOK)
		first_look = read_processor_time();
	return read_processor_time() - first_look > NANOSECONDS_MAX ? PCRE2_ERROR_CALLOUT : 0;
}

/* Each match frees its memory at once (recycle.h), so that the next one can reuse it. */
static int
set_limits(limen_string_match *match)
{
	match->memory = pcre2_general_context_create(get_memory, give_memory, NULL);
	match->limits = match->memory == NULL ? NULL : pcre2_match_context_create(match->memory);
	if (match->limits == NULL)
		return LIMEN_ENOMEM;
	pcre2_set_match_limit(match->limits, MATCH_LIMIT);
	pcre2_set_heap_limit(match->limits, HEAP_LIMIT_KIB);
	pcre2_set_callout(match->limits, count_item, NULL);
	return LIMEN_OK;
}

/* Everything but the checks of arguments; 'match' is freed by the caller on failure. */
static int
prepare(limen_string_match *match, const char *pattern, char *why)
{
	int result;

	match->pattern = malloc(match->length + 1);
	if (match->pattern == NULL)
		return LIMEN_ENOMEM;
	memcpy(match->pattern, pattern, match->length);
	match->pattern[match->length] = '\0';
	if (match->style != LIMEN_MATCH_REGEX && (match->flags & LIMEN_MATCH_CASELESS) == 0)
		return LIMEN_OK;
	result = match->style == LIMEN_MATCH_REGEX ? compile_regex(match, why)
	                                           : compile_literal(match, why);
	return result == LIMEN_OK ? set_limits(match) : result;
}

static bool
is_known(limen_match_style style, unsigned flags)
{
	return style >= LIMEN_MATCH_EXACT && style <= LIMEN_MATCH_REGEX &&
	       (flags & ~KNOWN_FLAGS) == 0 &&
	       ((flags & LIMEN_MATCH_WHOLE) == 0 || style == LIMEN_MATCH_REGEX);
}

int
limen_string_match_new(limen_match_style style, const char *pattern, size_t length, unsigned flags,
                       limen_string_match **out, char why[LIMEN_MATCH_WHY_MAX])
{
	const char *text = length > 0 ? pattern : "";
	limen_string_match *match;
	size_t valid;
	int result;

	if (text == NULL || out == NULL)
		return LIMEN_EINVAL;
	valid = utf8_valid(text, length);
	if (!is_known(style, flags)) {
		if (why != NULL)
			snprintf(why, LIMEN_MATCH_WHY_MAX, "Unknown style or flag of a match");
		return LIMEN_EINVAL;
	}
	if (valid != length) {
		explain(why, describe_style(style), "not UTF-8",
		        utf8_locate(text, valid).character);
		return LIMEN_EINVAL;
	}
	match = calloc(1, sizeof(*match));
	if (match == NULL)
		return LIMEN_ENOMEM;
	match->style = style;
	match->flags = flags;
	match->length = length;
	result = prepare(match, text, why);
	if (result == LIMEN_OK)
		*out = match;
	else
		limen_string_match_free(match);
	return result;
}

void
limen_string_match_free(limen_string_match *match)
{
	if (match == NULL)
		return;
	pcre2_match_context_free(match->limits);
	pcre2_general_context_free(match->memory);
	pcre2_code_free(match->code);
	pcre2_code_free(match->plain);
	free(match->pattern);
	free(match);
}

/* JIT code is called directly; its stack is small, and the interpreter does without. */
static int
search(const limen_string_match *match, const char *text, size_t length, pcre2_match_data *found)
{
	bool is_short = match->plain != NULL && length <= PLAIN_TEXT_MAX;
	const pcre2_code *code = is_short ? match->plain : match->code;
	int result = pcre2_jit_match(code, (PCRE2_SPTR)text, length, 0, 0, found, match->limits);

	if (result == PCRE2_ERROR_JIT_STACKLIMIT || result == PCRE2_ERROR_JIT_BADOPTION)
		result = pcre2_match(code, (PCRE2_SPTR)text, length, 0,
		                     PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, found, match->limits);
	return result;
}

/* The match data belongs to this call, so that threads share nothing that changes. */
static limen_verdict
test_code(const limen_string_match *match, const char *text, size_t length)
{
	pcre2_match_data *found;
	int result = PCRE2_ERROR_NOMEMORY;

	if (length > match->text_max)
		return LIMEN_ERROR;
	items = 0;
	found = pcre2_match_data_create(1, match->memory);
	if (found != NULL)
		result = search(match, text, length, found);
	pcre2_match_data_free(found);
	if (result >= 0)
		return LIMEN_PASS;
	return result == PCRE2_ERROR_NOMATCH ? LIMEN_FAIL : LIMEN_ERROR;
}

static limen_verdict
test_bytes(const limen_string_match *match, const char *text, size_t length)
{
	bool same;

	if (match->style == LIMEN_MATCH_EXACT)
		same = length == match->length && memcmp(text, match->pattern, length) == 0;
	else
		same = memmem(text, length, match->pattern, match->length) != NULL;
	return same ? LIMEN_PASS : LIMEN_FAIL;
}

limen_verdict
limen_string_match_test(const limen_string_match *match, const char *text, size_t length)
{
	const char *start = length > 0 ? text : "";
	limen_verdict verdict;

	if (match == NULL || start == NULL || utf8_valid(start, length) != length)
		return LIMEN_ERROR;
	verdict = match->code != NULL ? test_code(match, start, length)
	                              : test_bytes(match, start, length);
	if ((match->flags & LIMEN_MATCH_INVERT) == 0 || verdict == LIMEN_ERROR)
		return verdict;
	return verdict == LIMEN_PASS ? LIMEN_FAIL : LIMEN_PASS;
}

const char *
limen_string_match_note(const limen_string_match *match)
{
	return match != NULL && match->note[0] != '\0' ? match->note : NULL;
}
