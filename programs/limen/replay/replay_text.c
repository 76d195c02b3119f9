/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_text.c - prints the result as text.
 */
#include <limen/duration.h>
#include <stdio.h>

#include "common/message_put.h"
#include "replay.h"

void
replay_print_time(limen_time time)
{
	limen_timestamp at = { .time = time };
	char text[LIMEN_TIMESTAMP_TEXT_MAX];

	limen_timestamp_print(&at, text);
	fputs(text, stdout);
}

static void
print_head(const replay_tally *tally, const replay_names *names)
{
	printf("%zu of %zu lines decided", tally->decided, tally->lines);
	if (tally->decided > 0) {
		fputs(", from ", stdout);
		replay_print_time(tally->first);
		fputs(" to ", stdout);
		replay_print_time(tally->last);
	}
	printf("; %s\n", names->how);
	message_print_line(stdout, "was: %s", names->was);
	message_print_line(stdout, "is:  %s", names->is);
}

static void
print_gaps(const replay_tally *tally)
{
	for (int i = 0; i < SKIPS; i++)
		if (tally->skips[i] > 0)
			printf("not decided: %zu: %s\n", tally->skips[i], replay_skip_text(i));
	for (guint i = 0; i < tally->malformed->len; i++)
		message_print_line(stdout, "  %s",
		                   (const char *)g_ptr_array_index(tally->malformed, i));
	for (int i = 0; i < LOSSES; i++)
		if (tally->losses[i] > 0)
			printf("decided without what the log does not tell: %zu: %s\n",
			       tally->losses[i], replay_loss_text(i));
	if (tally->late > 0)
		printf("decided late: %zu stand too far behind their time in the log\n", tally->late);
}

static void
print_matrix(const replay_tally *tally)
{
	fputs("\n              is admitted      refused        error\n", stdout);
	for (int was = 0; was < VERDICTS; was++)
		printf("was %-8s %12zu %12zu %12zu\n", replay_verdict_text(was),
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
		printf("%s%s %zu", separator, replay_difference_text(i), tally->differences[i]);
		separator = ", ";
	}
	puts(tally->changed > 0 ? ")" : "");
	if (tally->moved > 0)
		printf("%zu have the same answer from another rule\n", tally->moved);
}

static void
print_rule(const replay_rule *one)
{
	fputs(replay_verdict_text(one->verdict), stdout);
	if (one->verdict == VERDICT_REFUSED && one->code != 0)
		printf(" %d", one->code);
	message_print_part(stdout, ": %s", one->text);
}

static void
print_rules(const replay_tally *tally)
{
	puts("\n         was           is  rule");
	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *one = g_ptr_array_index(tally->rules, i);

		printf("%12zu %12zu  ", one->was, one->is);
		print_rule(one);
		fputc('\n', stdout);
	}
}

static void
print_example(const replay_example *one)
{
	message_print_part(stdout, "        %s, ", one->place);
	replay_print_time(one->time);
	message_print_line(stdout, ", %s", one->what);
	message_print_line(stdout, "          was %s", one->was);
	message_print_line(stdout, "          is  %s", one->is);
}

static void
print_changes(const replay_tally *tally)
{
	if (tally->changes->len > 0)
		puts("\nwhat changed");
	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *one = g_ptr_array_index(tally->changes, i);

		printf("%8zu  ", one->count);
		print_rule(g_ptr_array_index(tally->rules, one->was));
		fputs(" -> ", stdout);
		print_rule(g_ptr_array_index(tally->rules, one->is));
		fputc('\n', stdout);
		for (guint k = 0; k < one->examples->len; k++)
			print_example(g_ptr_array_index(one->examples, k));
	}
}

void
replay_print_text(const replay_tally *tally, const replay_names *names)
{
	print_head(tally, names);
	print_gaps(tally);
	if (tally->decided == 0)
		return;
	print_matrix(tally);
	print_summary(tally);
	print_rules(tally);
	print_changes(tally);
}
