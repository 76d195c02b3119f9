/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_html.c - prints the result as one HTML page without scripts and external resources;
 * every chart has its numbers beside it.
 */
#include <stdio.h>

#include "cli/markup.h"
#include "replay.h"

/* Size of the charts in SVG units. */
#define CHART_WIDTH 720
#define CHART_HEIGHT 160
#define BAR_WIDTH 260

static void
print_head(const replay_tally *tally, const replay_names *names)
{
	fputs(MARKUP_HEAD
	      "<title>limen replay</title>\n<style>\n"
	      ":root { color-scheme: light dark; --old: #8a8f98; --new: #2f6fde; --bad: #c4314b }\n"
	      "body { font: 15px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; "
	      "padding: 0 1rem }\n"
	      "table { border-collapse: collapse; margin: .5rem 0 1.5rem }\n"
	      "th, td { padding: .25rem .75rem; border-bottom: 1px solid #8884; text-align: left; "
	      "vertical-align: top }\n"
	      "td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }\n"
	      "code { overflow-wrap: anywhere }\n"
	      ".changed { color: var(--bad); font-weight: 600 }\n"
	      "svg text { font: 11px system-ui, sans-serif; fill: currentColor }\n"
	      ".old { fill: var(--old) } .new { fill: var(--new) } .bad { fill: var(--bad) }\n"
	      "</style>\n</head>\n<body>\n<h1>What would change</h1>\n<p>",
	      stdout);
	printf("<strong>%zu</strong> of %zu lines decided", tally->decided, tally->lines);
	if (tally->decided > 0) {
		fputs(", from ", stdout);
		replay_print_time(tally->first);
		fputs(" to ", stdout);
		replay_print_time(tally->last);
	}
	markup_print("; %s.</p>\n<p>Was: <code>%s</code><br>Is: <code>%s</code></p>\n"
	             "<p class=\"%s\">%zu changed</p>\n",
	             names->how, names->was, names->is, tally->changed > 0 ? "changed" : "same",
	             tally->changed);
}

static void
print_matrix(const replay_tally *tally)
{
	fputs("<h2>Verdicts</h2>\n<table>\n<tr><th></th><th class=\"n\">is admitted</th>"
	      "<th class=\"n\">refused</th><th class=\"n\">error</th></tr>\n",
	      stdout);
	for (int was = 0; was < VERDICTS; was++) {
		printf("<tr><th>was %s</th>", replay_verdict_text(was));
		for (int is = 0; is < VERDICTS; is++)
			printf("<td class=\"n%s\">%zu</td>",
			       was != is && tally->matrix[was][is] > 0 ? " changed" : "",
			       tally->matrix[was][is]);
		fputs("</tr>\n", stdout);
	}
	fputs("</table>\n", stdout);
}

/* ---- charts ---- */

static void
print_column(double x, double width, size_t count, size_t most, const char *class, const char *what)
{
	double height = (double)count / (double)MAX(most, 1) * CHART_HEIGHT;

	if (count == 0)
		return;
	printf("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%zu "
	       "%s</title></rect>\n",
	       class, x, CHART_HEIGHT - height, width, height, count, what);
}

static size_t
count_bins(const replay_tally *tally, size_t *most)
{
	size_t used = 0;

	*most = 0;
	for (size_t i = 0; i < REPLAY_BINS; i++) {
		if (tally->bins[i].requests > 0)
			used = i + 1;
		*most = MAX(*most, MAX(tally->bins[i].was_refused, tally->bins[i].is_refused));
	}
	return used;
}

/* Prints a chart of the requests not admitted over time, before and after side by side. */
static void
print_timeline(const replay_tally *tally)
{
	size_t most;
	size_t used = count_bins(tally, &most);
	double step = (double)CHART_WIDTH / (double)MAX(used, 1);
	char width[LIMEN_DURATION_TEXT_MAX];

	limen_duration_print(tally->bin_width, width);
	printf("<h2>Not admitted, over time</h2>\n<p>Grey was, blue is; each pair stands for %s, the "
	       "highest for %zu.</p>\n<svg role=\"img\" aria-label=\"Requests that are not "
	       "admitted, over time\" viewBox=\"0 0 %d %d\" width=\"100%%\">\n",
	       width, most, CHART_WIDTH, CHART_HEIGHT + 18);
	for (size_t i = 0; i < used; i++) {
		double x = (double)i * step;

		print_column(x, step * 0.42, tally->bins[i].was_refused, most, "old", "were not");
		print_column(x + step * 0.45, step * 0.42, tally->bins[i].is_refused, most, "new",
		             "are not");
	}
	printf("<rect class=\"old\" x=\"0\" y=\"%d\" width=\"%d\" height=\"1\"/>\n<text x=\"0\" "
	       "y=\"%d\">",
	       CHART_HEIGHT, CHART_WIDTH, CHART_HEIGHT + 14);
	replay_print_time(tally->bins_start);
	fputs("</text>\n</svg>\n", stdout);
}

