/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_tally.c - counts the results of the lines, in memory that does not grow with their
 * number.
 */
#include <string.h>

#include "replay.h"
#include "replay_outcome.h"

/* Caps in one tally: policies have fewer rules, but reasons that name no rule are unlimited. */
#define RULES_MAX 2000
#define CHANGES_MAX 10000
/* Number of unreadable lines shown. */
#define MALFORMED_MAX 5
/* First width of a bin; it doubles when the bins are full. */
#define BIN_FIRST LIMEN_SECOND

const char *
replay_skip_text(int skip)
{
	static const char *const texts[SKIPS] = {
		[SKIP_MALFORMED] = "no JSON object",
		[SKIP_TOO_LONG] = "longer than 16 MiB",
		[SKIP_UNKNOWN] = "neither a decision, an audit event, a task nor a question",
		[SKIP_DOCUMENT] = "the log does not hold the task or object",
		[SKIP_PATCH] = "a patch, without the object that came of it",
		[SKIP_COLLECTION] = "the deletion of a collection, without its objects",
		[SKIP_READ] = "no request that admission decides",
		[SKIP_STAGE] = "another stage of a request",
		[SKIP_UNAUTHORIZED] = "refused before admission, by authorization",
		[SKIP_INVALID] = "the request makes no sense",
		[SKIP_VERDICT] = "no verdict is recorded",
	};

	return texts[skip];
}

const char *
replay_loss_text(int loss)
{
	static const char *const texts[LOSSES] = {
		[LOSS_TIME] = "the time",
		[LOSS_USER] = "the user",
		[LOSS_HASHED_USER] = "the user (a hash stands there)",
		[LOSS_REQUESTER] = "the hints",
		[LOSS_HASHED_REQUESTER] = "the address (a hash stands there)",
		[LOSS_HASHED_NAMESPACE] = "the namespace (a hash stands there)",
		[LOSS_HASHED_NAME] = "names (hashes stand there)",
		[LOSS_EVENT] = "what an event is about",
		[LOSS_OLD] = "the object before the operation",
		[LOSS_CUT] = "the end of long texts",
	};

	return texts[loss];
}

const char *
replay_verdict_text(int verdict)
{
	static const char *const texts[VERDICTS] = { "admitted", "refused", "error" };

	return texts[verdict];
}

const char *
replay_difference_text(int difference)
{
	static const char *const texts[DIFFERENCES] = { "verdict", "code", "result", "priority",
		                                        "warnings" };

	return texts[difference];
}

/* ---- making and freeing ---- */

static void
free_rule(gpointer data)
{
	replay_rule *one = data;

	g_free(one->text);
	g_free(one);
}

static void
free_example(gpointer data)
{
	replay_example *one = data;

	g_free(one->place);
	g_free(one->what);
	g_free(one->was);
	g_free(one->is);
	g_free(one);
}

static void
free_change(gpointer data)
{
	replay_change *one = data;

	g_ptr_array_unref(one->examples);
	g_free(one);
}

replay_tally *
replay_tally_new(char **files, size_t examples, bool against)
{
	replay_tally *tally = g_new0(replay_tally, 1);

	tally->files = files;
	tally->example_max = examples;
	tally->against = against;
	tally->rules = g_ptr_array_new_with_free_func(free_rule);
	tally->known_rules = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	tally->changes = g_ptr_array_new_with_free_func(free_change);
	tally->known_changes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	tally->malformed = g_ptr_array_new_with_free_func(g_free);
	return tally;
}

void
replay_tally_free(replay_tally *tally)
{
	g_hash_table_destroy(tally->known_rules);
	g_hash_table_destroy(tally->known_changes);
	g_ptr_array_unref(tally->rules);
	g_ptr_array_unref(tally->changes);
	g_ptr_array_unref(tally->malformed);
	g_free(tally);
}

/* ---- rules ---- */

static replay_rule *
rule_at(const replay_tally *tally, size_t index)
{
	return g_ptr_array_index(tally->rules, index);
}

static size_t
add_rule(replay_tally *tally, const char *key, int verdict, int code, const char *text)
{
	replay_rule *one = g_new0(replay_rule, 1);

	*one = (replay_rule){ .verdict = verdict, .code = code, .text = g_strdup(text) };
	g_ptr_array_add(tally->rules, one);
	g_hash_table_insert(tally->known_rules, g_strdup(key),
	                    GUINT_TO_POINTER(tally->rules->len));
	return tally->rules->len - 1;
}

