/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_report.c - prints the result as text, as JSON, or as one HTML page without scripts and
 * external resources; every chart has its numbers beside it.
 */
#include <limen/duration.h>
#include <stdio.h>
#include <string.h>

#include "cli/markup.h"
#include "cli/terminal.h"
#include "common/json_out.h"
#include "common/message_put.h"
#include "common/print.h"
#include "replay.h"

/* Size of the charts in SVG units. */
#define CHART_WIDTH 720
#define CHART_HEIGHT 160
#define CHART_LEFT 48 /* room for the counts */
#define CHART_TOP 8
#define BAR_WIDTH 260

const char *
replay_time_text(limen_time time, char out[LIMEN_TIMESTAMP_TEXT_MAX])
{
	limen_timestamp stamp = { .time = time };

	limen_timestamp_print(&stamp, out);
	return out;
}

/*
 * Prints the arguments, escaped, in the form 'text', whose line ends are at its start and its end,
 * or, if 'html', in the form 'markup' (markup.h).
 */
static void G_GNUC_PRINTF(2, 4)
put(bool html, const char *text, const char *markup, ...)
{
	g_autofree char *line = NULL;
	va_list arguments;

	for (; !html && *text == '\n'; text++)
		putchar('\n');
	va_start(arguments, markup);
	if (html)
		markup_vprint(markup, arguments);
	else
		line = print_vtext(text, arguments);
	va_end(arguments);
	if (line == NULL)
		return;
	if (g_str_has_suffix(text, "\n"))
		line[strlen(line) - 1] = '\0';
	message_put_part(stdout, line);
	if (g_str_has_suffix(text, "\n"))
		putchar('\n');
}

/* ---- sentences ---- */

static void
put_headline(const replay_tally *tally, const replay_names *names, bool html)
{
	char first[LIMEN_TIMESTAMP_TEXT_MAX], last[LIMEN_TIMESTAMP_TEXT_MAX];

	put(html, "%zu of %zu lines decided", "<p>%zu of %zu lines decided", tally->decided,
	    tally->lines);
	if (tally->decided > 0)
		put(html, ", from %s to %s", ", from %s to %s",
		    replay_time_text(tally->first, first), replay_time_text(tally->last, last));
	put(html, "; %s\n", "; %s.</p>\n<p>", names->mode);
	put(html, "was: %s\n", "Was: <code>%s</code><br>", names->sides[WAS]);
	put(html, "is:  %s\n", "Is: <code>%s</code></p>\n", names->sides[IS]);
}

static void
put_summary(const replay_tally *tally, bool html)
{
	const char *separator = " (";

	put(html, "\n%.0s%zu changed", "<p class=\"%s\">%zu changed",
	    tally->changed > 0 ? "changed" : "same", tally->changed);
	for (int i = 0; i < DIFFERENCES; i++) {
		if (tally->differences[i] == 0)
			continue;
		put(html, "%s%s %zu", "%s%s %zu", separator, replay_differences[i],
		    tally->differences[i]);
		separator = ", ";
	}
	put(html, "%s\n", "%s</p>\n", tally->changed > 0 ? ")" : "");
}

static void
put_counts(bool html, const char *before, const size_t *counts, int length,
           const char *const *names)
{
	for (int i = 0; i < length; i++)
		if (counts[i] > 0)
			put(html, "%s: %zu: %s\n", "<p>%s: %zu: %s</p>\n", before, counts[i],
			    names[i]);
}

/* Tells what is missing from the log. */
static void
put_gaps(const replay_tally *tally, bool html)
{
	put_counts(html, "not decided", tally->skips, SKIPS, replay_skips);
	for (guint i = 0; i < tally->malformed->len; i++)
		put(html, "  %s\n", "<p>  %s</p>\n", (char *)tally->malformed->pdata[i]);
	put_counts(html, "decided with missing data", tally->losses, LOSSES, replay_losses);
	if (tally->late > 0)
		put(html, "decided late: %zu lines were out of order and were decided late\n",
		    "<p>decided late: %zu lines were out of order and were decided late</p>\n",
		    tally->late);
}

/* ---- tables ---- */

static void
put_matrix(const replay_tally *tally, bool html)
{
	put(html, "\n              is admitted      refused        error\n",
	    "<h2>Verdicts</h2>\n<table>\n<tr><th></th><th class=\"n\">is admitted</th>"
	    "<th class=\"n\">refused</th><th class=\"n\">error</th></tr>\n");
	for (int was = 0; was < VERDICTS; was++) {
		put(html, "was %-8s", "<tr><th>was %s</th>", replay_verdicts[was]);
		for (int is = 0; is < VERDICTS; is++) {
			size_t count = tally->matrix[was][is];

			put(html, "%.0s %12zu", "<td class=\"n%s\">%zu</td>",
			    was != is && count > 0 ? " changed" : "", count);
		}
		put(html, "\n", "</tr>\n");
	}
	fputs(html ? "</table>\n" : "", stdout);
}

