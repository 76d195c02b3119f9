/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs, as "limen replay" reads them: every line that is not blank is decided or counted
 * with the reason why not, in any order and in that of time; and what was counted of the
 * decisions adds up.
 */
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_engine.h"
#include "replay/replay.h"

const fuzz_target fuzz_this = { "replay", "docs/examples/replay", 1000 };

static size_t
count_lines(const uint8_t *data, size_t size)
{
	size_t count = 0;
	bool blank = true;

	for (size_t i = 0; i < size; i++) {
		if (data[i] == '\n') {
			count += !blank;
			blank = true;
		} else if (!g_ascii_isspace((char)data[i])) {
			blank = false;
		}
	}
	return count + !blank;
}

static size_t
sum(const size_t *counts, size_t length)
{
	size_t total = 0;

	for (size_t i = 0; i < length; i++)
		total += counts[i];
	return total;
}

static void
check_rules(const replay_tally *tally)
{
	size_t counts[SIDES] = { 0 };

	for (guint i = 0; i < tally->rules->len; i++) {
		const replay_rule *rule = replay_rule_at(tally, i);

		FUZZ_CHECK(g_utf8_validate(rule->text, -1, NULL));
		for (int side = 0; side < SIDES; side++)
			counts[side] += rule->counts[side];
	}
	for (int side = 0; side < SIDES; side++)
		FUZZ_CHECK(counts[side] == tally->decided);
}

static void
check_changes(const replay_tally *tally)
{
	size_t changed = 0;

	for (guint i = 0; i < tally->changes->len; i++) {
		const replay_change *change = &g_array_index(tally->changes, replay_change, i);

		for (int side = 0; side < SIDES; side++)
			FUZZ_CHECK(change->rules[side] < tally->rules->len);
		FUZZ_CHECK(change->count >= change->examples->len &&
		           change->examples->len <= tally->example_max);
		changed += change->count;
	}
	FUZZ_CHECK(changed == tally->changed);
}

static void
check_bins(const replay_tally *tally)
{
	size_t requests = 0;

	for (size_t i = 0; i < REPLAY_BINS; i++)
		requests += tally->bins[i].requests;
	FUZZ_CHECK(requests == tally->decided);
	FUZZ_CHECK(tally->decided == 0 || tally->first <= tally->last);
}

static replay_tally *
replay(const char *path, bool against, bool ordered, size_t lines)
{
	char *files[] = { (char *)(uintptr_t)path, NULL };
	limen_engine *engine = fuzz_engine();
	const replay_settings settings = { .files = files,
		                           .engines = { against ? engine : NULL, engine },
		                           .ordered = ordered };
	replay_tally *tally = replay_tally_new(files, 2);

	FUZZ_CHECK(replay_run(&settings, tally));
	FUZZ_CHECK(tally->lines == lines);
	FUZZ_CHECK(tally->decided + sum(tally->skips, SKIPS) == lines);
	FUZZ_CHECK(sum(&tally->matrix[0][0], VERDICTS * VERDICTS) == tally->decided);
	FUZZ_CHECK(tally->changed <= tally->decided);
	check_rules(tally);
	check_changes(tally);
	check_bins(tally);
	return tally;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	char path[64];
	size_t lines = count_lines(data, size);
	replay_tally *any, *ordered;

	if (fd == -1)
		fd = memfd_create("log", MFD_CLOEXEC);
	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	g_snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	any = replay(path, false, false, lines);
	ordered = replay(path, false, true, lines);
	/* What is decided is the same; how, depends on buckets. */
	FUZZ_CHECK(any->decided == ordered->decided);
	FUZZ_CHECK(memcmp(any->skips, ordered->skips, sizeof(any->skips)) == 0);
	FUZZ_CHECK(memcmp(any->losses, ordered->losses, sizeof(any->losses)) == 0);
	replay_tally_free(any);
	replay_tally_free(ordered);
	replay_tally_free(replay(path, true, true, lines));
	return 0;
}
