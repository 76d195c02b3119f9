/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_text.c - prints the trace of a decision as a tree: the modules of each stage, classifiers,
 * applications with their limits, audit annotations and suggested changes.
 */
#include <glib.h>
#include <inttypes.h>

#include "cli/terminal.h"
#include "cli/tree.h"
#include "common/verdict_name.h"
#include "decision_text.h"

/* Identifiers and classifiers match or do not: a requester whom they do not know is no failure. */
static const char *
verdict_word(limen_verdict verdict, bool matches)
{
	if (matches && (verdict == LIMEN_PASS || verdict == LIMEN_FAIL))
		return verdict == LIMEN_PASS ? "match" : "no match";
	return verdict_name(verdict);
}

/* Adds a line with a verdict; frees 'before' and 'after'. */
static void
add_verdict(tree *to, unsigned depth, char *before, limen_verdict verdict, bool matches,
            GString *after)
{
	static const tints known[] = { TINT_ODD, TINT_GOOD, TINT_BAD, TINT_DIM };
	tints tint = (unsigned)verdict < G_N_ELEMENTS(known) ? known[verdict] : TINT_ODD;

	if (matches && verdict == LIMEN_FAIL)
		tint = TINT_DIM;
	tree_add(to, depth, before, tint, verdict_word(verdict, matches), after->str);
	g_string_free(after, TRUE);
	g_free(before);
}

/* Adds 'name' to the list of entries that share one line because they did not matter. */
static void
fold(GPtrArray *names, const char *name)
{
	/* An admission entry may run twice. */
	if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
		g_ptr_array_add(names, g_strdup(name));
}

static void
add_folded(tree *to, const char *word, GPtrArray *names)
{
	g_ptr_array_add(names, NULL);
	if (names->len > 1) {
		g_autofree char *joined = g_strjoinv(", ", (char **)names->pdata);
		g_autofree char *text = g_strconcat(": ", joined, NULL);

		tree_add(to, 1, "", TINT_DIM, word, text);
	}
	g_ptr_array_unref(names);
}

/* Returns text such as "test.type is throughput, must be one of idle, rtt". */
static char *
describe_bound(const limen_bound *bound)
{
	static const char *const words[] = { "be at least", "be at most", "be one of",
		                             "be none of",  "be outside", "match",
		                             "not match",   "be below" };
	size_t relation = (size_t)bound->relation;

	return g_strdup_printf("%s is %s, must %s %s", bound->field,
	                       bound->have == NULL ? "not given" : bound->have,
	                       relation < G_N_ELEMENTS(words) ? words[relation]
	                                                      : "stand elsewhere to",
	                       bound->bound);
}

static void
append_place(GString *out, const char *file, unsigned line)
{
	if (file != NULL)
		g_string_append_printf(out, ", %s:%u", file, line);
}

static void
add_findings(tree *to, unsigned depth, const limen_trace *entry)
{
	if (entry->reason != NULL)
		tree_add_text(to, depth, "reason: ", entry->reason);
	for (size_t i = 0; i < entry->note_count; i++)
		tree_add_text(to, depth, "note: ", entry->notes[i]);
	for (size_t i = 0; i < entry->bound_count; i++) {
		char *text = describe_bound(&entry->bounds[i]);

		tree_add_text(to, depth, "missed: ", text);
		g_free(text);
	}
}

static void
add_entry(tree *to, unsigned depth, const limen_trace *entry)
{
	limen_verdict counted = entry->verdict;
	char *before = g_strdup_printf("%s (%s%s%s): ", entry->name, entry->type,
	                               entry->phase == NULL ? "" : ", ",
	                               entry->phase == NULL ? "" : entry->phase);
	GString *after = g_string_new(NULL);
	bool matches = entry->kind == LIMEN_KIND_IDENTIFIER;

	/* Errors and "no opinion" are never inverted (the rule "fail closed"). */
	if (entry->inverted && (counted == LIMEN_PASS || counted == LIMEN_FAIL))
		counted = counted == LIMEN_PASS ? LIMEN_FAIL : LIMEN_PASS;
	if (counted != entry->verdict)
		g_string_append_printf(after, ", inverted from %s",
		                       verdict_word(entry->verdict, matches));
	g_string_append_printf(after, ", %" PRId64 " us", (entry->nanoseconds + 500) / 1000);
	append_place(after, entry->file, entry->line);
	add_verdict(to, depth, before, counted, matches, after);
	add_findings(to, depth + 1, entry);
}

