/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_redis_full.c - a Redis that has reached maxmemory: it can count nothing more, so
 * nothing more is admitted, whatever "on-error" says.
 */
#include <limen/limen.h>
#include <stdio.h>
#include <unistd.h>

#include "plugin.h"
#include "redis_liar.h"
#include "redis_server.h"
#include "suite.h"

#define TRIES 400
#define PAUSE 2000

typedef struct scene {
	struct redis_server *server;
	limen_engine *engine;
	const char *mode;
	const char *on_error;
	int named; /* keys, each of which is new */
} scene;

static int
decide_new(scene *self)
{
	char who[16];

	snprintf(who, sizeof(who), "n%d", self->named++);
	return liar_decide(self->engine, who);
}

/* A lease is there some time after the first decision. */
static bool
admits(scene *self, const char *who)
{
	for (int i = 0; i < 10 * TRIES; i++) {
		if (liar_decide(self->engine, who) == 200)
			return true;
		usleep(PAUSE);
	}
	return false;
}

static void
check_full(scene *self)
{
	char answer[64];
	int refused = 0;

	CU_ASSERT_TRUE(admits(self, "before"));
	redis_server_ask(self->server, "CONFIG SET maxmemory 1", answer, sizeof(answer));
	for (int i = 0; i < TRIES; i++) {
		refused += decide_new(self) == 429;
		usleep(PAUSE);
	}
	plugin_assert(refused == TRIES, __FILE__, __LINE__, "%s, %s: %d of %d refused",
	              self->mode, self->on_error, refused, TRIES);
	redis_server_ask(self->server, "CONFIG SET maxmemory 0", answer, sizeof(answer));
	CU_ASSERT_TRUE(admits(self, "after"));
}

static void
check_mode(const char *mode)
{
	static const char *const answers[] = { "local", "allow", "deny" };

	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		scene self = { .mode = mode, .on_error = answers[i] };
		char options[256];

		self.server = redis_server_new(NULL);
		if (self.server == NULL || !redis_server_start(self.server))
			return;
		snprintf(options, sizeof(options),
		         "\"path\":\"%s\",\"mode\":\"%s\",\"on-error\":\"%s\","
		         "\"timeout\":\"PT5S\",\"replicas\":1",
		         redis_server_path(self.server), mode, answers[i]);
		self.engine = liar_engine(options, NULL);
		CU_ASSERT_FATAL(self.engine != NULL);
		check_full(&self);
		limen_engine_free(self.engine);
		redis_server_free(self.server);
	}
}

static void
test_strict(void)
{
	check_mode("strict");
}

static void
test_lease(void)
{
	check_mode("lease");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "without memory nothing new is admitted, mode strict", test_strict },
		{ "without memory nothing new is admitted, mode lease", test_lease },
		{ NULL, NULL },
	};

	return suite_run("redis, full", tests);
}
