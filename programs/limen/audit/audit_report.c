/* SPDX-License-Identifier: Apache-2.0 */
/*
 * audit_report.c - an audit for others: JUnit XML with a suite for each namespace, PolicyReports
 * (wgpolicyk8s.io/v1alpha2), and one HTML page without scripts.
 */
#include <stdio.h>
#include <string.h>

#include "audit.h"
#include "cli/markup.h"
#include "common/json_out.h"
#include "report/report.h"

/* Adds the findings of a namespace that 'sorted' has, each a case. */
static void
add_findings(const audit *run, report_suite *suite, const GPtrArray *sorted)
{
	for (guint i = 0; i < sorted->len; i++) {
		const tally_finding *finding = g_ptr_array_index(sorted, i);
		g_autofree char *name = NULL;
		report_case *entry;

		if (strcmp(finding->texts[TALLY_NAMESPACE], suite->file) != 0)
			continue;
		name = g_strjoin(" ", finding->texts[TALLY_OWNER], finding->texts[TALLY_CONTAINER],
		                 finding->texts[TALLY_RULE], NULL);
		entry = report_add_case(suite, g_strstrip(name));
		entry->outcome = audit_fails(run, finding) ? REPORT_FAILED : REPORT_SKIPPED;
		entry->why = g_strconcat(tally_words[finding->kind], finding->known ? " (known): " : ": ",
		                         finding->texts[TALLY_MESSAGE], NULL);
		report_add_remark(entry, g_strdup(finding->texts[TALLY_MESSAGE]),
		                  g_strdup_printf("%s, %zu pods", tally_words[finding->kind],
		                                  finding->pods));
	}
}

void
audit_print_junit(const audit *run, const tally *found)
{
	g_autoptr(GPtrArray) results = report_new();

	for (guint i = 0; i < found->sorted_namespaces->len; i++) {
		const tally_namespace *namespace = g_ptr_array_index(found->sorted_namespaces, i);
		report_suite *suite = report_add_suite(results, namespace->name);
		size_t good = namespace->objects;
		g_autofree char *name = NULL;

		for (size_t kind = 0; kind < TALLY_WARNING; kind++)
			good -= namespace->counts[kind];
		name = g_strdup_printf("%zu objects without findings", good);
		if (good > 0)
			report_add_case(suite, name);
		add_findings(run, suite, found->sorted_findings);
	}
	report_print_junit(results);
}

/* ---- PolicyReports ---- */

/* An API server stores objects of up to 1.5 MiB; with these bounds a report stays below 1 MiB. */
enum { RESULTS_MAX = 500, REPORT_BYTES_MAX = 900 * 1024, TEXT_MAX = 8 * 1024, NAME_MAX_BYTES = 253 };

static void
append_cut(GString *out, const char *key, const char *text, size_t max)
{
	json_key(out, key);
	json_string_cut(out, text, max);
}

static void
append_result(GString *out, const tally_finding *finding)
{
	const char *owner = finding->texts[TALLY_OWNER];
	const char *slash = strchr(owner, '/');
	g_autofree char *kind = g_strndup(owner, slash == NULL ? 0 : (size_t)(slash - owner));
	g_autofree char *pods = g_strdup_printf("%zu", finding->pods);

	json_write(out, "{policy:s result:s", "limen", "fail");
	append_cut(out, "rule", finding->texts[TALLY_RULE], TEXT_MAX);
	append_cut(out, "message", finding->texts[TALLY_MESSAGE], TEXT_MAX);
	json_write(out, "resources:[{");
	append_cut(out, "kind", kind, NAME_MAX_BYTES);
	append_cut(out, "name", slash == NULL ? owner : slash + 1, NAME_MAX_BYTES);
	append_cut(out, "namespace", finding->texts[TALLY_NAMESPACE], NAME_MAX_BYTES);
	json_write(out, "}] properties:{pods:s", pods);
	if (finding->texts[TALLY_CONTAINER][0] != '\0')
		append_cut(out, "container", finding->texts[TALLY_CONTAINER], NAME_MAX_BYTES);
	json_write(out, "}}");
}

