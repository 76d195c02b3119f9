/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_redis_hostile.c - servers that lie, stutter and hang up; options; and that
 * many decisions leave nothing behind.
 */
#include <dirent.h>
#include <limen/limen.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin.h"
#include "redis_liar.h"
#include "redis_server.h"
#include "short_memory.h"
#include "suite.h"

/* Lies in answer to a question never admit. */
static void
check_lie(const char *mode, const char *answer)
{
	char options[256];
	limen_engine *engine;
	liar self;
	int admitted = 0;

	liar_start(&self, answer);
	liar_run(&self);
	snprintf(options, sizeof(options),
	         "\"path\":\"%s\",\"mode\":\"%s\",\"on-error\":\"deny\",\"timeout\":\"PT0.2S\","
	         "\"connections\":1", self.path, mode);
	engine = liar_engine(options, NULL);
	CU_ASSERT_FATAL(engine != NULL);
	for (int i = 0; i < 2000 && atomic_load(&self.asked) < 2; i++) {
		admitted += liar_decide(engine, "a") == 200;
		usleep(1000);
	}
	plugin_assert(atomic_load(&self.asked) > 0, __FILE__, __LINE__, "%s was never asked: %s",
	              mode, answer);
	plugin_assert(admitted == 0, __FILE__, __LINE__, "%s: admitted %d for %s", mode, admitted,
	              answer);
	limen_engine_free(engine);
	liar_stop(&self);
}

static void
test_lies(void)
{
	static const char *const lies[] = {
		"+OK\r\n", "-ERR no\r\n", "-OOM command not allowed\r\n", "$-1\r\n", "*-1\r\n",
		"*0\r\n", "*1\r\n:1\r\n", "*5\r\n:2\r\n:0\r\n:9\r\n:0\r\n:0\r\n",
		"*5\r\n:-1\r\n:0\r\n:9\r\n:0\r\n:0\r\n", "*5\r\n:1\r\n:0\r\n:-2\r\n:0\r\n:0\r\n",
		"*5\r\n:1\r\n:0\r\n:9\r\n:9223372036854775807\r\n:0\r\n", "*2\r\n:1\r\n:0\r\n",
		"*5\r\n$1\r\n1\r\n$1\r\n0\r\n:9\r\n:0\r\n:0\r\n", "*7\r\n:1\r\n:0\r\n:0\r\n:9\r\n:0\r\n:9\r\n:0\r\n:9\r\n",
		"*7\r\n:0\r\n:99999999\r\n:0\r\n:9\r\n:0\r\n:0\r\n:9\r\n", "*7\r\n:7\r\n:1\r\n:0\r\n:9\r\n:0\r\n:0\r\n:9\r\n",
		"*7\r\n:0\r\n:-1\r\n:0\r\n:9\r\n:0\r\n:0\r\n:9\r\n", "*7\r\n:0\r\n:1\r\n:-2\r\n:9\r\n:0\r\n:0\r\n:9\r\n",
		"*7\r\n:0\r\n:1\r\n:0\r\n:-2\r\n:0\r\n:0\r\n:9\r\n", "*3\r\n:0\r\n:1\r\n:0\r\n",
		"*7\r\n:0\r\n:9223372036854775807\r\n:0\r\n:9\r\n:0\r\n:0\r\n:9\r\n", "*200000000\r\n",
		"*-5\r\n", "$9999999999999\r\n", "garbage\r\n", "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n"
		"*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", ":1\r\n", "*2\r\n:1", NULL,
	};

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		check_lie("strict", lies[i]);
		check_lie("lease", lies[i]);
	}
}

