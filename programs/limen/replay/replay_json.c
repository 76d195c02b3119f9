/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_json.c - prints the result as one JSON object.
 */
#include <limen/duration.h>
#include <stdio.h>

#include "common/json_out.h"
#include "replay.h"

/* Writes an array of {"what": TEXT, "count": N} with the counts other than 0. */
static void
put_counts(GString *out, const char *key, const size_t *counts, int length,
           const char *const *names)
{
	json_key(out, key);
	json_write(out, "[");
	for (int i = 0; i < length; i++)
		if (counts[i] != 0)
			json_write(out, "{what:s count:z}", names[i], counts[i]);
	json_write(out, "]");
}

/* Writes the counts by verdict, and the rules. */
static void
put_rules(GString *out, const replay_tally *tally)
{
	json_write(out, "verdicts:{");
	for (int was = 0; was < VERDICTS; was++) {
		const size_t *row = tally->matrix[was];

		json_key(out, replay_verdicts[was]);
		json_write(out, "{admitted:z refused:z error:z}", row[VERDICT_ADMITTED],
		           row[VERDICT_REFUSED], row[VERDICT_ERROR]);
	}
	json_write(out, "}rules:[");
	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *one = replay_rule_at(tally, i);

		json_write(out, "{verdict:s code:d rule:s was:z is:z}",
		           replay_verdicts[one->verdict], one->code, one->text, one->counts[WAS],
		           one->counts[IS]);
	}
	json_write(out, "]");
}

/* Changes refer to rules by their index in "rules", from 0. */
static void
put_changes(GString *out, const replay_tally *tally)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	json_write(out, "changes:[");
	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *one = &g_array_index(tally->changes, replay_change, i);

		json_write(out, "{was:z is:z count:z examples:[", one->rules[WAS], one->rules[IS],
		           one->count);
		for (guint k = 0; k < one->examples->len; k++) {
			const replay_example *example =
				&g_array_index(one->examples, replay_example, k);

			json_write(out, "{place:s time:s request:s was:s is:s}", example->place,
			           replay_time_text(example->time, time), example->request,
			           example->answers[WAS], example->answers[IS]);
		}
		json_write(out, "]}");
	}
	json_write(out, "]");
}

void
replay_print_json(const replay_tally *tally, const replay_names *names)
{
	GString *out = g_string_new(NULL);
	char first[LIMEN_TIMESTAMP_TEXT_MAX], last[LIMEN_TIMESTAMP_TEXT_MAX];

	json_write(out,
	           "{was:s is:s how:s lines:z decided:z changed:z sameFromAnotherRule:z late:z",
	           names->sides[WAS], names->sides[IS], names->mode, tally->lines, tally->decided,
	           tally->changed, tally->moved, tally->late);
	if (tally->decided > 0)
		json_write(out, "first:s last:s", replay_time_text(tally->first, first),
		           replay_time_text(tally->last, last));
	put_counts(out, "notDecided", tally->skips, SKIPS, replay_skips);
	json_write(out, "malformed:[");
	for (guint i = 0; i < tally->malformed->len; i++)
		json_string(out, g_ptr_array_index(tally->malformed, i));
	json_write(out, "]");
	put_counts(out, "decidedWithout", tally->losses, LOSSES, replay_losses);
	put_counts(out, "differences", tally->differences, DIFFERENCES, replay_differences);
	put_rules(out, tally);
	put_changes(out, tally);
	json_write(out, "}");
	puts(out->str);
	g_string_free(out, TRUE);
}
