/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-sqlite.c - runs the module through the real engine, one case a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <limen/testkit.h>
#include <sqlite3.h>

static limen_kit *kit;
static int cases, failed;

static void
expect(bool good, const char *title)
{
	cases++;
	failed += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", cases, title);
	if (!good)
		printf("# the module said: %s\n# limen said: %s\n", limen_kit_reason(kit),
		       limen_kit_problems(kit));
}

static bool
opens(const char *file)
{
	char options[200];

	snprintf(options, sizeof options, "{\"file\": \"%s\", \"timeout\": \"PT0.02S\"}", file);
	return limen_kit_open(kit, LIMEN_KIND_STORE, "sqlite", options) == LIMEN_OK;
}

static limen_verdict
asks(const char *user)
{
	char hints[50];

	snprintf(hints, sizeof hints, "{\"user\": \"%s\"}", user);
	return limen_kit_run(kit, NULL, hints);
}

/* Forgets everything but the file. */
static bool
restarts(const char *file)
{
	limen_kit_free(kit);
	kit = limen_kit_new(NULL);
	return kit != NULL && opens(file);
}

/* The decision while another process writes. */
static void
test_lock(const char *file)
{
	sqlite3 *other = NULL;

	expect(sqlite3_open(file, &other) == SQLITE_OK &&
	               sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK,
	       "another process locks the database");
	expect(asks("eve") == LIMEN_ERROR, "then the store cannot tell");
	expect(strstr(limen_kit_reason(kit), "database is locked") != NULL, "and says why");
	sqlite3_close(other);
	expect(asks("eve") == LIMEN_PASS && asks("eve") == LIMEN_PASS &&
	               asks("eve") == LIMEN_FAIL,
	       "after that it has lost nothing");
}

int
main(void)
{
	char directory[] = "/tmp/sqlite-store-XXXXXX";
	char file[sizeof directory + 10], more[sizeof file + 10];

	if (mkdtemp(directory) == NULL)
		return 2;
	snprintf(file, sizeof file, "%s/db", directory);
	expect(restarts(file), "valid options open");
	expect(asks("ann") == LIMEN_PASS && asks("ann") == LIMEN_PASS, "ann has two tokens");
	expect(asks("ann") == LIMEN_FAIL, "and no third");
	expect(asks("bob") == LIMEN_PASS, "bob has a bucket of his own");
	expect(restarts(file), "the store is closed and opened again");
	expect(asks("ann") == LIMEN_FAIL, "and remembers that ann's are gone");
	expect(asks("bob") == LIMEN_PASS && asks("bob") == LIMEN_FAIL, "and one of bob's");
	limen_kit_advance(kit, 60 * LIMEN_SECOND);
	expect(asks("ann") == LIMEN_PASS && asks("ann") == LIMEN_FAIL, "a minute later one is back");
	limen_kit_advance(kit, 3600 * LIMEN_SECOND);
	expect(asks("ann") == LIMEN_PASS && asks("ann") == LIMEN_PASS && asks("ann") == LIMEN_FAIL,
	       "an hour later the bucket is full and not fuller");
	test_lock(file);
	snprintf(more, sizeof more, "%s/no/db", directory);
	expect(!opens(more), "without a directory it does not open");
	expect(strstr(limen_kit_problems(kit), "unable to open database file") != NULL,
	       "and says why");
	limen_kit_free(kit);
	for (int i = 0; i < 3; i++) {
		snprintf(more, sizeof more, "%s%s", file, (const char *[]){ "", "-wal", "-shm" }[i]);
		unlink(more);
	}
	rmdir(directory);
	printf("1..%d\n", cases);
	return failed == 0 ? 0 : 1;
}