static void
print_rule(const replay_rule *one)
{
	fputs(replay_verdict_text(one->verdict), stdout);
	if (one->verdict == VERDICT_REFUSED && one->code != 0)
		printf(" %d", one->code);
	markup_print(": %s", one->text);
}

static void
print_bars(const replay_rule *one, size_t most)
{
	double scale = most == 0 ? 0 : BAR_WIDTH / (double)most;

	printf("<svg aria-hidden=\"true\" viewBox=\"0 0 %d 20\" width=\"%d\" height=\"20\">"
	       "<rect class=\"old\" x=\"0\" y=\"1\" width=\"%.1f\" height=\"8\"/>"
	       "<rect class=\"new\" x=\"0\" y=\"11\" width=\"%.1f\" height=\"8\"/></svg>",
	       BAR_WIDTH, BAR_WIDTH, (double)one->was * scale, (double)one->is * scale);
}

static void
print_rules(const replay_tally *tally)
{
	size_t most = 0;

	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *one = g_ptr_array_index(tally->rules, i);

		most = MAX(most, MAX(one->was, one->is));
	}
	fputs("<h2>Rules</h2>\n<table>\n<tr><th class=\"n\">was</th><th class=\"n\">is</th>"
	      "<th></th><th>rule</th></tr>\n",
	      stdout);
	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *one = g_ptr_array_index(tally->rules, i);

		printf("<tr><td class=\"n\">%zu</td><td class=\"n\">%zu</td><td>", one->was, one->is);
		print_bars(one, most);
		fputs("</td><td>", stdout);
		print_rule(one);
		fputs("</td></tr>\n", stdout);
	}
	fputs("</table>\n", stdout);
}

/* ---- changes and gaps ---- */

static void
print_example(const replay_example *one)
{
	markup_print("<p><code>%s</code>, ", one->place);
	replay_print_time(one->time);
	markup_print(", %s<br>was %s<br>is %s</p>\n", one->what, one->was, one->is);
}

static void
print_changes(const replay_tally *tally)
{
	if (tally->changes->len > 0)
		fputs("<h2>What changed</h2>\n", stdout);
	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *one = g_ptr_array_index(tally->changes, i);

		printf("<details%s><summary>%zu: ", i == 0 ? " open" : "", one->count);
		print_rule(g_ptr_array_index(tally->rules, one->was));
		fputs(" &rarr; ", stdout);
		print_rule(g_ptr_array_index(tally->rules, one->is));
		fputs("</summary>\n", stdout);
		for (guint k = 0; k < one->examples->len; k++)
			print_example(g_ptr_array_index(one->examples, k));
		fputs("</details>\n", stdout);
	}
}

static void
print_gap(size_t number, const char *what, const char *kind)
{
	if (number > 0)
		printf("<tr><td class=\"n\">%zu</td><td>%s%s</td></tr>\n", number, kind, what);
}

static void
print_gaps(const replay_tally *tally)
{
	fputs("<h2>What the log does not tell</h2>\n<table>\n", stdout);
	for (int i = 0; i < SKIPS; i++)
		print_gap(tally->skips[i], replay_skip_text(i), "not decided: ");
	for (int i = 0; i < LOSSES; i++)
		print_gap(tally->losses[i], replay_loss_text(i), "decided without ");
	print_gap(tally->late, "stand too far behind their time in the log", "decided late: ");
	fputs("</table>\n", stdout);
	for (guint i = 0; i < tally->malformed->len; i++)
		markup_print("<p><code>%s</code></p>\n",
		             (const char *)g_ptr_array_index(tally->malformed, i));
}

void
replay_print_html(const replay_tally *tally, const replay_names *names)
{
	print_head(tally, names);
	if (tally->decided > 0) {
		print_matrix(tally);
		print_timeline(tally);
		print_rules(tally);
		print_changes(tally);
	}
	print_gaps(tally);
	fputs("</body>\n</html>\n", stdout);
}
