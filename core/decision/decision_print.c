/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_print.c - prints the decision object in the form that all programs
 * and protocols of limen share.
 */
#include <inttypes.h>
#include <limen/builder.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "decision_state.h"
#include "reader/reader.h"

/* Room on the stack: most decisions fit, and are allocated once, when complete. */
#define ROOM_SIZE 2048

/* The builder repairs texts that are not UTF-8, such as names of files. */
static void
add_text(strbuf *out, const char *text)
{
	size_t length = strlen(text);
	limen_builder *mended;
	limen_value value;

	if (utf8_valid(text, length) == length) {
		value_json_string(out, text, length);
		return;
	}
	mended = limen_builder_new();
	limen_builder_text(mended, NULL, text);
	value = limen_builder_finish(mended);
	out->failed = out->failed || !limen_value_exists(value);
	json_add(out, "%v", value);
	limen_builder_free(mended);
}

void
json_add(strbuf *out, const char *format, ...)
{
	char last = out->text[out->length - 1];
	va_list arguments;
	const char *next, *text;
	limen_value value;

	format += format[0] == ',' && (last == '{' || last == '[');
	va_start(arguments, format);
	for (; (next = strchr(format, '%')) != NULL; format = next + 2) {
		strbuf_add(out, format, (size_t)(next - format));
		if (next[1] == 's' && (text = va_arg(arguments, const char *)) != NULL)
			add_text(out, text);
		else if (next[1] == 'v' && limen_value_exists(value = va_arg(arguments, limen_value)))
			value_json_write(out, value);
		else if (next[1] == 'b')
			strbuf_adds(out, va_arg(arguments, int) != 0 ? "true" : "false");
		else if (next[1] == 'u')
			strbuf_addf(out, "%u", va_arg(arguments, unsigned));
		else
			strbuf_adds(out, "null");
	}
	va_end(arguments);
	strbuf_adds(out, format);
}

/* A finite number; whole ones without a fraction. */
static void
add_real(strbuf *out, double value)
{
	if (value == trunc(value) && fabs(value) < 1e15)
		strbuf_addf(out, "%lld", (long long)value);
	else
		value_repr_real(out, value);
}

/* Microseconds as seconds, exactly. */
static void
add_seconds(strbuf *out, limen_duration duration)
{
	strbuf_addf(out, "%lld.%06lld", (long long)(duration / LIMEN_SECOND),
	            (long long)(duration % LIMEN_SECOND));
	while (out->text[out->length - 1] == '0')
		out->length--;
	if (out->text[out->length - 1] == '.')
		out->length--;
}

static void
add_names(strbuf *out, const char *begin, const char *const *items, size_t count)
{
	strbuf_adds(out, begin);
	for (size_t i = 0; i < count; i++)
		json_add(out, ",%s", items[i]);
	strbuf_addc(out, ']');
}

static void
add_messages(strbuf *out, const limen_decision *decision)
{
	arena memory = ARENA_INIT;
	item_list messages;

	strbuf_adds(out, ",\"messages\":[");
	out->failed = !text_list_unique(&decision->violations, MESSAGE_OFFSET, &memory, &messages) ||
	              out->failed;
	for (const text_item *item = messages.first; item != NULL; item = item->next)
		json_add(out, ",%s", item->text);
	strbuf_addc(out, ']');
	arena_free(&memory);
}

static void
add_annotations(strbuf *out, const limen_decision *decision)
{
	if (decision->annotations.count == 0)
		return;
	strbuf_adds(out, ",\"annotations\":{");
	for (const annotation_item *item = decision->annotations.first; item != NULL;
	     item = item->next)
		json_add(out, ",%s:%s", item->annotation.key, item->annotation.value);
	strbuf_addc(out, '}');
}

static void
add_origins(strbuf *out, const limen_decision *decision)
{
	if (!decision->wants_origins)
		return;
	strbuf_adds(out, ",\"origins\":[");
	for (const origin_item *item = decision->origins.first; item != NULL; item = item->next)
		json_add(out, ",{\"path\":%s,\"from\":%s}", item->origin.pointer, item->origin.text);
	strbuf_addc(out, ']');
}

/* A window of calendar time is a word. */
static void
add_rates(strbuf *out, const limen_decision *decision)
{
	static const char *const units[] = { [LIMEN_UNIT_DAY] = "day", [LIMEN_UNIT_WEEK] = "week",
		                             [LIMEN_UNIT_MONTH] = "month",
		                             [LIMEN_UNIT_YEAR] = "year" };
	const limen_quota *rate = limen_decision_quota(decision, 0);

	if (rate == NULL)
		return;
	strbuf_adds(out, ",\"rates\":[");
	for (size_t i = 0; rate != NULL; rate = limen_decision_quota(decision, ++i)) {
		json_add(out, ",{\"name\":%s", rate->name);
		strbuf_addf(out,
		            ",\"quota\":%" PRId64 ",\"remaining\":%" PRId64 ",\"reset\":%" PRId64,
		            rate->quota, rate->remaining, rate->reset);
		if (rate->unit == LIMEN_UNIT_NONE)
			strbuf_addf(out, ",\"window\":%" PRId64 "}", rate->window);
		else
			json_add(out, ",\"window\":%s}", units[rate->unit]);
	}
	strbuf_addc(out, ']');
}

