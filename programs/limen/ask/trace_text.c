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

/* Adds a line with a verdict; frees 'before' and 'after' (may be NULL). */
static void
add_verdict(tree *to, unsigned depth, char *before, limen_verdict verdict, bool matches, char *after)
{
	static const tints known[] = { TINT_ODD, TINT_GOOD, TINT_BAD, TINT_DIM };
	tints tint = (unsigned)verdict < G_N_ELEMENTS(known) ? known[verdict] : TINT_ODD;

	if (matches && verdict == LIMEN_FAIL)
		tint = TINT_DIM;
	tree_add(to, depth, before, tint, verdict_word(verdict, matches),
	         after == NULL ? "" : after);
	g_free(after);
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
	                                                      : "stand elsewhere to", bound->bound);
}

/* Returns 'before' with the place after it, if that is known. */
static char *
with_place(const char *before, const char *file, unsigned line)
{
	return file == NULL ? g_strdup(before) : g_strdup_printf("%s, %s:%u", before, file, line);
}

/* Returns what is behind the verdict of an entry, to g_free(). */
static char *
describe_call(const limen_trace *entry, bool inverted)
{
	return g_strdup_printf("%s%s%s, %" PRId64 " us", entry->observes ? ", enforce audit" : "",
	                       inverted ? ", inverted from " : "",
	                       inverted ? verdict_word((limen_verdict)entry->verdict,
	                                               entry->kind == LIMEN_KIND_IDENTIFIER)
	                                : "", (entry->nanoseconds + 500) / 1000);
}

/* Does the smallest change, which ends the tree, name this bound? */
static bool
is_told_below(const limen_decision *decision, const limen_bound *bound)
{
	const limen_change *change;

	for (size_t i = 0; (change = limen_decision_change(decision, i)) != NULL; i++)
		if (change->bound == bound)
			return true;
	return false;
}

static void
add_entry(tree *to, unsigned depth, const limen_decision *decision, const limen_trace *entry)
{
	limen_verdict counted = entry->verdict;
	bool matches = entry->kind == LIMEN_KIND_IDENTIFIER;
	/* Errors and "no opinion" are never inverted (the rule "fail closed"). */
	bool inverted = entry->inverted && (counted == LIMEN_PASS || counted == LIMEN_FAIL);
	g_autofree char *after = describe_call(entry, inverted);

	if (inverted)
		counted = counted == LIMEN_PASS ? LIMEN_FAIL : LIMEN_PASS;
	add_verdict(to, depth,
	            g_strdup_printf("%s (%s%s%s): ", entry->name, entry->type,
	                            entry->phase == NULL ? "" : ", ",
	                            entry->phase == NULL ? "" : entry->phase),
	            counted, matches, with_place(after, entry->file, entry->line));
	if (entry->reason != NULL)
		tree_add_text(to, depth + 1, "reason: ", entry->reason);
	for (size_t i = 0; i < entry->note_count; i++)
		tree_add_text(to, depth + 1, "note: ", entry->notes[i]);
	for (size_t i = 0; i < entry->bound_count; i++) {
		g_autofree char *text = describe_bound(&entry->bounds[i]);

		if (!is_told_below(decision, &entry->bounds[i]))
			tree_add_text(to, depth + 1, "missed: ", text);
	}
}

/* Returns true for an entry that had no influence and nothing to say. */
static bool
is_idle(const limen_trace *entry)
{
	return entry->verdict == (entry->kind == LIMEN_KIND_IDENTIFIER ? LIMEN_FAIL : LIMEN_SKIP) &&
	       !entry->inverted && entry->reason == NULL && entry->note_count == 0 &&
	       entry->bound_count == 0;
}

/* Adds the heading of a stage, unless '*any' says that it has one. */
static void
add_heading(tree *to, const char *name, bool *any)
{
	if (!*any)
		tree_add_line(to, 0, "%s", name);
	*any = true;
}

/*
 * Adds all entries of a kind that ran; limits are added below their applications instead.
 * Returns false if there were none.
 */