/* Returns the rule that collects rules of that verdict beyond RULES_MAX. */
static size_t
find_others(replay_tally *tally, int verdict)
{
	char key[16];
	gpointer known;

	g_snprintf(key, sizeof(key), "%d000(others)", verdict);
	known = g_hash_table_lookup(tally->known_rules, key);
	return known == NULL ? add_rule(tally, key, verdict, 0, "(others)")
	                     : GPOINTER_TO_UINT(known) - 1;
}

/* Returns the index of the rule that decided. */
static size_t
find_rule(replay_tally *tally, const replay_outcome *what)
{
	char key[OUTCOME_RULE_MAX + 16];
	int verdict = outcome_verdict(what);
	const size_t prefix = 4;
	gpointer known;

	/* Written by hand for speed, because this runs for every line; codes are below 1000. */
	key[0] = (char)('0' + verdict);
	key[1] = (char)('0' + what->code / 100 % 10);
	key[2] = (char)('0' + what->code / 10 % 10);
	key[3] = (char)('0' + what->code % 10);
	outcome_rule(what, key + prefix);
	known = g_hash_table_lookup(tally->known_rules, key);
	if (known == NULL && tally->rules->len >= RULES_MAX)
		return find_others(tally, verdict);
	if (known == NULL)
		return add_rule(tally, key, verdict, what->code, key + prefix);
	return GPOINTER_TO_UINT(known) - 1;
}

/* ---- changes ---- */

static replay_change *
find_change(replay_tally *tally, size_t was, size_t is)
{
	char key[48];
	replay_change *one;

	g_snprintf(key, sizeof(key), "%zu %zu", was, is);
	one = g_hash_table_lookup(tally->known_changes, key);
	if (one == NULL && tally->changes->len >= CHANGES_MAX) {
		was = find_others(tally, rule_at(tally, was)->verdict);
		is = find_others(tally, rule_at(tally, is)->verdict);
		g_snprintf(key, sizeof(key), "%zu %zu", was, is);
		one = g_hash_table_lookup(tally->known_changes, key);
	}
	if (one != NULL)
		return one;
	one = g_new0(replay_change, 1);
	*one = (replay_change){ .was = was, .is = is,
		                .examples = g_ptr_array_new_with_free_func(free_example) };
	g_ptr_array_add(tally->changes, one);
	g_hash_table_insert(tally->known_changes, g_strdup(key), one);
	return one;
}

static char *
place_of(const replay_tally *tally, const replay_record *record)
{
	return g_strdup_printf("%s:%zu", tally->files[record->file], record->line);
}

static void
add_change(replay_tally *tally, const replay_record *record, const replay_outcome *was,
           const replay_outcome *is, size_t was_rule, size_t is_rule)
{
	replay_change *change = find_change(tally, was_rule, is_rule);
	replay_example *one;

	change->count++;
	if (change->examples->len >= tally->example_max)
		return;
	one = g_new0(replay_example, 1);
	*one = (replay_example){ .place = place_of(tally, record),
		                 .time = record->time,
		                 .what = outcome_describe(record->request),
		                 .was = outcome_account(was, record->decisions[0]),
		                 .is = outcome_account(is, record->decisions[1]) };
	g_ptr_array_add(change->examples, one);
}

/* ---- time ---- */

/* Doubles the width of the bins and merges their counts in pairs. */
static void
widen(replay_tally *tally)
{
	for (size_t i = 0; i < REPLAY_BINS; i++) {
		replay_bin sum = { 0 };

		for (size_t k = 2 * i; k < 2 * i + 2 && k < REPLAY_BINS; k++) {
			sum.requests += tally->bins[k].requests;
			sum.was_refused += tally->bins[k].was_refused;
			sum.is_refused += tally->bins[k].is_refused;
			sum.changed += tally->bins[k].changed;
		}
		tally->bins[i] = sum;
	}
	tally->bin_width *= 2;
}

