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
	g_autofree char *headline = replay_headline(tally, names);
	g_autofree char *summary = replay_summary(tally);

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
	markup_print("%s.</p>\n<p>Was: <code>%s</code><br>Is: <code>%s</code></p>\n"
	             "<p class=\"%s\">%s</p>\n",
	             headline, names->sides[WAS], names->sides[IS],
	             tally->changed > 0 ? "changed" : "same", summary);
}

static void
print_matrix(const replay_tally *tally)
{
	fputs("<h2>Verdicts</h2>\n<table>\n<tr><th></th><th class=\"n\">is admitted</th>"
	      "<th class=\"n\">refused</th><th class=\"n\">error</th></tr>\n",
	      stdout);
	for (int was = 0; was < VERDICTS; was++) {
		printf("<tr><th>was %s</th>", replay_verdicts[was]);
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

/* Prints a chart of the requests not admitted over time, before and after side by side. */
static void
print_timeline(const replay_tally *tally)
{
	char width[LIMEN_DURATION_TEXT_MAX];
	char start[LIMEN_TIMESTAMP_TEXT_MAX];
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
	       "the peak is %zu.</p>\n<svg role=\"img\" aria-label=\"Requests that are not "
	       "admitted, over time\" viewBox=\"0 0 %d %d\" width=\"100%%\">\n",
	       width, most, CHART_WIDTH, CHART_HEIGHT + 18);
	for (size_t i = 0; i < used; i++) {
		double x = (double)i * step;

		print_column(x, step * 0.42, tally->bins[i].refused[WAS], most, "old", "were not");
		print_column(x + step * 0.45, step * 0.42, tally->bins[i].refused[IS], most, "new",
		             "are not");
	}
	printf("<rect class=\"old\" x=\"0\" y=\"%d\" width=\"%d\" height=\"1\"/>\n<text x=\"0\" "
	       "y=\"%d\">%s</text>\n</svg>\n",
	       CHART_HEIGHT, CHART_WIDTH, CHART_HEIGHT + 14,
	       replay_time_text(tally->bins_start, start));
}

static void
print_rules(const replay_tally *tally)
{
	size_t most = 1;
	double scale;

	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *one = replay_rule_at(tally, i);

		most = MAX(most, MAX(one->counts[WAS], one->counts[IS]));
	}
	scale = BAR_WIDTH / (double)most;
	fputs("<h2>Rules</h2>\n<table>\n<tr><th class=\"n\">was</th><th class=\"n\">is</th>"
	      "<th></th><th>rule</th></tr>\n",
	      stdout);
	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *one = replay_rule_at(tally, i);

		printf("<tr><td class=\"n\">%zu</td><td class=\"n\">%zu</td><td>"
		       "<svg aria-hidden=\"true\" viewBox=\"0 0 %d 20\" width=\"%d\" height=\"20\">"
		       "<rect class=\"old\" x=\"0\" y=\"1\" width=\"%.1f\" height=\"8\"/>"
		       "<rect class=\"new\" x=\"0\" y=\"11\" width=\"%.1f\" height=\"8\"/></svg>",
		       one->counts[WAS], one->counts[IS], BAR_WIDTH, BAR_WIDTH,
		       (double)one->counts[WAS] * scale, (double)one->counts[IS] * scale);
		markup_print("</td><td>%s</td></tr>\n", one->label);
	}
	fputs("</table>\n", stdout);
}

/* ---- changes and gaps ---- */

static void
print_changes(const replay_tally *tally)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	if (tally->changes->len > 0)
		fputs("<h2>What changed</h2>\n", stdout);
	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *one = &g_array_index(tally->changes, replay_change, i);

		markup_print("<details%s><summary>%zu: %s &rarr; %s</summary>\n",
		             i == 0 ? " open" : "", one->count,
		             replay_rule_of(tally, one, WAS)->label,
		             replay_rule_of(tally, one, IS)->label);
		for (guint k = 0; k < one->examples->len; k++) {
			const replay_example *example =
				&g_array_index(one->examples, replay_example, k);

			markup_print("<p><code>%s</code>, %s, %s<br>was %s<br>is %s</p>\n",
			             example->place, replay_time_text(example->time, time),
			             example->request, example->answers[WAS],
			             example->answers[IS]);
		}
		fputs("</details>\n", stdout);
	}
}

static void
print_gap(const char *text)
{
	markup_print("<p>%s</p>\n", text);
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
	fputs("<h2>Missing from the log</h2>\n", stdout);
	replay_each_gap(tally, print_gap);
	fputs("</body>\n</html>\n", stdout);
}
