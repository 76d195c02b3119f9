/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_tally.c - counts the results of the lines, in memory that does not grow with their
 * number: compares outcomes, names the rules behind them and describes examples.
 */
#include <string.h>

#include "common/cut.h"
#include "replay.h"

/* Caps in one tally: policies have fewer rules, but reasons that name no rule are unlimited. */
#define RULES_MAX 2000
#define CHANGES_MAX 10000
/* Number of unreadable lines shown. */
#define MALFORMED_MAX 5
/* First width of a bin; it doubles when the bins are full. */
#define BIN_FIRST LIMEN_SECOND

const char *const replay_skips[SKIPS] = {
	[SKIP_MALFORMED] = "no JSON object",
	[SKIP_TOO_LONG] = "longer than 16 MiB",
	[SKIP_UNKNOWN] = "neither a decision, an audit event, a task nor a question",
	[SKIP_DOCUMENT] = "the log does not hold the task or object",
	[SKIP_PATCH] = "a patch without the resulting object",
	[SKIP_COLLECTION] = "the deletion of a collection, without its objects",
	[SKIP_READ] = "not an admission request",
	[SKIP_STAGE] = "another stage of a request",
	[SKIP_UNAUTHORIZED] = "refused before admission, by authorization",
	[SKIP_INVALID] = "the request is invalid",
	[SKIP_VERDICT] = "no verdict is recorded",
};

const char *const replay_losses[LOSSES] = {
	[LOSS_TIME] = "the time",
	[LOSS_USER] = "the user",
	[LOSS_HASHED_USER] = "the user (hashed)",
	[LOSS_REQUESTER] = "the hints",
	[LOSS_HASHED_REQUESTER] = "the address (hashed)",
	[LOSS_HASHED_NAMESPACE] = "the namespace (hashed)",
	[LOSS_HASHED_NAME] = "names (hashed)",
	[LOSS_EVENT] = "the object of an event",
	[LOSS_OLD] = "the object before the operation",
	[LOSS_CUT] = "the end of long texts",
};

const char *const replay_verdicts[VERDICTS] = { "admitted", "refused", "error" };

const char *const replay_differences[DIFFERENCES] = { "verdict", "code", "result", "priority",
	                                                    "warnings" };

/* Longest name of a rule, with its NUL. */
#define OUTCOME_RULE_MAX 200
/* Bytes of a text that are kept for an example. */
#define TEXT_SHOWN ((size_t)300)

/* Returns a VERDICT_... value. */
static int
outcome_verdict(const replay_outcome *outcome)
{
	if (outcome->admitted)
		return VERDICT_ADMITTED;
	return outcome->code == 500 ? VERDICT_ERROR : VERDICT_REFUSED;
}

/* Returns the outcome of 'decision', which owns its texts. */
static replay_outcome
outcome_of(const limen_decision *decision)
{
	size_t warnings = 0;

	limen_decision_warnings(decision, &warnings);
	return (replay_outcome){ .code = limen_decision_code(decision),
		                 .admitted = limen_decision_admitted(decision),
		                 .entry = limen_decision_entry(decision),
		                 .reason = limen_decision_reason(decision),
		                 .warnings = (int64_t)warnings };
}

/*
 * Writes the name of the rule that decided: the application that passed, the failed limit and
 * its application, or the admission entry; else the reason, cut.
 */
static void
outcome_rule(const replay_outcome *outcome, char out[OUTCOME_RULE_MAX])
{
	static const char application[] = "application '";
	const char *reason = outcome->reason == NULL ? "(no reason)" : outcome->reason;
	const char *entry = outcome->entry;
	const char *text = entry == NULL ? reason : entry;
	size_t length = entry == NULL ? strcspn(reason, "\n") : strlen(entry);
	const char *named = entry != NULL &&
	                                    strncmp(reason, application, strlen(application)) == 0
	                            ? strstr(reason + strlen(application), entry)
	                            : NULL;

	/*
	 * Keeps "application 'A' fails: limit 'ENTRY'" only: the rest is specific to this
	 * request.
	 */
	if (named != NULL && named[-1] == '\'' && named[length] == '\'') {
		text = reason;
		length += (size_t)(named - reason) + 1;
	}
	cut_copy(out, OUTCOME_RULE_MAX, text, length);
}

