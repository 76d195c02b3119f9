/* SPDX-License-Identifier: Apache-2.0 */
/*
 * audit_print.c - prints an audit as text: a table of the namespaces, the rules that refuse most,
 * and the findings; or all of it as JSON.
 */
#include <stdio.h>
#include <string.h>

#include "audit.h"
#include "cli/columns.h"
#include "cli/message.h"
#include "cli/terminal.h"
#include "common/json_out.h"

/* Rules and findings that are printed unless all are wanted. */
enum { RULES_SHOWN = 10, FINDINGS_SHOWN = 20 };

bool
audit_fails(const audit *run, const tally_finding *finding)
{
	tally_kind least = run->fail_on == NULL || strcmp(run->fail_on, "refused") == 0
	                           ? TALLY_REFUSED
	                           : TALLY_CHANGED;

	return g_strcmp0(run->fail_on, "none") != 0 && !finding->known && finding->kind <= least;
}

/* ---- text ---- */

/* Appends a count, and what it was on the other side. */
static void
add_count(columns *table, size_t count, const size_t *was)
{
	if (was == NULL || *was == count)
		columns_take(table, g_strdup_printf("%zu", count));
	else
		columns_take(table, g_strdup_printf("%zu (was %zu)", count, *was));
}

/* Returns the counts of a namespace on the other side; NULL: there is no other side. */
static const size_t *
find_counts(const tally *before, const char *name)
{
	static const size_t none[TALLY_KINDS];
	const tally_namespace *other = before == NULL ? NULL
	                                              : g_hash_table_lookup(before->namespaces, name);

	return before == NULL ? NULL : other == NULL ? none : other->counts;
}

/* Does the table show the namespace: has it findings, or others than before? */
static bool
is_shown(const tally_namespace *namespace, const size_t *was)
{
	for (size_t kind = 0; kind < TALLY_WARNING; kind++)
		if (namespace->counts[kind] != (was == NULL ? 0 : was[kind]))
			return true;
	return false;
}

static void
print_namespaces(const audit *run, const tally *found, const tally *before)
{
	const GPtrArray *sorted = found->sorted_namespaces;
	size_t others = 0;
	columns table;

	columns_start(&table, 5);
	columns_add_row(&table, (const char *const[]){ "NAMESPACE", "OBJECTS", "REFUSED", "CHANGED",
	                                               "NOT JUDGED" });
	for (guint i = 0; i < sorted->len; i++) {
		const tally_namespace *namespace = g_ptr_array_index(sorted, i);
		const size_t *was = find_counts(before, namespace->name);

		if (!run->all && !is_shown(namespace, was)) {
			others++;
			continue;
		}
		columns_add(&table, namespace->name);
		add_count(&table, namespace->objects, NULL);
		for (size_t kind = 0; kind < TALLY_WARNING; kind++)
			add_count(&table, namespace->counts[kind], was == NULL ? NULL : &was[kind]);
	}
	columns_finish(&table, others < sorted->len);
	if (others > 0)
		printf("%zu %snamespace%s %s\n", others, others < sorted->len ? "more " : "",
		       others == 1 ? "" : "s", before == NULL ? "without findings" : "as before");
}

static void
print_rules(const tally *found)
{
	const GPtrArray *rules = found->rules;
	columns table;

	if (rules->len == 0)
		return;
	columns_start(&table, 3);
	puts("");
	columns_add_row(&table, (const char *const[]){ "REFUSES", "NAMESPACE", "RULE" });
	for (guint i = 0; i < rules->len && i < RULES_SHOWN; i++) {
		const tally_finding *rule = g_ptr_array_index(rules, i);

		columns_take(&table, g_strdup_printf("%zu", rule->pods));
		columns_add(&table, rule->texts[TALLY_NAMESPACE]);
		columns_add(&table, rule->texts[TALLY_RULE]);
	}
	columns_print(&table);
}

/* Prints a finding in three lines: whom it is about, what happens, by which rule. */
static void
print_finding(const tally_finding *finding, const char *mark, bool colored)
{
	static const tints tints_of[TALLY_KINDS] = { TINT_BAD, TINT_ODD, TINT_ODD, TINT_DIM };
	g_autofree char *word = terminal_tint(colored, tints_of[finding->kind],
	                                      tally_words[finding->kind]);

	printf("\n%s%s: ", mark, word);
	message_print_part(stdout, "%s", finding->texts[TALLY_NAMESPACE]);
	if (finding->texts[TALLY_OWNER][0] != '\0')
		message_print_part(stdout, " %s", finding->texts[TALLY_OWNER]);
	if (finding->texts[TALLY_CONTAINER][0] != '\0')
		message_print_part(stdout, ", container %s", finding->texts[TALLY_CONTAINER]);
	if (finding->pods > 0)
		printf(" (%zu pod%s)", finding->pods, finding->pods == 1 ? "" : "s");
	putchar('\n');
	for (size_t i = TALLY_TEXTS; i-- > TALLY_RULE;)
		if (finding->texts[i][0] != '\0')
			message_print_line(stdout, "  %s", finding->texts[i]);
}