/* Moves the bins by whole widths so that they begin at 'start' or before. */
static void
move_back(replay_tally *tally, limen_time start)
{
	while (start < tally->bins_start) {
		__int128 missing = (__int128)tally->bins_start - start;
		__int128 wanted = (missing + tally->bin_width - 1) / tally->bin_width;
		size_t used = REPLAY_BINS;
		size_t shift;

		while (used > 0 && tally->bins[used - 1].requests == 0)
			used--;
		if (wanted > (__int128)(REPLAY_BINS - used)) {
			widen(tally);
			continue;
		}
		shift = (size_t)wanted;
		memmove(&tally->bins[shift], tally->bins,
		        (REPLAY_BINS - shift) * sizeof(replay_bin));
		memset(tally->bins, 0, shift * sizeof(replay_bin));
		tally->bins_start -= (limen_time)shift * tally->bin_width;
	}
}

/* Returns the bin of that time; moves or widens the bins if it is outside. */
static replay_bin *
find_bin(replay_tally *tally, limen_time time)
{
	if (tally->bin_width == 0) {
		tally->bin_width = BIN_FIRST;
		tally->bins_start = time - time % BIN_FIRST;
		if (tally->bins_start > time)
			tally->bins_start -= BIN_FIRST;
	}
	move_back(tally, time);
	while (((__int128)time - tally->bins_start) / tally->bin_width >= REPLAY_BINS)
		widen(tally);
	return &tally->bins[(time - tally->bins_start) / tally->bin_width];
}

/* ---- records ---- */

static void
add_skipped(replay_tally *tally, const replay_record *record)
{
	char *place;

	tally->skips[record->skip]++;
	if (record->excerpt == NULL || tally->malformed->len >= MALFORMED_MAX)
		return;
	place = place_of(tally, record);
	g_ptr_array_add(tally->malformed,
	                g_strdup_printf("%s: %s: %s", place, replay_skip_text((int)record->skip),
	                                record->excerpt));
	g_free(place);
}

static void
add_decided(replay_tally *tally, const replay_record *record, const replay_outcome *was,
            const replay_outcome *is)
{
	unsigned differences = outcome_compare(was, is, record->decisions[0],
	                                       record->decisions[1]);
	size_t was_rule = find_rule(tally, was);
	size_t is_rule = find_rule(tally, is);
	replay_bin *bin = find_bin(tally, record->time);

	tally->first = tally->decided == 0 ? record->time : MIN(tally->first, record->time);
	tally->last = tally->decided == 0 ? record->time : MAX(tally->last, record->time);
	tally->decided++;
	tally->matrix[outcome_verdict(was)][outcome_verdict(is)]++;
	rule_at(tally, was_rule)->was++;
	rule_at(tally, is_rule)->is++;
	bin->requests++;
	bin->was_refused += !was->admitted;
	bin->is_refused += !is->admitted;
	bin->changed += differences != 0;
	for (int i = 0; i < DIFFERENCES; i++)
		tally->differences[i] += (differences >> i) & 1;
	if (differences == 0) {
		tally->moved += was_rule != is_rule && record->decisions[0] != NULL;
		return;
	}
	tally->changed++;
	add_change(tally, record, was, is, was_rule, is_rule);
}

void
replay_tally_add(replay_tally *tally, const replay_record *record)
{
	replay_outcome was = record->recorded;
	replay_outcome is;

	tally->lines++;
	if (record->decisions[1] == NULL) {
		add_skipped(tally, record);
		return;
	}
	for (int i = 0; i < LOSSES; i++)
		tally->losses[i] += (record->losses >> i) & 1;
	outcome_of(record->decisions[1], &is);
	if (record->decisions[0] != NULL)
		outcome_of(record->decisions[0], &was);
	else if (was.code == 0)
		/* The audit log may lack the code of admission: a refusal gets the new one, or 403. */
		was.code = was.admitted ? 200 : is.admitted || is.code == 500 ? 403 : is.code;
	add_decided(tally, record, &was, &is);
}

/* ---- output ---- */

static gint
compare_changes(gconstpointer a, gconstpointer b)
{
	const replay_change *left = *(const replay_change *const *)a;
	const replay_change *right = *(const replay_change *const *)b;

	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	if (left->was != right->was)
		return left->was < right->was ? -1 : 1;
	return left->is < right->is ? -1 : left->is > right->is;
}

void
replay_tally_finish(replay_tally *tally)
{
	g_ptr_array_sort(tally->changes, compare_changes);
}