/* ---- comparing ---- */

static bool
same_result(const limen_decision *old, const limen_decision *new)
{
	limen_value before = limen_decision_patch(old), after = limen_decision_patch(new);

	return (limen_value_count(before) == 0 && limen_value_count(after) == 0) ||
	       limen_value_equal(before, after);
}

static bool
same_priority(const limen_decision *old, const limen_decision *new)
{
	double before = 0, after = 0;
	bool had = limen_decision_priority(old, &before);

	return had == limen_decision_priority(new, &after) && !(before < after) &&
	       !(before > after);
}

static bool
same_warnings(const limen_decision *old, const limen_decision *new)
{
	size_t count = 0, other = 0;
	const char *const *before = limen_decision_warnings(old, &count);
	const char *const *after = limen_decision_warnings(new, &other);
	size_t i = 0;

	while (i < MIN(count, other) && strcmp(before[i], after[i]) == 0)
		i++;
	return i == count && i == other;
}

/* Returns the differences as a set of 1 << DIFFERS_...; decisions may be NULL. */
static unsigned
outcome_compare(const replay_outcome outcomes[SIDES], limen_decision *const decisions[SIDES])
{
	const replay_outcome *was = &outcomes[WAS], *is = &outcomes[IS];
	const limen_decision *old = decisions[WAS], *new = decisions[IS];
	unsigned differs = 0;

	if (outcome_verdict(was) != outcome_verdict(is))
		differs |= 1U << DIFFERS_VERDICT;
	if (was->code != is->code)
		differs |= 1U << DIFFERS_CODE;
	/* A log records the number of warnings at most, and no result. */
	if (old == NULL ? was->warnings >= 0 && was->warnings != is->warnings
	                : !same_warnings(old, new))
		differs |= 1U << DIFFERS_WARNINGS;
	/* Results of refused requests have no effect, so they are not compared. */
	if (old == NULL || !was->admitted || !is->admitted)
		return differs;
	if (!same_result(old, new))
		differs |= 1U << DIFFERS_RESULT;
	if (!same_priority(old, new))
		differs |= 1U << DIFFERS_PRIORITY;
	return differs;
}

/* ---- report text ---- */

/* Appends 'before' and 'text', cut to TEXT_SHOWN bytes; appends nothing if 'text' is NULL. */
static void
append_cut(GString *out, const char *before, const char *text)
{
	size_t length = text == NULL ? 0 : strlen(text);
	int most = text == NULL ? 0 : (int)cut_length(text, length, TEXT_SHOWN);

	if (text != NULL)
		g_string_append_printf(out, "%s%.*s%s", before, most, text,
		                       (size_t)most < length ? "..." : "");
}

/* Appends the request (user, operation, object) in one line. */
static void
outcome_describe(GString *out, const limen_request *req)
{
	limen_value test = limen_value_get(limen_request_document(req), "test");
	limen_value requester = limen_value_get(limen_request_hints(req), "requester");
	const char *type = limen_value_string(limen_value_get(test, "type"), NULL);
	const char *operation = limen_request_field(req, LIMEN_FIELD_OPERATION);
	const char *subresource = limen_request_field(req, LIMEN_FIELD_SUBRESOURCE);
	const char *namespace = limen_request_field(req, LIMEN_FIELD_NAMESPACE);
	const char *name = limen_request_field(req, LIMEN_FIELD_NAME);

	if (limen_request_subject(req) == LIMEN_SUBJECT_TASK) {
		g_string_append(out, limen_request_is_run(req) ? "run" : "task");
		append_cut(out, " ", type == NULL ? "of no type" : type);
		append_cut(out, " from ", limen_value_string(requester, NULL));
		return;
	}
	if (name == NULL)
		name = limen_request_field(req, LIMEN_FIELD_GENERATE_NAME);
	append_cut(out, "", operation == NULL ? "object" : operation);
	append_cut(out, " ", limen_request_field(req, LIMEN_FIELD_RESOURCE));
	if (subresource != NULL && subresource[0] != '\0')
		append_cut(out, "/", subresource);
	append_cut(out, " ", namespace);
	append_cut(out, namespace == NULL ? " " : "/", name == NULL ? "?" : name);
	append_cut(out, " by ", limen_request_field(req, LIMEN_FIELD_USER));
}