/* Returns true for an entry that had no influence and nothing to say. */
static bool
is_idle(const limen_trace *entry)
{
	return entry->verdict == (entry->kind == LIMEN_KIND_IDENTIFIER ? LIMEN_FAIL : LIMEN_SKIP) &&
	       !entry->inverted && entry->reason == NULL && entry->note_count == 0 &&
	       entry->bound_count == 0;
}

/*
 * Adds all entries of a kind that ran; limits are added below their applications instead.
 * Returns false if there were none.
 */
static bool
add_stage(tree *to, const limen_decision *decision, limen_kind kind, const char *name)
{
	GPtrArray *idle = g_ptr_array_new_with_free_func(g_free);
	const limen_trace *entry = limen_decision_trace(decision, 0);
	bool any = false;

	for (size_t i = 0; entry != NULL; entry = limen_decision_trace(decision, ++i)) {
		if (entry->kind != kind || entry->application > 0)
			continue;
		if (!any)
			tree_add(to, 0, name, TINT_NONE, NULL, NULL);
		any = true;
		if (is_idle(entry))
			fold(idle, entry->name);
		else
			add_entry(to, 1, entry);
	}
	add_folded(to, kind == LIMEN_KIND_IDENTIFIER ? "no match" : "skip", idle);
	return any;
}

/* Adds the admission entries that left the object out: once each, not once a phase. */
static void
add_left_out(tree *to, const limen_decision *decision, bool any)
{
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	const limen_step *step = limen_decision_step(decision, 0);

	for (size_t i = 0; step != NULL; step = limen_decision_step(decision, ++i)) {
		GString *after;

		if (step->kind != LIMEN_STEP_ADMISSION)
			continue;
		if (!any)
			tree_add(to, 0, "admission", TINT_NONE, NULL, NULL);
		any = true;
		if (!g_hash_table_add(known, (char *)step->name))
			continue;
		after = g_string_new(NULL);
		append_place(after, step->file, step->line);
		add_verdict(to, 1, g_strdup_printf("%s: ", step->name), step->verdict, false, after);
		tree_add_text(to, 2, "reason: ", step->reason);
	}
}

static void
add_classifiers(tree *to, const limen_decision *decision)
{
	const limen_step *step = limen_decision_step(decision, 0);
	GPtrArray *others = g_ptr_array_new_with_free_func(g_free);
	bool any = false;

	for (size_t i = 0; step != NULL; step = limen_decision_step(decision, ++i)) {
		GString *after;

		if (step->kind != LIMEN_STEP_CLASSIFIER)
			continue;
		if (!any)
			tree_add(to, 0, "classifiers", TINT_NONE, NULL, NULL);
		any = true;
		if (step->verdict == LIMEN_FAIL) {
			fold(others, step->name);
			continue;
		}
		after = g_string_new(NULL);
		append_place(after, step->file, step->line);
		add_verdict(to, 1, g_strdup_printf("%s (require %s): ", step->name, step->require),
		            step->verdict, true, after);
	}
	add_folded(to, "no match", others);
}

static void
add_application(tree *to, const limen_step *step, GPtrArray *skipped)
{
	const char *name = step->name == NULL ? "application" : step->name;
	GString *after = g_string_new(NULL);

	if (step->verdict == LIMEN_SKIP) {
		g_string_printf(after, "%u. %s (not %s)", step->application, name,
		                step->classifier);
		fold(skipped, after->str);
		g_string_free(after, TRUE);
		return;
	}
	if (step->inverted)
		g_string_append(after, ", inverted");
	if (step->stops && step->verdict == LIMEN_FAIL)
		g_string_append(after, ", stops on failure");
	append_place(after, step->file, step->line);
	add_verdict(to, 1, g_strdup_printf("%u. %s: ", step->application, name), step->verdict,
	            false, after);
}

/*
 * Adds a group with its limits.  Limits are recorded in the order of the groups, so '*next'
 * only increases.
 */
static void
add_group(tree *to, const limen_decision *decision, const limen_step *step, size_t *next)
{
	const limen_trace *entry = limen_decision_trace(decision, *next);

	add_verdict(to, 2, g_strdup_printf("group %u, require %s: ", step->group, step->require),
	            step->verdict, false, g_string_new(NULL));
	while (entry != NULL && entry->application == 0)
		entry = limen_decision_trace(decision, ++*next);
	while (entry != NULL && entry->application == step->application &&
	       entry->group == step->group) {
		add_entry(to, 3, entry);
		entry = limen_decision_trace(decision, ++*next);
	}
}

