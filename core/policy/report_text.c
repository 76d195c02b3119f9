/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_text.c - writes the report lines of applications, groups and priorities in pScheduler's
 * words.  It stores those that never change in the memory of the policy.
 */
#include "report_text.h"

#include <math.h>
#include <string.h>

#include "compile.h"
#include "base/utf8.h"

void
wording_passed(strbuf *out, size_t number, const char *limit)
{
	account_line(out, "  ", "Group %zu: Limit '%s' passed", number, limit);
}

void
wording_group(strbuf *out, const group *target, size_t number, const tally *count, outcome met)
{
	size_t total = target->limits.count;

	account_line(out, "  ", "Group %zu: Want %s, %zu/%zu passed, %zu/%zu failed: %s", number,
	             require_words[target->require], count->yes, total, total - count->yes, total,
	             met == OUTCOME_YES ? "PASS" : "FAIL");
}

const char *
wording_priority(arena *memory, double priority)
{
	/* Numbers of this size are whole as they are, and no integers to C. */
	bool huge = fabs(priority) >= 0x1p53;
	const char *text = huge ? arena_printf(memory, "%.0f", priority)
	                        : arena_printf(memory, "%lld", (long long)priority);

	return text == NULL ? "?" : text;
}

/* Copies 'written' into the memory of the policy and frees it. */
static phrase
keep(compile_context *context, strbuf *written)
{
	size_t length = written->failed ? 0 : written->length;
	char *copy = compile_alloc(context, length + 1, 1);
	phrase kept = { copy == NULL ? "" : copy, copy == NULL ? 0 : length };

	if (written->failed)
		compile_no_memory(context, limen_value_none());
	if (copy != NULL && length > 0)
		memcpy(copy, written->text, length);
	strbuf_free(written);
	return kept;
}

static void
make_group(compile_context *context, group *target, size_t number)
{
	const entry *limits = context->policy->limits.items;
	tally count = { .yes = target->limits.count };
	strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < target->limits.count; i++)
		wording_passed(&text, number, limits[target->limits.items[i]].name);
	wording_group(&text, target, number, &count, require_outcome(target->require, &count));
	target->all_passed = keep(context, &text);
}

static phrase
make_end(compile_context *context, const application *target, const char *verdict)
{
	strbuf text = STRBUF_INIT;

	account_line(&text, "  ", "Application %s%s", verdict, target->invert ? " (Inverted)" : "");
	return keep(context, &text);
}

/* A reason is one line, whatever a description has. */
static phrase
make_reason(compile_context *context, const application *target, size_t number)
{
	strbuf text = STRBUF_INIT;

	if (target->description == NULL)
		strbuf_addf(&text, "application %zu passes", number);
	else
		strbuf_addf(&text, "application '%s' passes", target->description);
	utf8_one_line(text.text);
	return keep(context, &text);
}

static void
make_application(compile_context *context, application *target, size_t number)
{
	const char *description = target->description;
	strbuf text = STRBUF_INIT;

	account_line(&text, "", "Application: %s",
	             description == NULL ? "(No description)" : description);
	target->heading = keep(context, &text);
	target->passes = make_end(context, target, "PASSES");
	target->fails = make_end(context, target, "FAILS");
	target->admits = make_reason(context, target, number);
	for (size_t i = 0; i < target->group_count; i++)
		make_group(context, &target->groups[i], i + 1);
}

void
compile_wording(compile_context *context)
{
	policy *loaded = context->policy;
	strbuf text = STRBUF_INIT;

	account_line(&text, "", "Priority set to default of %s",
	             wording_priority(&loaded->owned.arena, loaded->initial_priority));
	loaded->default_priority = keep(context, &text);
	for (size_t i = 0; i < loaded->application_count; i++)
		make_application(context, &loaded->applications[i], i + 1);
}