static const char *
verdict_text(limen_verdict verdict)
{
	switch (verdict) {
	case LIMEN_PASS:
		return "pass";
	case LIMEN_FAIL:
		return "fail";
	case LIMEN_SKIP:
		return "skip";
	default:
		return "error";
	}
}

static void
add_bound(strbuf *out, const limen_bound *item)
{
	static const char *const words[] = { "at least", "at most", "one of", "none of",
		                             "outside",  "matching", "not matching", "below" };

	json_add(out, ",\"field\":%s,\"have\":%s,\"relation\":%s,\"bound\":%s", item->field, item->have,
	    (size_t)item->relation < sizeof(words) / sizeof(words[0]) ? words[item->relation] : NULL,
	    item->bound);
}

static void
add_trace_entry(strbuf *out, const limen_trace *item)
{
	json_add(out, ",{\"kind\":%s,\"type\":%s,\"name\":%s,\"verdict\":%s,\"inverted\":%b,"
	    "\"reason\":%s,\"microseconds\":", limen_kind_name(item->kind), item->type, item->name,
	    verdict_text(item->verdict), item->inverted, item->reason);
	add_real(out, (double)(item->nanoseconds / 100) / 10.0);
	json_add(out, ",\"file\":%s,\"line\":%u", item->file, item->line);
	if (item->note_count > 0)
		add_names(out, ",\"notes\":[", item->notes, item->note_count);
	if (item->phase != NULL)
		json_add(out, ",\"phase\":%s", item->phase);
	if (item->application > 0)
		json_add(out, ",\"application\":%u,\"group\":%u", item->application, item->group);
	if (item->observes)
		strbuf_adds(out, ",\"enforce\":\"audit\"");
	if (item->bound_count > 0)
		strbuf_adds(out, ",\"bounds\":[");
	for (size_t i = 0; i < item->bound_count; i++) {
		json_add(out, ",{");
		add_bound(out, &item->bounds[i]);
		strbuf_addc(out, '}');
	}
	strbuf_adds(out, item->bound_count > 0 ? "]}" : "}");
}

static void
add_step(strbuf *out, const limen_step *step)
{
	static const char *const words[] = { "classifier", "application", "group", "admission" };

	json_add(out, ",{\"kind\":%s,\"verdict\":%s", words[step->kind - LIMEN_STEP_CLASSIFIER],
	    verdict_text(step->verdict));
	if (step->kind != LIMEN_STEP_GROUP)
		json_add(out, ",\"name\":%s", step->name);
	if (step->require != NULL)
		json_add(out, ",\"require\":%s", step->require);
	if (step->application > 0)
		json_add(out, ",\"application\":%u", step->application);
	if (step->group > 0)
		json_add(out, ",\"group\":%u", step->group);
	if (step->kind == LIMEN_STEP_APPLICATION)
		json_add(out, ",\"classifier\":%s,\"inverted\":%b,\"stop-on-failure\":%b",
		    step->classifier, step->inverted, step->stops);
	if (step->observes)
		strbuf_adds(out, ",\"enforce\":\"audit\"");
	if (step->kind == LIMEN_STEP_ADMISSION)
		json_add(out, ",\"phase\":%s,\"reason\":%s", step->phase, step->reason);
	json_add(out, ",\"file\":%s,\"line\":%u}", step->file, step->line);
}

static void
add_explanation(strbuf *out, const limen_decision *decision)
{
	strbuf_adds(out, ",\"trace\":[");
	for (const trace_item *item = decision->trace.first; item != NULL; item = item->next)
		add_trace_entry(out, &item->trace);
	strbuf_adds(out, "],\"steps\":[");
	for (const step_item *item = decision->steps.first; item != NULL; item = item->next)
		add_step(out, &item->step);
	strbuf_addc(out, ']');
}