/* Prints the findings that the other side does not have. */
static void
print_findings(const audit *run, const tally *found, const char *mark)
{
	const GPtrArray *sorted = found->sorted_findings;
	bool colored = terminal_colored(run->common);
	size_t printed = 0;
	size_t known = 0;
	size_t left = 0;

	for (guint i = 0; i < sorted->len; i++) {
		const tally_finding *finding = g_ptr_array_index(sorted, i);

		if (finding->known)
			known++;
		else if (printed == FINDINGS_SHOWN && !run->all)
			left++;
		else
			print_finding(finding, mark, colored), printed++;
	}
	if (left > 0)
		printf("\n%zu more findings: add --all\n", left);
	if (known > 0 && run->baseline != NULL)
		printf("\n%zu finding%s of the baseline\n", known, known == 1 ? "" : "s");
}

static void
print_counts(const tally *found)
{
	const char *before = "; left out: ";
	const char *between = ": ";

	printf("\n%zu object%s", found->objects, found->objects == 1 ? "" : "s");
	for (size_t kind = 0; kind < TALLY_WARNING; kind++)
		if (found->counts[kind] > 0) {
			printf("%s%zu %s", between, found->counts[kind], tally_words[kind]);
			between = ", ";
		}
	for (size_t i = 0; i < TALLY_LEFTS; i++)
		if (found->left[i] > 0) {
			printf("%s%zu %s", before, found->left[i], tally_left_words[i]);
			before = ", ";
		}
	putchar('\n');
}

void
audit_print_text(const audit *run, const tally *found, const tally *before)
{
	bool compares = run->against != NULL;

	print_namespaces(run, found, compares ? before : NULL);
	if (!compares)
		print_rules(found);
	print_findings(run, found, compares ? "+ " : "");
	if (compares)
		print_findings(run, before, "- ");
	print_counts(found);
}

/* ---- JSON ---- */

static void
append_counts(GString *out, const size_t counts[TALLY_KINDS])
{
	for (size_t kind = 0; kind < TALLY_WARNING; kind++) {
		json_key(out, tally_members[kind]);
		json_int(out, (int64_t)counts[kind]);
	}
}

static void
append_finding(GString *out, const tally_finding *finding, bool compares)
{
	json_write(out, "{verdict:s", tally_words[finding->kind]);
	for (size_t i = 0; i < TALLY_TEXTS; i++)
		if (finding->texts[i][0] != '\0') {
			json_key(out, tally_text_names[i]);
			json_string(out, finding->texts[i]);
		}
	json_write(out, "pods:z", finding->pods);
	if (compares)
		json_write(out, "known:b", finding->known);
	json_write(out, "}");
}

static void
append_findings(GString *out, const tally *found, bool compares, bool gone)
{
	for (guint i = 0; i < found->sorted_findings->len; i++) {
		const tally_finding *finding = g_ptr_array_index(found->sorted_findings, i);

		if (!gone || !finding->known)
			append_finding(out, finding, compares && !gone);
	}
}

void
audit_print_json(const tally *found, const tally *before)
{
	g_autoptr(GString) out = g_string_new(NULL);

	json_write(out, "{objects:z", found->objects);
	append_counts(out, found->counts);
	json_write(out, "leftOut:{finished:z mirror:z deleted:z controlled:z} namespaces:[",
	           found->left[TALLY_FINISHED], found->left[TALLY_MIRRORS],
	           found->left[TALLY_DELETED], found->left[TALLY_CONTROLLED]);
	for (guint i = 0; i < found->sorted_namespaces->len; i++) {
		const tally_namespace *namespace = g_ptr_array_index(found->sorted_namespaces, i);

		json_write(out, "{namespace:s objects:z", namespace->name, namespace->objects);
		append_counts(out, namespace->counts);
		json_write(out, "}");
	}
	json_write(out, "] rules:[");
	for (guint i = 0; i < found->rules->len; i++) {
		const tally_finding *rule = g_ptr_array_index(found->rules, i);

		json_write(out, "{namespace:s rule:s refuses:z}", rule->texts[TALLY_NAMESPACE],
		           rule->texts[TALLY_RULE], rule->pods);
	}
	json_write(out, "] findings:[");
	append_findings(out, found, before != NULL, false);
	json_write(out, "]");
	if (before != NULL) {
		json_write(out, "gone:[");
		append_findings(out, before, true, true);
		json_write(out, "]");
	}
	json_write(out, "}");
	puts(out->str);
}