/* Appends "refused, 403: REASON" and, unless 'decision' is NULL, its other results. */
static void
outcome_append(GString *out, const replay_outcome *outcome, const limen_decision *decision)
{
	size_t changes, count = 0;
	const char *const *warnings;
	double priority;

	g_string_append(out, replay_verdicts[outcome_verdict(outcome)]);
	if (!outcome->admitted)
		g_string_append_printf(out, ", %d", outcome->code);
	append_cut(out, ": ", outcome->reason);
	if (decision == NULL)
		return;
	changes = limen_value_count(limen_decision_patch(decision));
	if (changes > 0)
		g_string_append_printf(out, "; %zu change%s", changes, changes == 1 ? "" : "s");
	if (limen_decision_priority(decision, &priority))
		g_string_append_printf(out, "; priority %g", priority);
	warnings = limen_decision_warnings(decision, &count);
	if (count > 0)
		append_cut(out, "; warning: ", warnings[0]);
}

/* ---- making and freeing ---- */

static void
clear_change(gpointer data)
{
	g_array_unref(((replay_change *)data)->examples);
}

replay_tally *
replay_tally_new(char **files, size_t examples)
{
	replay_tally *tally = g_new0(replay_tally, 1);

	tally->files = files;
	tally->example_max = examples;
	tally->texts = g_string_chunk_new(4096);
	tally->rules = g_array_new(FALSE, FALSE, sizeof(replay_rule));
	tally->known_rules = g_hash_table_new(g_str_hash, g_str_equal);
	tally->changes = g_array_new(FALSE, FALSE, sizeof(replay_change));
	g_array_set_clear_func(tally->changes, clear_change);
	tally->known_changes = g_hash_table_new(NULL, NULL);
	tally->malformed = g_ptr_array_new_with_free_func(g_free);
	return tally;
}

void
replay_tally_free(replay_tally *tally)
{
	g_hash_table_destroy(tally->known_rules);
	g_hash_table_destroy(tally->known_changes);
	g_array_unref(tally->rules);
	g_array_unref(tally->changes);
	g_ptr_array_unref(tally->malformed);
	g_string_chunk_free(tally->texts);
	g_free(tally);
}

/* ---- rules ---- */

/* A rule's key is its verdict and its code, in four digits, and its text. */
#define KEY_PREFIX 4

static size_t
find_key(replay_tally *tally, const char *key)
{
	gpointer known = g_hash_table_lookup(tally->known_rules, key);

	if (known == NULL) {
		const char *kept = g_string_chunk_insert(tally->texts, key);
		replay_rule rule = { .verdict = kept[0] - '0',
			             .code = (kept[1] - '0') * 100 + (kept[2] - '0') * 10 +
			                     kept[3] - '0',
			             .text = kept + KEY_PREFIX };
		bool coded = rule.verdict == VERDICT_REFUSED && rule.code != 0;
		g_autofree char *label = g_strdup_printf("%s%s%.*s: %s",
		                                         replay_verdicts[rule.verdict],
		                                         coded ? " " : "", coded ? 3 : 0,
		                                         kept + 1, rule.text);

		rule.label = g_string_chunk_insert(tally->texts, label);
		g_array_append_val(tally->rules, rule);
		known = GUINT_TO_POINTER(tally->rules->len);
		g_hash_table_insert(tally->known_rules, (gpointer)kept, known);
	}
	return GPOINTER_TO_UINT(known) - 1;
}

