/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_redis_endless.c - servers that begin an answer and never end it: it is given up
 * before much of it was read, and the connection with it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugin.h"
#include "redis_liar.h"
#include "suite.h"

#define TAKEN "*5\r\n:1\r\n:0\r\n:1\r\n:0\r\n:0\r\n"
#define LEASED "*7\r\n:0\r\n:1\r\n:0\r\n:1\r\n:0\r\n:0\r\n:9000000\r\n"
#define NO_NAMES "*2\r\n$1\r\n0\r\n*0\r\n"

/* None of them is ended by the time, but the last, which is ended by nothing else. */
#define PATIENT "\"timeout\":\"PT60S\",\"connect-timeout\":\"PT60S\""
#define HASTY "\"timeout\":\"PT0.2S\",\"connect-timeout\":\"PT0.5S\""

enum { NUMBERS = 60000, NAMES = 16, NAME = 1000, KINDS = 5, SWIFT = 1 };

static char numbers[NUMBERS * 4 + 16];
static char names[NAMES * (NAME + 16) + 1];
static char letters[16385];

/* hiredis searches all of a line for its end whenever more of it comes: seconds of work. */
static const liar_flood floods[KINDS] = {
	{ "a line", "+", letters, 0 },
	{ "arrays in arrays", "*60000\r\n*60000\r\n*60000\r\n", numbers, 0 },
	{ "names", "*2\r\n$1\r\n0\r\n*60000\r\n", names, 0 },
	{ "one text", "$536870912\r\n", letters, 0 },
	{ "a letter after another", "$536870912\r\n", "x", 1000 },
};

/* Arrays are full as they should be, so that nothing but their number is wrong. */
static void
write_floods(void)
{
	char *at = numbers;

	for (int i = 0; i < NUMBERS; i++)
		at = stpcpy(at, ":1\r\n");
	stpcpy(at, "*60000\r\n");
	memset(letters, 'x', sizeof(letters) - 1);
	at = names;
	for (int i = 0; i < NAMES; i++)
		at += snprintf(at, NAME + 16, "$%d\r\n%.*s\r\n", NAME, NAME, letters);
}

static limen_engine *
open_engine(const liar *at, const char *mode, limen_engine *(*how)(const char *, limen_diag *))
{
	limen_engine *engine;
	char options[320];

	snprintf(options, sizeof(options),
	         "\"path\":\"%s\",\"mode\":\"%s\",\"on-error\":\"deny\",\"connections\":1,%s",
	         at->path, mode, at->flood.pause > 0 ? HASTY : PATIENT);
	engine = how(options, NULL);
	CU_ASSERT_FATAL(engine != NULL);
	return engine;
}

static void
start(liar *self, const char *answer, size_t flood_at, const liar_flood *what)
{
	liar_start(self, answer);
	self->flood_at = flood_at;
	self->flood = *what;
	atomic_store(&self->flooding, true);
	liar_run(self);
}

static void
check_sober(liar *self, const char *when)
{
	plugin_assert(atomic_load(&self->drunk) == 0, __FILE__, __LINE__, "%s, %s: all was read",
	              when, self->flood.name);
}

/* Nobody is admitted by such an answer, and everybody is again when it is over. */
static void
check_flood(const char *mode, const char *answer, size_t flood_at, const liar_flood *what)
{
	limen_engine *engine;
	liar self;
	int admitted = 0;
	int code = 0;

	start(&self, answer, flood_at, what);
	engine = open_engine(&self, mode, liar_engine);
	for (int i = 0; i < 6000 && atomic_load(&self.floods) < 2; i++) {
		admitted += liar_decide(engine, "a") == 200;
		usleep(10000);
	}
	CU_ASSERT_EQUAL(admitted, 0);
	plugin_assert(atomic_load(&self.floods) >= 2, __FILE__, __LINE__, "%s, %s: %d connections",
	              mode, what->name, atomic_load(&self.floods));
	atomic_store(&self.flooding, false);
	for (int i = 0; i < 6000 && code != 200; i++) {
		code = liar_decide(engine, "a");
		usleep(10000);
	}
	plugin_assert(code == 200, __FILE__, __LINE__, "%s, %s: %d", mode, what->name, code);
	check_sober(&self, mode);
	limen_engine_free(engine);
	liar_stop(&self);
}

