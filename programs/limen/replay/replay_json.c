/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_json.c - what a replay found, as one JSON object.
 */
#include <limen/duration.h>
#include <stdio.h>

#include "common/json_out.h"
#include "replay.h"

static void
put_time(GString *out, const char *key, limen_time time)
{
	limen_timestamp at = { .time = time };
	char text[LIMEN_TIMESTAMP_TEXT_MAX];

	limen_timestamp_print(&at, text);
	json_put_string(out, key, text);
}

static void
put_size(GString *out, const char *key, size_t value)
{
	json_put_int(out, key, (int64_t)value);
}

/* An array of {"what": TEXT, "count": N} of what is not 0. */
static void
put_counts(GString *out, const char *key, const size_t *counts, int length,
           const char *(*name)(int))
{
	json_key(out, key);
	json_open(out, '[');
	for (int i = 0; i < length; i++) {
		if (counts[i] == 0)
			continue;
		json_open(out, '{');
		json_put_string(out, "what", name(i));
		put_size(out, "count", counts[i]);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
}

static void
put_matrix(GString *out, const replay_tally *tally)
{
	json_key(out, "verdicts");
	json_open(out, '{');
	for (int was = 0; was < VERDICTS; was++) {
		json_key(out, replay_verdict_text(was));
		json_open(out, '{');
		for (int is = 0; is < VERDICTS; is++)
			put_size(out, replay_verdict_text(is), tally->matrix[was][is]);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, '}');
}

static void
put_rules(GString *out, const replay_tally *tally)
{
	json_key(out, "rules");
	json_open(out, '[');
	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *one = g_ptr_array_index(tally->rules, i);

		json_open(out, '{');
		json_put_string(out, "verdict", replay_verdict_text(one->verdict));
		json_put_int(out, "code", one->code);
		json_put_string(out, "rule", one->text);
		put_size(out, "was", one->was);
		put_size(out, "is", one->is);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
}

static void
put_examples(GString *out, const GPtrArray *examples)
{
	json_key(out, "examples");
	json_open(out, '[');
	for (guint i = 0; i < examples->len; i++) {
		const replay_example *one = g_ptr_array_index(examples, i);

		json_open(out, '{');
		json_put_string(out, "place", one->place);
		put_time(out, "time", one->time);
		json_put_string(out, "request", one->what);
		json_put_string(out, "was", one->was);
		json_put_string(out, "is", one->is);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
}

/* The rules of a change are numbers of elements of "rules", from 0. */
static void
put_changes(GString *out, const replay_tally *tally)
{
	json_key(out, "changes");
	json_open(out, '[');
	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *one = g_ptr_array_index(tally->changes, i);

		json_open(out, '{');
		put_size(out, "was", one->was);
		put_size(out, "is", one->is);
		put_size(out, "count", one->count);
		put_examples(out, one->examples);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
}

static void
put_malformed(GString *out, const replay_tally *tally)
{
	json_key(out, "malformed");
	json_open(out, '[');
	for (guint i = 0; i < tally->malformed->len; i++)
		json_string(out, g_ptr_array_index(tally->malformed, i));
	g_string_append_c(out, ']');
}

void
replay_print_json(const replay_tally *tally, const replay_names *names)
{
	GString *out = g_string_new(NULL);

	json_open(out, '{');
	json_put_string(out, "was", names->was);
	json_put_string(out, "is", names->is);
	json_put_string(out, "how", names->how);
	put_size(out, "lines", tally->lines);
	put_size(out, "decided", tally->decided);
	put_size(out, "changed", tally->changed);
	put_size(out, "sameFromAnotherRule", tally->moved);
	put_size(out, "late", tally->late);
	if (tally->decided > 0) {
		put_time(out, "first", tally->first);
		put_time(out, "last", tally->last);
	}
	put_counts(out, "notDecided", tally->skips, SKIPS, replay_skip_text);
	put_malformed(out, tally);
	put_counts(out, "decidedWithout", tally->losses, LOSSES, replay_loss_text);
	put_counts(out, "differences", tally->differences, DIFFERENCES, replay_difference_text);
	put_matrix(out, tally);
	put_rules(out, tally);
	put_changes(out, tally);
	g_string_append_c(out, '}');
	puts(out->str);
	g_string_free(out, TRUE);
}