/* Returns the rule that collects rules of that verdict beyond the limit. */
static size_t
find_others(replay_tally *tally, int verdict)
{
	char key[] = "v000(others)";

	key[0] = (char)('0' + verdict);
	return find_key(tally, key);
}

/* Returns the index of the rule that decided. */
static size_t
find_rule(replay_tally *tally, const replay_outcome *outcome)
{
	char key[OUTCOME_RULE_MAX + KEY_PREFIX];
	int verdict = outcome_verdict(outcome);

	/* Written by hand for speed, because this runs for every line; codes are below 1000. */
	key[0] = (char)('0' + verdict);
	key[1] = (char)('0' + outcome->code / 100 % 10);
	key[2] = (char)('0' + outcome->code / 10 % 10);
	key[3] = (char)('0' + outcome->code % 10);
	outcome_rule(outcome, key + KEY_PREFIX);
	return tally->rules->len >= RULES_MAX && !g_hash_table_contains(tally->known_rules, key)
	               ? find_others(tally, verdict)
	               : find_key(tally, key);
}

/* ---- changes ---- */

static gpointer
change_key(size_t was, size_t is)
{
	return GSIZE_TO_POINTER(was << 16 | is);
}

static replay_change *
find_change(replay_tally *tally, size_t was, size_t is)
{
	gpointer known = g_hash_table_lookup(tally->known_changes, change_key(was, is));

	if (known == NULL && tally->changes->len >= CHANGES_MAX) {
		was = find_others(tally, replay_rule_at(tally, was)->verdict);
		is = find_others(tally, replay_rule_at(tally, is)->verdict);
		known = g_hash_table_lookup(tally->known_changes, change_key(was, is));
	}
	if (known == NULL) {
		const replay_change change = { .rules = { was, is },
			.examples = g_array_new(FALSE, FALSE, sizeof(replay_example)) };

		g_array_append_val(tally->changes, change);
		known = GUINT_TO_POINTER(tally->changes->len);
		g_hash_table_insert(tally->known_changes, change_key(was, is), known);
	}
	return &g_array_index(tally->changes, replay_change, GPOINTER_TO_UINT(known) - 1);
}

static void
add_example(replay_tally *tally, GArray *examples, const replay_record *record,
            const replay_outcome outcomes[SIDES])
{
	replay_example example = { .time = record->time };
	const char **texts[] = { &example.request, &example.answers[WAS], &example.answers[IS] };
	g_autofree char *place = g_strdup_printf("%s:%zu", tally->files[record->file],
	                                         record->line);

	example.place = g_string_chunk_insert(tally->texts, place);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GString) line = g_string_new(NULL);

		if (i == 0)
			outcome_describe(line, record->request);
		else
			outcome_append(line, &outcomes[i - 1], record->decisions[i - 1]);
		*texts[i] = g_string_chunk_insert(tally->texts, line->str);
	}
	g_array_append_val(examples, example);
}

/* ---- time ---- */

/* Returns the last multiple of 'width' up to 'time'. */
static limen_time
align(limen_time time, limen_duration width)
{
	limen_time rest = time % width;

	return time - rest - (rest < 0 ? width : 0);
}

/* Makes the bins 'width' wide, and lets them begin at 'start'; wider bins hold whole old ones. */
static void
rebin(replay_tally *tally, limen_time start, limen_duration width)
{
	replay_bin old[REPLAY_BINS];

	memcpy(old, tally->bins, sizeof(old));
	memset(tally->bins, 0, sizeof(old));
	for (limen_time i = 0; i < REPLAY_BINS; i++) {
		limen_time time = tally->bins_start + i * tally->bin_width;
		replay_bin *bin = &tally->bins[old[i].requests == 0 ? 0 : (time - start) / width];

		bin->requests += old[i].requests;
		bin->refused[WAS] += old[i].refused[WAS];
		bin->refused[IS] += old[i].refused[IS];
	}
	tally->bins_start = start;
	tally->bin_width = width;
}

