/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sqlite.c - a store: keeps the buckets of rate limits in an SQLite database, so that they
 * survive a restart.  A bucket without a row is full.
 */
#include <stdlib.h>

#include <limen-sdk/bucket.h>
#include <limen/module.h>
#include <sqlite3.h>

struct store {
	const char *file;
	limen_duration timeout;
	limen_host *host;
	sqlite3 *db;
};

/* With the rate in its name, a table of another rate has other buckets. */
struct table {
	limen_rate rate;
	char *name;
};

static const limen_option sqlite_options[] = {
	LIMEN_OPT_STRING(struct store, file, .key = "file", .required = true,
	                 .help = "The database, which is created if need be"),
	LIMEN_OPT_DURATION(struct store, timeout, .key = "timeout", .fallback = "PT1S",
	                   .minimum = 1, .maximum = 60 * LIMEN_SECOND,
	                   .help = "How long to wait for other processes that lock the database"),
	LIMEN_OPT_END
};

static bool
run(const struct store *store, const char *sql)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static int
sqlite_open(void *self, limen_opening *opening, limen_diag *diag)
{
	struct store *store = self;

	store->host = limen_opening_host(opening);
	store->file = limen_opening_path(opening, store->file);
	if (store->file != NULL && sqlite3_open(store->file, &store->db) == SQLITE_OK &&
	    sqlite3_busy_timeout(store->db, (int)(store->timeout / 1000)) == SQLITE_OK &&
	    run(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
	               "CREATE TABLE IF NOT EXISTS bucket (name TEXT, key BLOB, time INTEGER,"
	               " tokens INTEGER, part INTEGER, full INTEGER, PRIMARY KEY (name, key))"
	               " WITHOUT ROWID;"
	               "CREATE INDEX IF NOT EXISTS bucket_full ON bucket (full)"))
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, "file"),
	               "cannot open '%s': %s", store->file, sqlite3_errmsg(store->db));
	sqlite3_close(store->db);
	return LIMEN_EIO;
}

static void
sqlite_close(void *self)
{
	sqlite3_close(((struct store *)self)->db);
}

static int
sqlite_open_table(void *self, limen_opening *opening, const char *name,
                  const limen_table_spec *spec, void **out, limen_diag *diag)
{
	struct table *table = malloc(sizeof *table);

	(void)self;
	if (table != NULL) {
		table->rate = limen_rate_of(spec);
		table->name = sqlite3_mprintf("%s %llu/%llu/%lld %s", name, table->rate.tokens,
		                              table->rate.period, table->rate.burst,
		                              spec->keys != NULL ? spec->keys : "");
		*out = table;
		if (table->name != NULL)
			return LIMEN_OK;
	}
	free(table);
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_data(opening), "out of memory");
	return LIMEN_ENOMEM;
}

static void
sqlite_close_table(void *self, void *table)
{
	(void)self;
	sqlite3_free(((struct table *)table)->name);
	free(table);
}

/* ---- buckets ---- */

/* Makes a statement whose first parameters are the bucket of 'take'; NULL on failure. */
static sqlite3_stmt *
prepare(const struct store *store, const char *sql, const limen_store_take *take)
{
	const struct table *table = take->table;
	sqlite3_stmt *made = NULL;

	sqlite3_prepare_v2(store->db, sql, -1, &made, NULL);
	sqlite3_bind_text(made, 1, table->name, -1, SQLITE_STATIC);
	sqlite3_bind_blob(made, 2, take->key, (int)take->key_length, SQLITE_STATIC);
	return made;
}

static bool
load(const struct store *store, const limen_store_take *take, limen_time now, limen_level *level)
{
	const struct table *table = take->table;
	sqlite3_stmt *query = prepare(
		store, "SELECT time, tokens, part FROM bucket WHERE name = ?1 AND key = ?2", take);
	int result = sqlite3_step(query);

	*level = limen_level_full(&table->rate, now);
	if (result == SQLITE_ROW) {
		level->time = sqlite3_column_int64(query, 0);
		level->tokens = sqlite3_column_int64(query, 1);
		level->part = (uint64_t)sqlite3_column_int64(query, 2);
	}
	sqlite3_finalize(query);
	return result == SQLITE_ROW || result == SQLITE_DONE;
}

