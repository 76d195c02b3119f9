/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_text.c - prints the result as text.
 */
#include <limen/duration.h>
#include <stdio.h>
#include <string.h>

#include "cli/terminal.h"
#include "common/message_put.h"
#include "replay.h"

const char *
replay_time_text(limen_time time, char out[LIMEN_TIMESTAMP_TEXT_MAX])
{
	limen_timestamp at = { .time = time };

	limen_timestamp_print(&at, out);
	return out;
}

static void
print_head(const replay_tally *tally, const replay_names *names)
{
	char first[LIMEN_TIMESTAMP_TEXT_MAX], last[LIMEN_TIMESTAMP_TEXT_MAX];

	printf("%zu of %zu lines decided", tally->decided, tally->lines);
	if (tally->decided > 0)
		printf(", from %s to %s", replay_time_text(tally->first, first),
		       replay_time_text(tally->last, last));
	printf("; %s\n", names->how);
	message_print_line(stdout, "was: %s", names->sides[WAS]);
	message_print_line(stdout, "is:  %s", names->sides[IS]);
}

static void
print_gaps(const replay_tally *tally)
{
	for (int i = 0; i < SKIPS; i++)
		if (tally->skips[i] > 0)
			printf("not decided: %zu: %s\n", tally->skips[i], replay_skips[i]);
	for (guint i = 0; i < tally->malformed->len; i++)
		message_print_line(stdout, "  %s",
		                   (const char *)g_ptr_array_index(tally->malformed, i));
	for (int i = 0; i < LOSSES; i++)
		if (tally->losses[i] > 0)
			printf("decided with missing data: %zu: %s\n",
			       tally->losses[i], replay_losses[i]);
	if (tally->late > 0)
		printf("decided late: %zu lines were out of order and were decided "
		       "late\n", tally->late);
}

static void
print_matrix(const replay_tally *tally)
{
	fputs("\n              is admitted      refused        error\n", stdout);
	for (int was = 0; was < VERDICTS; was++)
		printf("was %-8s %12zu %12zu %12zu\n", replay_verdicts[was],
		       tally->matrix[was][VERDICT_ADMITTED], tally->matrix[was][VERDICT_REFUSED],
		       tally->matrix[was][VERDICT_ERROR]);
}

static void
print_summary(const replay_tally *tally)
{
	const char *separator = " (";

	printf("\n%zu changed", tally->changed);
	for (int i = 0; i < DIFFERENCES; i++) {
		if (tally->differences[i] == 0)
			continue;
		printf("%s%s %zu", separator, replay_differences[i], tally->differences[i]);
		separator = ", ";
	}
	puts(tally->changed > 0 ? ")" : "");
	if (tally->moved > 0)
		printf("%zu have the same verdict from another rule\n", tally->moved);
}

/* Prints the label of a rule, which begins with its verdict, and 'after'. */
static void
print_label(const replay_rule *rule, bool colored, const char *after)
{
	static const tints known[VERDICTS] = { TINT_GOOD, TINT_BAD, TINT_ODD };
	const char *verdict = replay_verdicts[rule->verdict];
	char *word = terminal_tint(colored, known[rule->verdict], verdict);

	fputs(word, stdout);
	message_put_part(stdout, rule->label + strlen(verdict));
	fputs(after, stdout);
	g_free(word);
}

static void
print_rules(const replay_tally *tally, bool colored)
{
	puts("\n         was           is  rule");
	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *one = replay_rule_at(tally, i);

		printf("%12zu %12zu  ", one->counts[WAS], one->counts[IS]);
		print_label(one, colored, "\n");
	}
}

static void
print_changes(const replay_tally *tally, bool colored)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	if (tally->changes->len > 0)
		puts("\nwhat changed");
	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *one = &g_array_index(tally->changes, replay_change, i);

		printf("%8zu  ", one->count);
		print_label(replay_rule_of(tally, one, WAS), colored, " -> ");
		print_label(replay_rule_of(tally, one, IS), colored, "\n");
		for (guint k = 0; k < one->examples->len; k++) {
			const replay_example *example =
				&g_array_index(one->examples, replay_example, k);

			message_print_line(stdout, "        %s, %s, %s", example->place,
			                   replay_time_text(example->time, time),
			                   example->request);
			message_print_line(stdout, "          was %s", example->answers[WAS]);
			message_print_line(stdout, "          is  %s", example->answers[IS]);
		}
	}
}

void
replay_print_text(const replay_tally *tally, const replay_names *names, bool colored)
{
	print_head(tally, names);
	print_gaps(tally);
	if (tally->decided == 0)
		return;
	print_matrix(tally);
	print_summary(tally);
	print_rules(tally, colored);
	print_changes(tally, colored);
}