static void
add_changes(strbuf *out, const limen_decision *decision)
{
	const limen_trace *unexplained = decision->unexplained;

	if (unexplained != NULL)
		json_add(out, ",\"unexplained\":{\"name\":%s,\"application\":%u,\"reason\":%s}",
		    unexplained->name, unexplained->application, unexplained->reason);
	if (decision->change_count == 0)
		return;
	strbuf_adds(out, ",\"smallest_change\":[");
	for (size_t i = 0; i < decision->change_count; i++) {
		const limen_change *advice = &decision->changes[i];

		json_add(out, ",{\"kind\":%s,\"name\":%s", limen_kind_name(advice->entry->kind),
		    advice->entry->name);
		if (advice->entry->application > 0)
			json_add(out, ",\"application\":%u", advice->entry->application);
		if (advice->bound != NULL) {
			add_bound(out, advice->bound);
		} else {
			strbuf_adds(out, ",\"wait\":");
			add_seconds(out, advice->wait);
		}
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
}

const char *
limen_decision_summary(const limen_decision *decision)
{
	if (decision == NULL)
		return NULL;
	switch (decision->code) {
	case 200:
		return "admitted";
	case 500:
		return "cannot be decided now";
	case 400:
		return "malformed";
	case 422:
		return "not valid";
	case 429:
		return "too many requests, try again later";
	default:
		return "refused by the policy";
	}
}

static void
add_decision(strbuf *out, const limen_decision *decision, limen_value id)
{
	limen_value rewritten = limen_decision_rewritten(decision);

	strbuf_addc(out, '{');
	if (limen_value_exists(id))
		json_add(out, "\"id\":%v", id);
	json_add(out, ",\"admitted\":%b,\"code\":%u,\"reason\":%s", decision->admitted, decision->code,
	    decision->reason);
	add_messages(out, decision);
	json_add(out, ",\"diagnostics\":%s", decision->diagnostics.text);
	add_names(out, ",\"identifiers\":[", decision->identifiers.items,
	          decision->identifiers.count);
	add_names(out, ",\"classifiers\":[", decision->classifiers.items,
	          decision->classifiers.count);
	strbuf_adds(out, ",\"priority\":");
	if (decision->has_priority)
		add_real(out, decision->priority);
	else
		strbuf_adds(out, "null");
	/* Fails for a document lost to a memory shortage; null would mean "not rewritten". */
	if (decision->rewritten != NULL && !limen_value_exists(rewritten))
		out->failed = true;
	json_add(out, ",\"rewritten\":%v,\"patch\":%v", rewritten, limen_decision_patch(decision));
	add_names(out, ",\"warnings\":[", decision->warning_items, decision->warnings.count);
	strbuf_adds(out, ",\"retry_after\":");
	if (decision->retry_after < 0)
		strbuf_adds(out, "null");
	else
		add_seconds(out, decision->retry_after);
	add_rates(out, decision);
	if (decision->details != NULL)
		json_add(out, ",\"details\":%v", limen_decision_details(decision));
	add_annotations(out, decision);
	add_origins(out, decision);
	if (decision->wants_trace)
		add_explanation(out, decision);
	add_changes(out, decision);
	strbuf_addc(out, '}');
}

/* Returns what the sender may know of 'decision', whose memory it uses. */
static limen_decision
make_brief(const limen_decision *decision)
{
	limen_decision brief = {
		.admitted = decision->admitted,
		.code = decision->code,
		.reason = limen_decision_summary(decision),
		.retry_after = decision->retry_after,
	};

	/* Changes to refused requests are hidden. */
	if (decision->admitted) {
		brief.has_priority = decision->has_priority;
		brief.priority = decision->priority;
		brief.rewritten = decision->rewritten;
		brief.patch = decision->patch;
	}
	return brief;
}

/* Prints 'text' again, with 'flags'; one that is nested too deeply to be read stays as it is. */
static char *
print_again(char *text, unsigned flags, size_t *length)
{
	document *doc = NULL;
	int result = json_read_result(NULL, text, strlen(text), 0, &doc, NULL);
	char *printed;

	if (result == LIMEN_EINVAL)
		return text;
	printed = limen_value_to_json(document_root(doc), flags, length);
	document_unref(doc);
	free(text);
	return printed;
}

char *
decision_to_json(const limen_decision *decision, limen_value id, unsigned flags, size_t *length)
{
	char room[ROOM_SIZE];
	strbuf out = strbuf_within(room, sizeof(room));
	limen_decision brief;
	char *text;

	if (decision == NULL)
		return NULL;
	if ((flags & LIMEN_JSON_BRIEF) != 0) {
		brief = make_brief(decision);
		decision = &brief;
	}
	add_decision(&out, decision, id);
	text = strbuf_steal(&out, length);
	if (text == NULL || (flags & (LIMEN_JSON_PRETTY | LIMEN_JSON_SORTED)) == 0)
		return text;
	return print_again(text, flags, length);
}

char *
limen_decision_to_json(const limen_decision *decision, unsigned flags, size_t *length)
{
	return decision_to_json(decision, limen_value_none(), flags, length);
}
