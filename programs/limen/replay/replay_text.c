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

char *
replay_headline(const replay_tally *tally, const replay_names *names)
{
	char first[LIMEN_TIMESTAMP_TEXT_MAX], last[LIMEN_TIMESTAMP_TEXT_MAX];

	if (tally->decided == 0)
		return g_strdup_printf("0 of %zu lines decided; %s", tally->lines, names->how);
	return g_strdup_printf("%zu of %zu lines decided, from %s to %s; %s", tally->decided,
	                       tally->lines, replay_time_text(tally->first, first),
	                       replay_time_text(tally->last, last), names->how);
}

char *
replay_summary(const replay_tally *tally)
{
	GString *out = g_string_new(NULL);
	const char *separator = " (";

	g_string_printf(out, "%zu changed", tally->changed);
	for (int i = 0; i < DIFFERENCES; i++) {
		if (tally->differences[i] == 0)
			continue;
		g_string_append_printf(out, "%s%s %zu", separator, replay_differences[i],
		                       tally->differences[i]);
		separator = ", ";
	}
	return g_string_free(g_string_append(out, tally->changed > 0 ? ")" : ""), FALSE);
}

static void
tell(void (*print)(const char *text), const char *before, size_t count, const char *after)
{
	g_autofree char *text = g_strdup_printf("%s: %zu%s", before, count, after);

	if (count > 0)
		print(text);
}

static void
tell_all(void (*print)(const char *text), const char *before, const size_t *counts, int length,
         const char *const *names)
{
	for (int i = 0; i < length; i++) {
		g_autofree char *after = g_strconcat(": ", names[i], NULL);

		tell(print, before, counts[i], after);
	}
}

void
replay_each_gap(const replay_tally *tally, void (*print)(const char *text))
{
	tell_all(print, "not decided", tally->skips, SKIPS, replay_skips);
	for (guint i = 0; i < tally->malformed->len; i++) {
		g_autofree char *text = g_strconcat("  ", tally->malformed->pdata[i], NULL);

		print(text);
	}
	tell_all(print, "decided with missing data", tally->losses, LOSSES, replay_losses);
	tell(print, "decided late", tally->late, " lines were out of order and were decided late");
}

static void
print_line(const char *text)
{
	message_print_line(stdout, "%s", text);
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
	g_autofree char *headline = replay_headline(tally, names);
	g_autofree char *summary = replay_summary(tally);

	puts(headline);
	message_print_line(stdout, "was: %s", names->sides[WAS]);
	message_print_line(stdout, "is:  %s", names->sides[IS]);
	replay_each_gap(tally, print_line);
	if (tally->decided == 0)
		return;
	print_matrix(tally);
	printf("\n%s\n", summary);
	if (tally->moved > 0)
		printf("%zu have the same verdict from another rule\n", tally->moved);
	print_rules(tally, colored);
	print_changes(tally, colored);
}