/* Returns the bin of that time; moves or widens the bins if it is outside. */
static replay_bin *
find_bin(replay_tally *tally, limen_time time)
{
	limen_time first = tally->decided == 0 ? time : MIN(time, tally->first);
	limen_time last = tally->decided == 0 ? time : MAX(time, tally->last);
	limen_duration width = MAX(tally->bin_width, BIN_FIRST);

	while ((last - align(first, width)) / width >= REPLAY_BINS)
		width *= 2;
	if (width != tally->bin_width || first < tally->bins_start)
		rebin(tally, align(first, width), width);
	return &tally->bins[(time - tally->bins_start) / width];
}

/* ---- records ---- */

static void
add_decided(replay_tally *tally, const replay_record *record, const replay_outcome outcomes[SIDES])
{
	unsigned differences = outcome_compare(outcomes, record->decisions);
	replay_bin *bin = find_bin(tally, record->time);
	size_t rules[SIDES];

	tally->first = tally->decided == 0 ? record->time : MIN(tally->first, record->time);
	tally->last = tally->decided == 0 ? record->time : MAX(tally->last, record->time);
	tally->decided++;
	tally->matrix[outcome_verdict(&outcomes[WAS])][outcome_verdict(&outcomes[IS])]++;
	bin->requests++;
	for (int side = 0; side < SIDES; side++) {
		rules[side] = find_rule(tally, &outcomes[side]);
		replay_rule_at(tally, rules[side])->counts[side]++;
		bin->refused[side] += !outcomes[side].admitted;
	}
	for (int i = 0; i < DIFFERENCES; i++)
		tally->differences[i] += (differences >> i) & 1;
	if (differences != 0) {
		replay_change *change = find_change(tally, rules[WAS], rules[IS]);

		tally->changed++;
		change->count++;
		if (change->examples->len < tally->example_max)
			add_example(tally, change->examples, record, outcomes);
	} else if (record->decisions[WAS] != NULL) {
		tally->moved += rules[WAS] != rules[IS];
	}
}

void
replay_tally_add(replay_tally *tally, const replay_record *record)
{
	replay_outcome outcomes[SIDES] = { record->recorded };
	replay_outcome *was = &outcomes[WAS];
	const replay_outcome *is = &outcomes[IS];

	tally->lines++;
	if (record->decisions[IS] == NULL) {
		tally->skips[record->skip]++;
		if (record->excerpt != NULL && tally->malformed->len < MALFORMED_MAX)
			g_ptr_array_add(tally->malformed,
			                g_strdup_printf("%s:%zu: %s: %s", tally->files[record->file],
			                                record->line, replay_skips[record->skip],
			                                record->excerpt));
		return;
	}
	for (int i = 0; i < LOSSES; i++)
		tally->losses[i] += (record->losses >> i) & 1;
	outcomes[IS] = outcome_of(record->decisions[IS]);
	if (record->decisions[WAS] != NULL)
		outcomes[WAS] = outcome_of(record->decisions[WAS]);
	else if (was->code == 0)
		/* The audit log may lack the code of admission: a refusal gets the new one, or 403. */
		was->code = was->admitted ? 200 : is->admitted || is->code == 500 ? 403 : is->code;
	add_decided(tally, record, outcomes);
}

/* ---- output ---- */

/* The most frequent changes come first, then those of the first rules. */
static gint
compare_changes(gconstpointer a, gconstpointer b)
{
	const replay_change *left = a;
	const replay_change *right = b;

	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	if (left->rules[WAS] != right->rules[WAS])
		return left->rules[WAS] < right->rules[WAS] ? -1 : 1;
	return left->rules[IS] < right->rules[IS] ? -1 : 1;
}

void
replay_tally_finish(replay_tally *tally)
{
	g_array_sort(tally->changes, compare_changes);
}