static void
test_greeting(void)
{
	for (size_t i = SWIFT; i < KINDS; i++)
		check_flood("strict", TAKEN, i % LIAR_GREETINGS, &floods[i]);
}

static void
test_take(void)
{
	for (size_t i = 0; i < KINDS; i++)
		check_flood("strict", TAKEN, LIAR_GREETINGS, &floods[i]);
}

static void
test_lease(void)
{
	for (size_t i = SWIFT; i < KINDS; i++)
		check_flood("lease", LEASED, LIAR_GREETINGS, &floods[i]);
}

static void
ignore(void *data, const limen_bucket *bucket)
{
	(void)data;
	(void)bucket;
}

static int
list(limen_engine *engine)
{
	limen_diag *diag = limen_diag_new();
	int result = limen_engine_each_bucket(engine, "default", 10, 60 * LIMEN_SECOND, ignore,
	                                      NULL, diag);

	CU_ASSERT_EQUAL(limen_diag_get(diag, 0) == NULL, result == LIMEN_OK);
	limen_diag_free(diag);
	return result;
}

/* The store's own connection asks nothing meanwhile. */
static void
test_list(void)
{
	for (size_t i = SWIFT; i < KINDS; i++) {
		limen_engine *engine;
		liar self;

		start(&self, NO_NAMES, LIAR_GREETINGS, &floods[i]);
		engine = open_engine(&self, "strict", liar_engine);
		CU_ASSERT_NOT_EQUAL(list(engine), LIMEN_OK);
		CU_ASSERT_EQUAL(atomic_load(&self.floods), 1);
		atomic_store(&self.flooding, false);
		CU_ASSERT_EQUAL(list(engine), LIMEN_OK);
		check_sober(&self, "list");
		limen_engine_free(engine);
		liar_stop(&self);
	}
}

/* What is leased is given back at the end, which has an answer, too. */
static void
test_leave(void)
{
	for (size_t i = SWIFT; i < KINDS; i++) {
		limen_engine *engine;
		liar self;

		start(&self, LEASED, LIAR_GREETINGS, &floods[i]);
		atomic_store(&self.flooding, false);
		engine = open_engine(&self, "lease", liar_engine);
		liar_decide(engine, "a");
		for (int n = 0; n < 6000 && atomic_load(&self.asked) == 0; n++)
			usleep(10000);
		atomic_store(&self.flooding, true);
		limen_engine_free(engine);
		CU_ASSERT_EQUAL(atomic_load(&self.floods), 1);
		check_sober(&self, "leave");
		liar_stop(&self);
	}
}

/* An engine that ends does not wait for the end of an answer that always goes on. */
static void
test_stop(void)
{
	liar_flood slow = floods[KINDS - 1];
	limen_engine *engine;
	char options[256];
	liar self;
	time_t begin;

	start(&self, TAKEN, 0, &slow);
	snprintf(options, sizeof(options), "\"path\":\"%s\",\"connect-timeout\":\"PT60S\"",
	         self.path);
	engine = liar_load(options, NULL);
	CU_ASSERT_FATAL(engine != NULL);
	for (int i = 0; i < 6000 && atomic_load(&self.floods) == 0; i++)
		usleep(10000);
	begin = time(NULL);
	limen_engine_free(engine);
	CU_ASSERT(time(NULL) - begin < 30);
	liar_stop(&self);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a greeting whose answer never ends", test_greeting },
		{ "a take whose answer never ends", test_take },
		{ "a lease whose answer never ends", test_lease },
		{ "a list whose answer never ends", test_list },
		{ "a farewell whose answer never ends", test_leave },
		{ "an end during an answer that never does", test_stop },
		{ NULL, NULL },
	};

	write_floods();
	return suite_run("redis, without end", tests);
}