/* What is said in greeting is believed no more. */
static void
test_greetings(void)
{
	static const char *const lies[] = {
		"-LOADING Redis is loading the dataset in memory\r\n", "$3\r\nabc\r\n", "+OK\r\n", "*1\r\n:1\r\n",
		"$8\r\nrun_id:\r\n\r\n", NULL,
	};

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		for (size_t which = 0; which < LIAR_GREETINGS; which++) {
			char options[256];
			limen_engine *engine;
			liar self;

			liar_start(&self, "*5\r\n:1\r\n:0\r\n:9\r\n:0\r\n:0\r\n");
			self.greeting[which] = lies[i];
			liar_run(&self);
			snprintf(options, sizeof(options),
			         "\"path\":\"%s\",\"mode\":\"strict\",\"on-error\":\"deny\","
			         "\"connect-timeout\":\"PT0.5S\"", self.path);
			engine = liar_engine(options, NULL);
			CU_ASSERT_FATAL(engine != NULL);
			CU_ASSERT_EQUAL(liar_decide(engine, "a"), 500);
			limen_engine_free(engine);
			liar_stop(&self);
		}
	}
}

typedef struct refused {
	const char *options;
	const char *text;
} refused;

static bool
has_problem(const limen_diag *diag, const char *text)
{
	for (size_t i = 0; limen_diag_get(diag, i) != NULL; i++) {
		if (strstr(limen_diag_get(diag, i)->text, text) != NULL)
			return true;
	}
	return false;
}

static void
check_refused(const char *options, const char *text)
{
	limen_diag *diag = limen_diag_new();

	CU_ASSERT_PTR_NULL(liar_engine(options, diag));
	plugin_assert(has_problem(diag, text), __FILE__, __LINE__, "%s: no '%s'", options, text);
	CU_ASSERT_FALSE(has_problem(diag, "s3cret"));
	limen_diag_free(diag);
}

static void
test_options(void)
{
	static const refused cases[] = {
		{ "\"url\":\"redis://h\",\"ca-file\":\"x\"", "of no use without TLS" },
		{ "\"url\":\"rediss://h\",\"ca-file\":\"/etc/hostname\"", "of 'ca-file' cannot be used" },
		{ "\"url\":\"rediss://h\",\"key\":\"x\"", "'key' is of no use without 'certificate'" },
		{ "\"path\":\"/x\",\"tls\":true", "not for a Unix socket" },
		{ "\"url\":\"redis://a,b:1\"", "not one host: list Sentinels" },
		{ "\"sentinels\":[\"h:1\"]", "'sentinels' is of no use without 'master'" },
		{ "\"sentinels\":[\"h:1,i:2\"],\"master\":\"m\"", "not a list of HOST:PORT" },
		{ "\"sentinels\":[\"h:1\"],\"master\":\"m\",\"port\":1", "beside 'sentinels'" },
		{ "\"sentinel-password-file\":\"x\"", "file' is of no use without 'sentinels'" },
		{ "\"persistent\":true,\"after-failover\":\"empty\"", "'persistent' keeps all" },
		{ "\"url\":\"http://h\"", "not of the form" },
		{ "\"url\":\"redis://h:0\"", "not of the form" },
		{ "\"url\":\"redis://h:65536\"", "not of the form" },
		{ "\"url\":\"redis://h/65536\"", "not of the form" },
		{ "\"url\":\"redis://h/x\"", "not of the form" },
		{ "\"url\":\"redis://:s3cret@h/x\"", "not of the form" },
		{ "\"url\":\"redis://h\",\"port\":1", "'port' cannot be given beside 'url'" },
		{ "\"path\":\"/x\",\"host\":\"h\"", "'host' cannot be given beside 'path'" },
		{ "\"url\":[\"redis://:s3cret@h\"]", "(secret) is not of type 'string'" },
		{ "\"password\":[\"s3cret\"]", "(secret) is not of type 'string'" },
		{ "\"password\":\"s3cret\\u0000\"", "(secret) holds a NUL" },
		{ "\"password\":\"a\",\"password-file\":\"b\"", "beside 'password'" },
		{ "\"username\":\"a\"", "without a password" },
		{ "\"lease-least\":5,\"lease-most\":4", "more than lease-most" },
		{ "\"mode\":\"fast\"", "fast" },
		{ "\"replicas\":0", "less than the minimum" },
	};

	char prefix[1200] = "\"prefix\":\"";

	/* One that leaves no room for a name. */
	memset(prefix + strlen(prefix), 'p', 1020);
	strcat(prefix, "\"");
	check_refused(prefix, "too long together");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_refused(cases[i].options, cases[i].text);
}