/* Prints the label of a rule, which begins with its verdict. */
static void
put_label(const replay_rule *rule, bool html, bool colored)
{
	static const tints known[VERDICTS] = { TINT_GOOD, TINT_BAD, TINT_ODD };
	const char *verdict = replay_verdicts[rule->verdict];
	g_autofree char *word = terminal_tint(colored, known[rule->verdict], verdict);

	if (!html)
		fputs(word, stdout);
	put(html, "%s", "%s", rule->label + (html ? 0 : strlen(verdict)));
}

/* Prints the cell with the two bars of a rule. */
static void
put_bars(const replay_rule *rule, size_t most)
{
	double scale = BAR_WIDTH / (double)most;

	printf("<td><svg aria-hidden=\"true\" viewBox=\"0 0 %d 20\" width=\"%d\" height=\"20\">"
	       "<rect class=\"old\" x=\"0\" y=\"1\" width=\"%.1f\" height=\"8\"/>"
	       "<rect class=\"new\" x=\"0\" y=\"11\" width=\"%.1f\" height=\"8\"/></svg></td><td>",
	       BAR_WIDTH, BAR_WIDTH, (double)rule->counts[WAS] * scale,
	       (double)rule->counts[IS] * scale);
}

static void
put_rules(const replay_tally *tally, bool html, bool colored)
{
	size_t most = 1;

	for (guint i = 0; i < tally->rules->len; i++)
		for (int side = 0; side < SIDES; side++)
			most = MAX(most, replay_rule_at(tally, i)->counts[side]);
	put(html, "\n         was           is  rule\n",
	    "<h2>Rules</h2>\n<table>\n<tr><th class=\"n\">was</th><th class=\"n\">is</th>"
	    "<th></th><th>rule</th></tr>\n");
	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *rule = replay_rule_at(tally, i);

		put(html, "%12zu %12zu  ", "<tr><td class=\"n\">%zu</td><td class=\"n\">%zu</td>",
		    rule->counts[WAS], rule->counts[IS]);
		if (html)
			put_bars(rule, most);
		put_label(rule, html, colored);
		put(html, "\n", "</td></tr>\n");
	}
	fputs(html ? "</table>\n" : "", stdout);
}

static void
put_changes(const replay_tally *tally, bool html, bool colored)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	if (tally->changes->len > 0)
		put(html, "\nwhat changed\n", "<h2>What changed</h2>\n");
	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *change = &g_array_index(tally->changes, replay_change, i);

		put(html, "%.0s%8zu  ", "<details%s><summary>%zu: ", i == 0 ? " open" : "",
		    change->count);
		put_label(replay_rule_of(tally, change, WAS), html, colored);
		put(html, " -> ", " &rarr; ");
		put_label(replay_rule_of(tally, change, IS), html, colored);
		put(html, "\n", "</summary>\n");
		for (guint k = 0; k < change->examples->len; k++) {
			const replay_example *example =
				&g_array_index(change->examples, replay_example, k);

			put(html, "        %s, %s, %s\n", "<p><code>%s</code>, %s, %s<br>",
			    example->place, replay_time_text(example->time, time),
			    example->request);
			put(html, "          was %s\n", "was %s<br>", example->answers[WAS]);
			put(html, "          is  %s\n", "is %s</p>\n", example->answers[IS]);
		}
		fputs(html ? "</details>\n" : "", stdout);
	}
}

/* ---- the chart ---- */

static void
put_column(double x, double width, size_t count, size_t most, const char *class, const char *words)
{
	double height = (double)count / (double)MAX(most, 1) * CHART_HEIGHT;

	if (count > 0)
		printf("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
		       "<title>%zu %s</title></rect>\n",
		       class, x, CHART_TOP + CHART_HEIGHT - height, width, height, count, words);
}

/* Prints a line across the chart with its count. */
static void
put_level(size_t count, size_t most)
{
	double y = CHART_TOP + CHART_HEIGHT - (double)count / (double)MAX(most, 1) * CHART_HEIGHT;

	printf("<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text "
	       "class=\"left\" x=\"%d\" y=\"%.1f\">%zu</text>\n",
	       CHART_LEFT, CHART_LEFT + CHART_WIDTH, y, y, CHART_LEFT - 6, y + 4, count);
}

/* Prints the axes: counts, and the time at the start, in the middle and at the end. */
static void
put_axes(const replay_tally *tally, size_t used, size_t most)
{
	char text[LIMEN_TIMESTAMP_TEXT_MAX];

	put_level(0, most);
	if (most > 1)
		put_level(most / 2, most);
	put_level(most, most);
	for (size_t i = 0; i <= 2; i++) {
		limen_time time = tally->bins_start +
		                  tally->bin_width * (limen_duration)(used * i) / 2;

		printf("<text style=\"text-anchor: %s\" x=\"%zu\" y=\"%d\">%s</text>\n",
		       i == 0 ? "start" : i == 1 ? "middle" : "end", CHART_LEFT + CHART_WIDTH * i / 2,
		       CHART_TOP + CHART_HEIGHT + 16, replay_time_text(time, text));
	}
}