/* Appends the reports of a namespace; the refusals come first in 'sorted'. */
static void
append_namespace(GString *out, const char *namespace, const GPtrArray *sorted)
{
	g_autoptr(GString) results = g_string_new("[");
	size_t count = 0;
	size_t number = 0;

	for (guint i = 0; i <= sorted->len; i++) {
		const tally_finding *finding = i < sorted->len ? g_ptr_array_index(sorted, i) : NULL;
		bool ends = finding == NULL || finding->kind != TALLY_REFUSED;

		if (count > 0 && (ends || count == RESULTS_MAX || results->len > REPORT_BYTES_MAX)) {
			g_autofree char *name = ++number == 1
			                                ? g_strdup("limen-audit")
			                                : g_strdup_printf("limen-audit-%zu", number);

			g_string_append_c(results, ']');
			json_write(out, "{apiVersion:s kind:s metadata:{name:s namespace:s} "
			                "summary:{error:d fail:z pass:d skip:d warn:d} results:j}",
			           "wgpolicyk8s.io/v1alpha2", "PolicyReport", name, namespace, 0,
			           count, 0, 0, 0, results->str);
			g_string_assign(results, "[");
			count = 0;
		}
		if (ends)
			break;
		if (strcmp(finding->texts[TALLY_NAMESPACE], namespace) == 0) {
			append_result(results, finding);
			count++;
		}
	}
}

void
audit_print_policy_reports(const tally *found)
{
	g_autoptr(GString) out = g_string_new(NULL);

	json_write(out, "{apiVersion:s kind:s items:[", "v1", "List");
	for (guint i = 0; i < found->sorted_namespaces->len; i++) {
		const tally_namespace *namespace = g_ptr_array_index(found->sorted_namespaces, i);

		if (namespace->counts[TALLY_REFUSED] > 0)
			append_namespace(out, namespace->name, found->sorted_findings);
	}
	json_write(out, "]}");
	puts(out->str);
}

/* ---- HTML ---- */

/* Width of a full bar, in SVG units. */
enum { BAR_WIDTH = 260 };

static void
print_bar(const tally_namespace *namespace)
{
	unsigned refused = (unsigned)(namespace->counts[TALLY_REFUSED] * BAR_WIDTH / namespace->objects);
	unsigned changed = (unsigned)(namespace->counts[TALLY_CHANGED] * BAR_WIDTH / namespace->objects);

	markup_print("<td><svg width=\"%u\" height=\"12\" role=\"img\" aria-label=\"%zu refused, %zu "
	             "changed of %zu\"><rect class=\"bad\" width=\"%u\" height=\"12\"/>",
	             BAR_WIDTH, namespace->counts[TALLY_REFUSED], namespace->counts[TALLY_CHANGED],
	             namespace->objects, refused);
	markup_print("<rect class=\"new\" x=\"%u\" width=\"%u\" height=\"12\"/>", refused, changed);
	markup_print("<rect class=\"old\" x=\"%u\" width=\"%u\" height=\"12\"/></svg></td></tr>\n",
	             refused + changed, BAR_WIDTH - refused - changed);
}

static void
print_namespaces(const tally *found)
{
	markup_print("<table>\n<tr><th>Namespace</th><th class=\"n\">Objects</th>"
	             "<th class=\"n\">Refused</th><th class=\"n\">Changed</th>"
	             "<th class=\"n\">Not judged</th><th>Share</th></tr>\n");
	for (guint i = 0; i < found->sorted_namespaces->len; i++) {
		const tally_namespace *namespace = g_ptr_array_index(found->sorted_namespaces, i);

		if (namespace->objects == 0)
			continue;
		markup_print("<tr><td>%s</td><td class=\"n\">%zu</td>", namespace->name,
		             namespace->objects);
		for (size_t kind = 0; kind < TALLY_WARNING; kind++)
			markup_print("<td class=\"n\">%zu</td>", namespace->counts[kind]);
		print_bar(namespace);
	}
	markup_print("</table>\n");
}

void
audit_print_html(const tally *found)
{
	markup_print_head("limen audit");
	markup_print("<h1>What would break</h1>\n<p>%zu objects: %zu refused, %zu changed, %zu not "
	             "judged.</p>\n",
	             found->objects, found->counts[TALLY_REFUSED], found->counts[TALLY_CHANGED],
	             found->counts[TALLY_UNJUDGED]);
	print_namespaces(found);
	markup_print("<h2>Findings</h2>\n<table>\n<tr><th>Verdict</th><th>Namespace</th><th>Owner</th>"
	             "<th>Container</th><th>Rule</th><th>Message</th><th class=\"n\">Pods</th></tr>\n");
	for (guint i = 0; i < found->sorted_findings->len; i++) {
		const tally_finding *finding = g_ptr_array_index(found->sorted_findings, i);

		markup_print("<tr><td class=\"%s\">%s</td>",
		             finding->kind == TALLY_REFUSED ? "changed" : "",
		             tally_words[finding->kind]);
		for (size_t text = 0; text < TALLY_TEXTS; text++)
			markup_print("<td>%s</td>", finding->texts[text]);
		markup_print("<td class=\"n\">%zu</td></tr>\n", finding->pods);
	}
	markup_print("</table>\n</body>\n</html>\n");
}