static void
add_applications(tree *to, const limen_decision *decision)
{
	const limen_step *step = limen_decision_step(decision, 0);
	GPtrArray *skipped = g_ptr_array_new_with_free_func(g_free);
	bool any = false;
	size_t next = 0;

	for (size_t i = 0; step != NULL; step = limen_decision_step(decision, ++i)) {
		if (step->kind == LIMEN_STEP_APPLICATION && !any)
			tree_add(to, 0, "applications", TINT_NONE, NULL, NULL);
		any = any || step->kind == LIMEN_STEP_APPLICATION;
		if (step->kind == LIMEN_STEP_APPLICATION)
			add_application(to, step, skipped);
		else if (step->kind == LIMEN_STEP_GROUP)
			add_group(to, decision, step, &next);
	}
	add_folded(to, "skip", skipped);
}

static void
add_annotations(tree *to, const limen_decision *decision)
{
	const limen_annotation *note = limen_decision_annotation(decision, 0);

	for (size_t i = 0; note != NULL; note = limen_decision_annotation(decision, ++i)) {
		char *text = g_strdup_printf("%s: %s", note->key, note->value);

		if (i == 0)
			tree_add(to, 0, "audit annotations", TINT_NONE, NULL, NULL);
		tree_add(to, 1, text, TINT_NONE, NULL, NULL);
		g_free(text);
	}
}

static char *
describe_change(const limen_change *change)
{
	const char *noun = change->entry->kind == LIMEN_KIND_ADMISSION ? "entry" : "limit";
	char wait[LIMEN_DURATION_TEXT_MAX];
	char *what;
	char *text;

	if (change->bound != NULL) {
		what = describe_bound(change->bound);
	} else {
		limen_duration_print(change->wait, wait);
		what = g_strdup_printf("wait %s", wait);
	}
	text = g_strdup_printf("%s (%s '%s')", what, noun, change->entry->name);
	g_free(what);
	return text;
}

/* Adds the application that may be nearer, if one of its limits does not say what would pass. */
static void
add_unexplained(tree *to, const limen_decision *decision)
{
	const limen_trace *limit = limen_decision_unexplained(decision);
	const limen_step *step = limen_decision_step(decision, 0);
	g_autofree char *heading = NULL;
	g_autofree char *text = NULL;

	if (limit == NULL)
		return;
	for (size_t i = 0; step->kind != LIMEN_STEP_APPLICATION ||
	                   step->application != limit->application;)
		step = limen_decision_step(decision, ++i);
	heading = g_strdup_printf("nearest application: %u. %s", step->application,
	                          step->name == NULL ? "application" : step->name);
	text = g_strdup_printf("limit '%s' does not say what would pass%s%s", limit->name,
	                       limit->reason == NULL ? "" : ", only: ",
	                       limit->reason == NULL ? "" : limit->reason);
	tree_add(to, 0, heading, TINT_NONE, NULL, NULL);
	tree_add(to, 1, text, TINT_NONE, NULL, NULL);
}

static void
add_changes(tree *to, const limen_decision *decision)
{
	const limen_change *change = limen_decision_change(decision, 0);
	char *heading;

	if (change == NULL)
		return;
	if (change->entry->application > 0)
		heading = g_strdup_printf("smallest change for application %u to pass",
		                          change->entry->application);
	else
		heading = g_strdup_printf("smallest change for '%s' to pass", change->entry->name);
	tree_add(to, 0, heading, TINT_NONE, NULL, NULL);
	g_free(heading);
	for (size_t i = 0; change != NULL; change = limen_decision_change(decision, ++i)) {
		char *text = describe_change(change);

		tree_add(to, 1, text, TINT_NONE, NULL, NULL);
		g_free(text);
	}
}

void
trace_print(FILE *to, const limen_decision *decision, bool colored)
{
	tree all;

	tree_start(&all);
	if (limen_decision_trace(decision, 0) == NULL)
		tree_add(&all, 0, "no module was run", TINT_NONE, NULL, NULL);
	add_stage(&all, decision, LIMEN_KIND_IDENTIFIER, "identifiers");
	add_classifiers(&all, decision);
	add_stage(&all, decision, LIMEN_KIND_REWRITER, "rewriter");
	add_left_out(&all, decision,
	             add_stage(&all, decision, LIMEN_KIND_ADMISSION, "admission"));
	add_applications(&all, decision);
	add_stage(&all, decision, LIMEN_KIND_PRIORITIZER, "prioritizer");
	add_annotations(&all, decision);
	add_unexplained(&all, decision);
	add_changes(&all, decision);
	tree_print(to, &all, colored, tree_can_be_drawn());
}
