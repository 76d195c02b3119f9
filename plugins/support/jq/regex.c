/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regex.c - matches with oniguruma, as jq does, but goes on with the next
 * character after an empty match, at the end of the string too (jq 1.7 manual,
 * "Regular expressions"), and compiles an expression once.
 */
#include "regex.h"

#include <limen/host.h>
#include <string.h>

/* Looking at the clock costs as much as a short match. */
#define MATCHES_PER_LOOK 64

/* One search through one string. */
typedef struct search {
	jv input;
	const UChar *start;
	const UChar *end;
	regex_t *compiled;
	OnigRegion *region;
	/* Characters up to 'counted', so that offsets are not counted from the start each time. */
	const UChar *counted;
	int characters;
	bool is_global;
	bool is_test;
	int64_t deadline;
	unsigned matches;
	jv names; /* of groups by number: an array of strings and nulls */
	jv found; /* an array */
} search;

static jv
fail(const char *what, const char *why)
{
	return jv_invalid_with_msg(jv_string_fmt("%s%s", what, why));
}

static jv
fail_onig(int code, OnigErrorInfo *info)
{
	UChar why[ONIG_MAX_ERROR_MESSAGE_LEN];

	onig_error_code_to_str(why, code, info);
	return fail("Regex failure: ", (const char *)why);
}

void
regex_forget(regex_cache *cache)
{
	for (unsigned i = 0; i < REGEX_KEPT; i++) {
		if (cache->kept[i].compiled == NULL)
			continue;
		onig_free(cache->kept[i].compiled);
		jv_free(cache->kept[i].pattern);
		cache->kept[i].compiled = NULL;
	}
}

static regex_t *
find_kept(const regex_cache *cache, jv pattern, OnigOptionType options)
{
	for (unsigned i = 0; i < REGEX_KEPT; i++) {
		const regex_kept *one = &cache->kept[i];

		if (one->compiled != NULL && one->options == options &&
		    jv_equal(jv_copy(one->pattern), jv_copy(pattern)))
			return one->compiled;
	}
	return NULL;
}

/* Returns the compiled expression, or NULL with a message in 'error'. */
static regex_t *
compile(regex_cache *cache, jv pattern, OnigOptionType options, jv *error)
{
	regex_t *compiled = find_kept(cache, pattern, options);
	const UChar *text = (const UChar *)jv_string_value(pattern);
	regex_kept *place = &cache->kept[cache->next];
	OnigErrorInfo info;
	int code;

	if (compiled != NULL)
		return compiled;
	code = onig_new(&compiled, text, text + jv_string_length_bytes(jv_copy(pattern)), options,
	                ONIG_ENCODING_UTF8, ONIG_SYNTAX_PERL_NG, &info);
	if (code != ONIG_NORMAL) {
		*error = fail_onig(code, &info);
		return NULL;
	}
	if (place->compiled != NULL) {
		onig_free(place->compiled);
		jv_free(place->pattern);
	}
	/* A copy of its own: the string may be one that the script lets out. */
	*place = (regex_kept){ .compiled = compiled, .options = options };
	place->pattern = jv_string_sized((const char *)text,
	                                 jv_string_length_bytes(jv_copy(pattern)));
	cache->next = (cache->next + 1) % REGEX_KEPT;
	return compiled;
}

/* Reads jq's flags; returns false for what is none. */
static bool
read_flags(jv flags, OnigOptionType *options, bool *is_global)
{
	static const struct {
		char letter;
		OnigOptionType option;
	} letters[] = {
		{ 'g', ONIG_OPTION_NONE },
		{ 'i', ONIG_OPTION_IGNORECASE },
		{ 'x', ONIG_OPTION_EXTEND },
		{ 's', ONIG_OPTION_SINGLELINE },
		{ 'p', ONIG_OPTION_MULTILINE | ONIG_OPTION_SINGLELINE },
		{ 'l', ONIG_OPTION_FIND_LONGEST },
		{ 'n', ONIG_OPTION_FIND_NOT_EMPTY },
	};
	size_t count = sizeof(letters) / sizeof(letters[0]);

	if (jv_get_kind(flags) != JV_KIND_STRING)
		return jv_get_kind(flags) == JV_KIND_NULL;
	for (const char *c = jv_string_value(flags); *c != '\0'; c++) {
		size_t i = 0;

		while (i < count && letters[i].letter != *c)
			i++;
		if (i == count)
			return false;
		*options |= letters[i].option;
		*is_global = *is_global || *c == 'g';
	}
	return true;
}

static int
count_characters(const UChar *from, const UChar *to)
{
	int count = 0;

	for (; from < to; from++)
		count += (*from & 0xC0) != 0x80;
	return count;
}

/* The number of characters before 'at'. */
static int
offset_of(search *state, const UChar *at)
{
	if (at < state->counted)
		return count_characters(state->start, at);
	state->characters += count_characters(state->counted, at);
	state->counted = at;
	return state->characters;
}

/* The object that describes group 'group' of the match in the region. */
static jv
describe(search *state, int group)
{
	int begin = state->region->beg[group];
	int end = state->region->end[group];
	const UChar *from = state->start + begin;
	const UChar *to = state->start + end;
	jv made = jv_object();

	if (begin == ONIG_REGION_NOTPOS) {
		made = jv_object_set(made, jv_string("offset"), jv_number(-1));
		made = jv_object_set(made, jv_string("length"), jv_number(0));
		return jv_object_set(made, jv_string("string"), jv_null());
	}
	made = jv_object_set(made, jv_string("offset"), jv_number(offset_of(state, from)));
	made = jv_object_set(made, jv_string("length"), jv_number(count_characters(from, to)));
	return jv_object_set(made, jv_string("string"),
	                     jv_string_sized((const char *)from, end - begin));
}