/* Prints a chart of the requests not admitted over time, before and after side by side. */
static void
put_timeline(const replay_tally *tally)
{
	char width[LIMEN_DURATION_TEXT_MAX];
	size_t used = 1;
	size_t most = 0;
	double step;

	for (size_t i = 0; i < REPLAY_BINS; i++) {
		const replay_bin *bin = &tally->bins[i];

		used = bin->requests > 0 ? i + 1 : used;
		most = MAX(most, MAX(bin->refused[WAS], bin->refused[IS]));
	}
	step = (double)CHART_WIDTH / (double)used;
	limen_duration_print(tally->bin_width, width);
	printf("<h2>Not admitted, over time</h2>\n<p>Grey: before. Blue: after. One bar is %s; "
	       "the peak is %zu.</p>\n<div class=\"chart\"><svg role=\"img\" aria-label=\"Requests "
	       "that are not admitted, over time\" viewBox=\"0 0 %d %d\" width=\"100%%\">\n",
	       width, most, CHART_LEFT + CHART_WIDTH, CHART_TOP + CHART_HEIGHT + 22);
	put_axes(tally, used, most);
	for (size_t i = 0; i < used; i++) {
		double x = CHART_LEFT + (double)i * step;
		const size_t *refused = tally->bins[i].refused;

		put_column(x, step * 0.42, refused[WAS], most, "old", "were not");
		put_column(x + step * 0.45, step * 0.42, refused[IS], most, "new", "are not");
	}
	puts("</svg></div>");
}

void
replay_print(const replay_tally *tally, const replay_names *names, bool html, bool colored)
{
	if (html) {
		markup_print_head("limen replay");
		puts("<h1>What would change</h1>");
	}
	put_headline(tally, names, html);
	if (html)
		put_summary(tally, html);
	else
		put_gaps(tally, html);
	if (tally->decided > 0) {
		put_matrix(tally, html);
		if (html)
			put_timeline(tally);
		else
			put_summary(tally, html);
		if (!html && tally->moved > 0)
			printf("%zu have the same verdict from another rule\n", tally->moved);
		put_rules(tally, html, colored);
		put_changes(tally, html, colored);
	}
	fputs(html ? "<h2>Missing from the log</h2>\n" : "", stdout);
	if (html)
		put_gaps(tally, html);
	fputs(html ? "</body>\n</html>\n" : "", stdout);
}

/* ---- JSON ---- */

/* Writes an array of {"what": TEXT, "count": N} with the counts other than 0. */
static void
write_counts(GString *out, const char *key, const size_t *counts, int length,
           const char *const *names)
{
	json_write(out, "@:[", key);
	for (int i = 0; i < length; i++)
		if (counts[i] != 0)
			json_write(out, "{what:s count:z}", names[i], counts[i]);
	json_write(out, "]");
}

/* Writes the counts by verdict, and the rules. */
static void
write_rules(GString *out, const replay_tally *tally)
{
	json_write(out, "verdicts:{");
	for (int was = 0; was < VERDICTS; was++) {
		const size_t *row = tally->matrix[was];

		json_write(out, "@:{admitted:z refused:z error:z}", replay_verdicts[was],
		           row[VERDICT_ADMITTED], row[VERDICT_REFUSED], row[VERDICT_ERROR]);
	}
	json_write(out, "}rules:[");
	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *rule = replay_rule_at(tally, i);

		json_write(out, "{verdict:s code:d rule:s was:z is:z}",
		           replay_verdicts[rule->verdict], rule->code, rule->text, rule->counts[WAS],
		           rule->counts[IS]);
	}
	json_write(out, "]");
}

/* Changes refer to rules by their index in "rules", from 0. */
static void
write_changes(GString *out, const replay_tally *tally)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	json_write(out, "changes:[");
	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *change = &g_array_index(tally->changes, replay_change, i);

		json_write(out, "{was:z is:z count:z examples:[", change->rules[WAS], change->rules[IS],
		           change->count);
		for (guint k = 0; k < change->examples->len; k++) {
			const replay_example *example =
				&g_array_index(change->examples, replay_example, k);

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
	g_autoptr(GString) out = g_string_new(NULL);
	char first[LIMEN_TIMESTAMP_TEXT_MAX], last[LIMEN_TIMESTAMP_TEXT_MAX];

	json_write(out,
	           "{was:s is:s how:s lines:z decided:z changed:z sameFromAnotherRule:z late:z",
	           names->sides[WAS], names->sides[IS], names->mode, tally->lines, tally->decided,
	           tally->changed, tally->moved, tally->late);
	if (tally->decided > 0)
		json_write(out, "first:s last:s", replay_time_text(tally->first, first),
		           replay_time_text(tally->last, last));
	write_counts(out, "notDecided", tally->skips, SKIPS, replay_skips);
	json_write(out, "malformed:[");
	for (guint i = 0; i < tally->malformed->len; i++)
		json_string(out, g_ptr_array_index(tally->malformed, i));
	json_write(out, "]");
	write_counts(out, "decidedWithout", tally->losses, LOSSES, replay_losses);
	write_counts(out, "differences", tally->differences, DIFFERENCES, replay_differences);
	write_rules(out, tally);
	write_changes(out, tally);
	json_write(out, "}");
	puts(out->str);
}