static bool
add_stage(tree *to, const limen_decision *decision, limen_kind kind, const char *name)
{
	g_autoptr(GPtrArray) idle = g_ptr_array_new_with_free_func(g_free);
	const limen_trace *entry = limen_decision_trace(decision, 0);
	bool any = false;

	for (size_t i = 0; entry != NULL; entry = limen_decision_trace(decision, ++i)) {
		if (entry->kind != kind || entry->application > 0)
			continue;
		add_heading(to, name, &any);
		if (is_idle(entry))
			fold(idle, entry->name);
		else
			add_entry(to, 1, decision, entry);
	}
	add_folded(to, kind == LIMEN_KIND_IDENTIFIER ? "no match" : "skip", idle);
	return any;
}

/* Returns the next step of that kind from '*index' on, or NULL. */
static const limen_step *
next_step(const limen_decision *decision, limen_step_kind kind, size_t *index)
{
	const limen_step *step;

	do
		step = limen_decision_step(decision, (*index)++);
	while (step != NULL && step->kind != kind);
	return step;
}

/* Adds the admission entries that left the object out: once each, not once a phase. */
static void
add_left_out(tree *to, const limen_decision *decision, bool any)
{
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	const limen_step *step;

	for (size_t i = 0; (step = next_step(decision, LIMEN_STEP_ADMISSION, &i)) != NULL;) {
		add_heading(to, "admission", &any);
		if (!g_hash_table_add(known, (char *)step->name))
			continue;
		add_verdict(to, 1, g_strdup_printf("%s: ", step->name), step->verdict, false,
		            with_place("", step->file, step->line));
		tree_add_text(to, 2, "reason: ", step->reason);
	}
}

static void
add_classifiers(tree *to, const limen_decision *decision)
{
	g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
	const limen_step *step;
	bool any = false;

	for (size_t i = 0; (step = next_step(decision, LIMEN_STEP_CLASSIFIER, &i)) != NULL;) {
		add_heading(to, "classifiers", &any);
		if (step->verdict == LIMEN_FAIL)
			fold(others, step->name);
		else
			add_verdict(to, 1,
			            g_strdup_printf("%s (require %s): ", step->name, step->require),
			            step->verdict, true, with_place("", step->file, step->line));
	}
	add_folded(to, "no match", others);
}

/* Returns "2. Friends", the number and the name of an application, to g_free(). */
static char *
name_application(const limen_step *step)
{
	return g_strdup_printf("%u. %s", step->application,
	                       step->name == NULL ? "application" : step->name);
}

static void
add_application(tree *to, const limen_step *step, GPtrArray *skipped)
{
	g_autofree char *name = name_application(step);
	g_autofree char *skip = g_strdup_printf("%s (not %s)", name, step->classifier);
	bool stops = step->stops && step->verdict == LIMEN_FAIL && !step->observes;
	g_autofree char *after = g_strconcat(step->observes ? ", enforce audit" : "",
	                                     step->inverted ? ", inverted" : "",
	                                     stops ? ", stops on failure" : "", NULL);

	if (step->verdict == LIMEN_SKIP)
		fold(skipped, skip);
	else
		add_verdict(to, 1, g_strconcat(name, ": ", NULL), step->verdict, false,
		            with_place(after, step->file, step->line));
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
	            step->verdict, false, NULL);
	while (entry != NULL && entry->application == 0)
		entry = limen_decision_trace(decision, ++*next);
	while (entry != NULL && entry->application == step->application &&
	       entry->group == step->group) {
		add_entry(to, 3, decision, entry);
		entry = limen_decision_trace(decision, ++*next);
	}
}

static void
add_applications(tree *to, const limen_decision *decision)
{
	g_autoptr(GPtrArray) skipped = g_ptr_array_new_with_free_func(g_free);
	const limen_step *step = limen_decision_step(decision, 0);
	bool any = false;
	size_t next = 0;

	for (size_t i = 0; step != NULL; step = limen_decision_step(decision, ++i)) {
		if (step->kind == LIMEN_STEP_APPLICATION) {
			add_heading(to, "applications", &any);
			add_application(to, step, skipped);
		} else if (step->kind == LIMEN_STEP_GROUP) {
			add_group(to, decision, step, &next);
		}
	}
	add_folded(to, "skip", skipped);
}