static int
keep_name(const UChar *name, const UChar *end, int count, int *groups, regex_t *compiled,
          void *data)
{
	jv *names = data;

	(void)compiled;
	for (int i = 0; i < count; i++) {
		jv text = jv_string_sized((const char *)name, (int)(end - name));

		*names = jv_array_set(*names, groups[i] - 1, text);
	}
	return 0;
}

static void
add_match(search *state)
{
	jv match = describe(state, 0);
	jv captures = jv_array();

	for (int i = 1; i < state->region->num_regs; i++) {
		jv name = jv_array_get(jv_copy(state->names), i - 1);
		jv group = describe(state, i);

		if (!jv_is_valid(name)) {
			jv_free(name);
			name = jv_null();
		}
		captures = jv_array_append(captures, jv_object_set(group, jv_string("name"), name));
	}
	match = jv_object_set(match, jv_string("captures"), captures);
	state->found = jv_array_append(state->found, match);
}

/* Where to look next: behind the match, or behind a character if it was empty. */
static const UChar *
next_start(const search *state)
{
	const UChar *end = state->start + state->region->end[0];

	if (state->region->end[0] > state->region->beg[0])
		return end;
	for (end++; end < state->end && (*end & 0xC0) == 0x80;)
		end++;
	return end;
}

static bool
is_late(search *state)
{
	return ++state->matches % MATCHES_PER_LOOK == 0 &&
	       limen_host_monotonic() >= state->deadline;
}

/* Returns ONIG_NORMAL, or what oniguruma could not do. */
static int
search_all(search *state)
{
	const UChar *at = state->start;

	do {
		int code = onig_search(state->compiled, state->start, state->end, at, state->end,
		                       state->region, ONIG_OPTION_NONE);

		if (code == ONIG_MISMATCH)
			return ONIG_NORMAL;
		if (code < 0)
			return code;
		add_match(state);
		at = next_start(state);
	} while (state->is_global && !state->is_test && at <= state->end && !is_late(state));
	return ONIG_NORMAL;
}

static jv
run_search(search *state)
{
	int code;

	state->start = (const UChar *)jv_string_value(state->input);
	state->end = state->start + jv_string_length_bytes(jv_copy(state->input));
	state->counted = state->start;
	state->region = onig_region_new();
	if (state->region == NULL)
		return fail("", limen_result_text(LIMEN_ENOMEM));
	state->names = jv_array();
	state->found = jv_array();
	onig_foreach_name(state->compiled, keep_name, &state->names);
	code = search_all(state);
	onig_region_free(state->region, 1);
	jv_free(state->names);
	if (code != ONIG_NORMAL) {
		jv_free(state->found);
		return fail_onig(code, NULL);
	}
	if (!state->is_test)
		return state->found;
	code = jv_array_length(state->found);
	return jv_bool(code > 0);
}

/* The message of a value that is no string, in jq's words. */
static jv
fail_kind(jv input, jv pattern)
{
	char first[15];
	char second[15];
	const char *why = "cannot be matched, as it is not a string";

	jv_dump_string_trunc(jv_copy(input), first, sizeof(first));
	if (jv_get_kind(input) != JV_KIND_STRING)
		return jv_invalid_with_msg(jv_string_fmt("%s (%s) %s",
		                                         jv_kind_name(jv_get_kind(input)),
		                                         first, why));
	jv_dump_string_trunc(jv_copy(pattern), second, sizeof(second));
	return jv_invalid_with_msg(jv_string_fmt("string (%s) and %s (%s) %s", first,
	                                         jv_kind_name(jv_get_kind(pattern)), second,
	                                         why));
}

static jv
fail_flags(jv flags)
{
	jv text;
	jv failure;

	if (jv_get_kind(flags) == JV_KIND_STRING)
		return fail(jv_string_value(flags), " is not a valid modifier string");
	text = jv_dump_string(jv_copy(flags), 0);
	failure = jv_invalid_with_msg(jv_string_fmt("%s (%s) is not a string",
	                                            jv_kind_name(jv_get_kind(flags)),
	                                            jv_string_value(text)));
	jv_free(text);
	return failure;
}

jv
regex_match(regex_cache *cache, jv call, int64_t deadline)
{
	jv input = jv_array_get(jv_copy(call), 1);
	jv pattern = jv_array_get(jv_copy(call), 2);
	jv flags = jv_array_get(jv_copy(call), 3);
	jv test = jv_array_get(call, 4);
	search state = { .input = input, .deadline = deadline,
		         .is_test = jv_get_kind(test) == JV_KIND_TRUE };
	OnigOptionType options = ONIG_OPTION_CAPTURE_GROUP;
	jv answer = jv_invalid();

	jv_free(test);
	if (jv_get_kind(input) != JV_KIND_STRING || jv_get_kind(pattern) != JV_KIND_STRING)
		answer = fail_kind(input, pattern);
	else if (!read_flags(flags, &options, &state.is_global))
		answer = fail_flags(flags);
	else
		state.compiled = compile(cache, pattern, options, &answer);
	if (state.compiled != NULL)
		answer = run_search(&state);
	jv_free(input);
	jv_free(pattern);
	jv_free(flags);
	return answer;
}
