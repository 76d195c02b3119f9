/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_json.c - prints the result as one JSON object.
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

/* Writes an array of {"what": TEXT, "count": N} with the counts other than 0. */
static void
put_counts(GString *out, const char *key, const size_t *counts, int length,
           const char *(*name)(int))
{
	json_key(out, key);
	json_write(out, "[");
	for (int i = 0; i < length; i++)
		if (counts[i] != 0)
			json_write(out, "{what:s count:z}", name(i), counts[i]);
	json_write(out, "]");
}

static void
put_matrix(GString *out, const replay_tally *tally)
{
	json_write(out, "verdicts:{");
	for (int was = 0; was < VERDICTS; was++) {
		json_key(out, replay_verdict_text(was));
		json_write(out, "{admitted:z refused:z error:z}",
		           tally->matrix[was][VERDICT_ADMITTED],
		           tally->matrix[was][VERDICT_REFUSED],
		           tally->matrix[was][VERDICT_ERROR]);
	}
	json_write(out, "}");
}

static void
put_rules(GString *out, const replay_tally *tally)
{
	json_write(out, "rules:[");
	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *one = g_ptr_array_index(tally->rules, i);

		json_write(out, "{verdict:s code:d rule:s was:z is:z}",
		           replay_verdict_text(one->verdict), one->code, one->text, one->was,
		           one->is);
	}
	json_write(out, "]");
}

static void
put_examples(GString *out, const GPtrArray *examples)
{
	json_write(out, "examples:[");
	for (guint i = 0; i < examples->len; i++) {
		const replay_example *one = g_ptr_array_index(examples, i);

		json_write(out, "{place:s", one->place);
		put_time(out, "time", one->time);
		json_write(out, "request:s was:s is:s}", one->what, one->was, one->is);
	}
	json_write(out, "]");
}

/* Changes refer to rules by their index in "rules", from 0. */
static void
put_changes(GString *out, const replay_tally *tally)
{
	json_write(out, "changes:[");
	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *one = g_ptr_array_index(tally->changes, i);

		json_write(out, "{was:z is:z count:z", one->was, one->is, one->count);
		put_examples(out, one->examples);
		json_write(out, "}");
	}
	json_write(out, "]");
}

void
replay_print_json(const replay_tally *tally, const replay_names *names)
{
	GString *out = g_string_new(NULL);

	json_write(out,
	           "{was:s is:s how:s lines:z decided:z changed:z sameFromAnotherRule:z late:z",
	           names->was, names->is, names->how, tally->lines, tally->decided, tally->changed,
	           tally->moved, tally->late);
	if (tally->decided > 0) {
		put_time(out, "first", tally->first);
		put_time(out, "last", tally->last);
	}
	put_counts(out, "notDecided", tally->skips, SKIPS, replay_skip_text);
	json_write(out, "malformed:[");
	for (guint i = 0; i < tally->malformed->len; i++)
		json_string(out, g_ptr_array_index(tally->malformed, i));
	json_write(out, "]");
	put_counts(out, "decidedWithout", tally->losses, LOSSES, replay_loss_text);
	put_counts(out, "differences", tally->differences, DIFFERENCES, replay_difference_text);
	put_matrix(out, tally);
	put_rules(out, tally);
	put_changes(out, tally);
	json_write(out, "}");
	puts(out->str);
	g_string_free(out, TRUE);
}