static void
add_annotations(tree *to, const limen_decision *decision)
{
	const limen_annotation *note = limen_decision_annotation(decision, 0);
	bool any = false;

	for (size_t i = 0; note != NULL; note = limen_decision_annotation(decision, ++i)) {
		add_heading(to, "audit annotations", &any);
		tree_add_line(to, 1, "%s: %s", note->key, note->value);
	}
}

static void
add_rates(tree *to, const limen_decision *decision)
{
	const limen_quota *rate = limen_decision_quota(decision, 0);
	bool any = false;

	for (size_t i = 0; rate != NULL; rate = limen_decision_quota(decision, ++i)) {
		char wait[LIMEN_DURATION_TEXT_MAX];

		limen_duration_print(MIN(rate->reset, INT64_MAX / LIMEN_SECOND) * LIMEN_SECOND, wait);
		add_heading(to, "rates", &any);
		tree_add_line(to, 1, "%s: %" PRId64 " of %" PRId64 " left%s%s", rate->name,
		              rate->remaining, rate->quota, rate->reset > 0 ? ", resets in " : "",
		              rate->reset > 0 ? wait : "");
	}
}

/* Adds the application that may be nearer, if one of its limits does not say what would pass. */
static void
add_unexplained(tree *to, const limen_decision *decision)
{
	const limen_trace *limit = limen_decision_unexplained(decision);
	const limen_step *step;
	g_autofree char *name = NULL;
	size_t i = 0;

	if (limit == NULL)
		return;
	do
		step = next_step(decision, LIMEN_STEP_APPLICATION, &i);
	while (step->application != limit->application);
	name = name_application(step);
	tree_add_line(to, 0, "nearest application: %s", name);
	tree_add_line(to, 1, "limit '%s' does not say what would pass%s%s", limit->name,
	              limit->reason == NULL ? "" : ", only: ",
	              limit->reason == NULL ? "" : limit->reason);
}

static void
add_changes(tree *to, const limen_decision *decision)
{
	const limen_change *change = limen_decision_change(decision, 0);
	bool any = false;

	for (size_t i = 0; change != NULL; change = limen_decision_change(decision, ++i)) {
		const limen_trace *entry = change->entry;
		char duration[LIMEN_DURATION_TEXT_MAX];
		g_autofree char *wait = NULL;
		g_autofree char *heading =
			entry->application > 0
				? g_strdup_printf("smallest change for application %u to pass",
		                                  entry->application)
				: g_strdup_printf("smallest change for '%s' to pass", entry->name);

		add_heading(to, heading, &any);
		if (change->bound == NULL)
			limen_duration_print(change->wait, duration);
		wait = change->bound != NULL ? describe_bound(change->bound)
		                             : g_strconcat("wait ", duration, NULL);
		tree_add_line(to, 1, "%s (%s '%s')", wait,
		              entry->kind == LIMEN_KIND_ADMISSION ? "entry" : "limit", entry->name);
	}
}

void
trace_print(FILE *to, const limen_decision *decision, bool colored)
{
	tree *all = tree_new();

	if (limen_decision_trace(decision, 0) == NULL)
		tree_add_line(all, 0, "no module was run");
	add_stage(all, decision, LIMEN_KIND_IDENTIFIER, "identifiers");
	add_classifiers(all, decision);
	add_stage(all, decision, LIMEN_KIND_REWRITER, "rewriter");
	add_left_out(all, decision, add_stage(all, decision, LIMEN_KIND_ADMISSION, "admission"));
	add_applications(all, decision);
	add_stage(all, decision, LIMEN_KIND_PRIORITIZER, "prioritizer");
	add_rates(all, decision);
	add_annotations(all, decision);
	add_unexplained(all, decision);
	add_changes(all, decision);
	tree_print(to, all, colored);
}