/* A server that is too old, or wants a login, is no server that may come back. */
static void
test_unfit(void)
{
	static const refused cases[] = {
		{ "$31\r\nredis_version:4.0.9\nredis_mode:\r\n", "" },
		{ "$41\r\nredis_version:4.0.9\nredis_mode:standalone\r\n", "use Redis 5 or later" },
		{ "$58\r\nserver_name:valkey\nredis_version:7.2.4\nserver_mode:cluster\r\n",
		  "a node of a Redis Cluster" },
		{ "-NOAUTH Authentication required.\r\n", "NOAUTH" },
		{ "-NOPERM this user has no permissions to run the 'info' command\r\n", "NOPERM" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_diag *diag = limen_diag_new();
		limen_engine *engine;
		char options[128];
		liar self;

		liar_start(&self, "+OK\r\n");
		self.greeting[0] = cases[i].options;
		liar_run(&self);
		snprintf(options, sizeof(options), "\"path\":\"%s\"", self.path);
		engine = liar_load(options, diag);
		/* A malformed answer may be another one the next time. */
		CU_ASSERT_EQUAL(engine != NULL, i == 0);
		plugin_assert(i == 0 || has_problem(diag, cases[i].text), __FILE__, __LINE__,
		              "no '%s'", cases[i].text);
		limen_engine_free(engine);
		limen_diag_free(diag);
		liar_stop(&self);
	}
}

/* Few tokens for many processes are leased badly, which a load says. */
static void
test_small_bursts(void)
{
	static const struct {
		const char *options;
		bool noted;
	} cases[] = {
		{ "\"replicas\":2", true }, { "\"replicas\":1", false },
		{ "\"replicas\":2,\"mode\":\"strict\"", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_diag *diag = limen_diag_new();
		limen_engine *engine;
		char options[128];

		snprintf(options, sizeof(options), "\"path\":\"/nowhere\",%s", cases[i].options);
		engine = liar_load(options, diag);
		CU_ASSERT_PTR_NOT_NULL(engine);
		CU_ASSERT_EQUAL(has_problem(diag, "is below 8 for each of 2 processes"), cases[i].noted);
		limen_engine_free(engine);
		limen_diag_free(diag);
	}
}

/* Who has no time for an answer is not admitted for it, and takes Redis from nobody else. */
static void
test_haste(void)
{
	struct redis_server *server = redis_server_new(NULL);
	limen_engine *engine;
	char options[256];
	int admitted = 0;
	int others = 0;

	if (server == NULL || !redis_server_start(server))
		return;
	snprintf(options, sizeof(options),
	         "\"path\":\"%s\",\"mode\":\"strict\",\"on-error\":\"allow\","
	         "\"timeout\":\"PT20S\"", redis_server_path(server));
	engine = liar_engine(options, NULL);
	CU_ASSERT_FATAL(engine != NULL);
	for (int i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(liar_decide(engine, "a"), 200);
	for (int i = 0; i < 400; i++) {
		admitted += liar_decide_within(engine, "a", 1 + i % 200) == 200;
		others += liar_decide(engine, "a") == 200;
	}
	CU_ASSERT_EQUAL(admitted, 0);
	CU_ASSERT_EQUAL(others, 0);
	CU_ASSERT_EQUAL(liar_decide(engine, "b"), 200);
	limen_engine_free(engine);
	redis_server_free(server);
}

/* With a password, in another database, by every way to say so. */
static void
test_login(void)
{
	static const char *const options[] = { "--requirepass", "pass", NULL };
	static const char *const ways[] = {
		"\"path\":\"%s\",\"password\":\"pass\",\"database\":3",
		"\"path\":\"%s\",\"password\":\"pass\",\"username\":\"default\"",
		"\"url\":\"unix://%s\",\"password\":\"pass\"",
	};
	struct redis_server *server = redis_server_new(options);

	if (server == NULL || !redis_server_start(server))
		return;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		char text[256], all[320];
		limen_engine *engine;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(text, sizeof(text), ways[i], redis_server_path(server));
#pragma GCC diagnostic pop
		snprintf(all, sizeof(all), "%s,\"mode\":\"strict\",\"on-error\":\"deny\","
		         "\"timeout\":\"PT5S\"", text);
		engine = liar_engine(all, NULL);
		CU_ASSERT_FATAL(engine != NULL);
		plugin_assert(liar_decide(engine, "a") == 200, __FILE__, __LINE__, "%s", all);
		limen_engine_free(engine);
	}
	redis_server_free(server);
}

static size_t
count_entries(const char *path)
{
	DIR *directory = opendir(path);
	size_t count = 0;

	while (directory != NULL && readdir(directory) != NULL)
		count++;
	if (directory != NULL)
		closedir(directory);
	return count;
}

/* Many decisions, with outages in between: neither descriptors nor threads add up. */
static void
test_flat(void)
{
	static const char *const modes[] = { "strict", "lease" };

	for (size_t i = 0; i < 2; i++) {
		struct redis_server *server = redis_server_new(NULL);
		char options[256];
		limen_engine *engine;
		size_t fds = 0, threads = 0;

		if (server == NULL || !redis_server_start(server))
			return;
		snprintf(options, sizeof(options), "\"path\":\"%s\",\"mode\":\"%s\"",
		         redis_server_path(server), modes[i]);
		engine = liar_engine(options, NULL);
		CU_ASSERT_FATAL(engine != NULL);
		for (int round = 0; round < 5; round++) {
			char who[16];

			for (int n = 0; n < 4000; n++) {
				snprintf(who, sizeof(who), "w%d", n % 500);
				liar_decide(engine, who);
			}
			redis_server_kill(server);
			liar_decide(engine, "w");
			redis_server_start(server);
			if (round == 1) {
				fds = count_entries("/proc/self/fd");
				threads = count_entries("/proc/self/task");
			}
		}
		/* Connections may be up or down just now. */
		CU_ASSERT(count_entries("/proc/self/fd") <= fds + 4);
		CU_ASSERT(count_entries("/proc/self/task") <= threads + 1);
		limen_engine_free(engine);
		redis_server_free(server);
	}
}

/* That memory was short when Redis went away is no reason never to look for it again. */
static void
test_short_memory(void)
{
	struct redis_server *server = redis_server_new(NULL);
	limen_engine *engine;
	char options[256];
	int code = 500;

	if (server == NULL || !redis_server_start(server))
		return;
	snprintf(options, sizeof(options), "\"path\":\"%s\",\"on-error\":\"deny\"",
	         redis_server_path(server));
	engine = liar_engine(options, NULL);
	CU_ASSERT_FATAL(engine != NULL);
	CU_ASSERT_EQUAL(liar_decide(engine, "a"), 429);
	short_memory_start_elsewhere(1, true);
	redis_server_kill(server);
	usleep(500000);
	plugin_assert(short_memory_stop() || short_memory_unavailable() != NULL, __FILE__,
	              __LINE__, "nothing failed");
	redis_server_start(server);
	for (int i = 0; i < 3000 && code == 500; i++) {
		code = liar_decide(engine, "b");
		usleep(10000);
	}
	CU_ASSERT_EQUAL(code, 429);
	limen_engine_free(engine);
	redis_server_free(server);
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_STORE, "redis");
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "the example loads", test_example },
		{ "options that cannot be are refused, and no password is shown", test_options },
		{ "servers that can never do are refused", test_unfit },
		{ "bursts that are small for their processes are noted", test_small_bursts },
		{ "a decision in haste", test_haste },
		{ "passwords and databases", test_login },
		{ "lies never admit, and nothing crashes", test_lies },
		{ "a server that greets wrongly is not used", test_greetings },
		{ "many decisions leave nothing behind", test_flat },
		{ "memory that is short when Redis goes away", test_short_memory },
		{ NULL, NULL },
	};

	return suite_run("redis, hostile", tests);
}