/* Writes the level and when the bucket will be full, from when on its row may go. */
static bool
save(const struct store *store, const limen_store_take *take, const limen_level *level)
{
	const struct table *table = take->table;
	sqlite3_stmt *query = prepare(
		store, "INSERT OR REPLACE INTO bucket VALUES (?1, ?2, ?3, ?4, ?5, ?6)", take);
	int64_t full = level->time;

	if (level->tokens < table->rate.burst &&
	    __builtin_add_overflow(
		    full, limen_level_wait(level, &table->rate, table->rate.burst, full), &full))
		full = INT64_MAX;
	sqlite3_bind_int64(query, 3, level->time);
	sqlite3_bind_int64(query, 4, level->tokens);
	sqlite3_bind_int64(query, 5, (int64_t)level->part);
	sqlite3_bind_int64(query, 6, full);
	sqlite3_step(query);
	return sqlite3_finalize(query) == SQLITE_OK;
}

/* Locks the database, until 'deadline' at most, and drops rows of full buckets. */
static bool
begin(const struct store *store, limen_time now, limen_deadline deadline)
{
	int64_t left = (deadline - limen_host_monotonic()) / 1000000;
	int64_t most = store->timeout / 1000;
	char *drop = sqlite3_mprintf("DELETE FROM bucket WHERE full <= %lld", now);
	bool good;

	sqlite3_busy_timeout(store->db, (int)(left < most ? left : most));
	good = drop != NULL && run(store, "BEGIN IMMEDIATE") && run(store, drop);
	sqlite3_free(drop);
	return good;
}

static bool
take_one(const struct store *store, limen_store_take *take, limen_time now)
{
	const struct table *table = take->table;
	limen_level level;

	if (!load(store, take, now, &level))
		return false;
	take->granted = limen_level_take(&level, &table->rate, take->amount, now, &take->wait);
	return !take->granted || save(store, take, &level);
}

/* ---- methods: the core calls one at a time, see the flags below ---- */

static limen_verdict
sqlite_take(void *self, limen_store_take *takes, size_t count, unsigned flags, limen_time now,
            limen_deadline deadline, limen_reply *reply)
{
	struct store *store = self;
	bool good = begin(store, now, deadline);
	bool all = true, none;

	for (size_t i = 0; good && i < count; i++) {
		good = take_one(store, &takes[i], now);
		all = all && takes[i].granted;
	}
	none = !all && (flags & LIMEN_TAKE_ALL);
	good = good && run(store, none || (flags & LIMEN_TAKE_PEEK) ? "ROLLBACK" : "COMMIT");
	if (!good) {
		limen_reply_reason(reply, "%s: %s", store->file, sqlite3_errmsg(store->db));
		run(store, "ROLLBACK");
	}
	for (size_t i = 0; i < count && (none || !good); i++) {
		if (takes[i].granted)
			takes[i].wait = 0;
		takes[i].granted = false;
	}
	return !good ? LIMEN_ERROR : all ? LIMEN_PASS : LIMEN_FAIL;
}

static void
sqlite_give_back(void *self, const limen_store_take *takes, size_t count, limen_time now)
{
	struct store *store = self;
	bool good = begin(store, now, INT64_MAX);

	for (size_t i = 0; good && i < count; i++) {
		const struct table *table = takes[i].table;
		limen_level level;

		good = load(store, &takes[i], now, &level);
		limen_level_give(&level, &table->rate, takes[i].amount);
		good = good && save(store, &takes[i], &level);
	}
	if (good && run(store, "COMMIT"))
		return;
	limen_host_log(store->host, LIMEN_LOG_WARNING, "tokens were not given back: %s",
	               sqlite3_errmsg(store->db));
	run(store, "ROLLBACK");
}

LIMEN_STORE("sqlite",
	.version = "1.0",
	.summary = "Keeps buckets in an SQLite database",
	.flags = LIMEN_MODULE_SERIALIZE | LIMEN_MODULE_BLOCKING,
	.options = sqlite_options,
	.instance_size = sizeof(struct store),
	.open = sqlite_open,
	.close = sqlite_close,
	.open_table = sqlite_open_table,
	.close_table = sqlite_close_table,
	.take = sqlite_take,
	.give_back = sqlite_give_back);
