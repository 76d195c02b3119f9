/* SPDX-License-Identifier: Apache-2.0 */
/* fake.c - the store that shows what is done with it; see fake.h. */
#include "fake.h"

#include <limen/version.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = { "error", "pass", "fail", "skip", "odd", "", NULL };

#define LOOK 5

static const limen_option options[] = {
	LIMEN_OPT_ENUM(struct fake, word, .key = "answer", .choices = words, .fallback = "",
	               .help = "What to answer whatever is taken"),
	LIMEN_OPT_STRING(struct fake, reason, .key = "reason", .help = "What to say of takes"),
	LIMEN_OPT_BOOL(struct fake, refuse, .key = "refuse", .help = "Whether to open no table"),
	LIMEN_OPT_BOOL(struct fake, blocking, .key = "blocking",
	               .help = "Whether to say that it may block"),
	LIMEN_OPT_STRING(struct fake, comment, .key = "comment", .help = "Means nothing"),
	LIMEN_OPT_END
};

static int
open_store(void *self, limen_opening *opening, limen_diag *diag)
{
	struct fake *fake = self;

	(void)diag;
	fake->state = calloc(1, sizeof(*fake->state));
	if (fake->state == NULL)
		return LIMEN_ENOMEM;
	pthread_mutex_init(&fake->state->lock, NULL);
	if (fake->blocking)
		limen_opening_add_flags(opening, LIMEN_MODULE_BLOCKING);
	return LIMEN_OK;
}

static void
close_store(void *self)
{
	struct fake *fake = self;
	struct fake_table *table = fake->state->tables;

	while (table != NULL) {
		struct fake_table *next = table->next;

		free(table->name);
		free(table);
		table = next;
	}
	pthread_mutex_destroy(&fake->state->lock);
	free(fake->state);
}

static struct fake_table *
find_table(struct fake_state *state, const char *name)
{
	struct fake_table *table = state->tables;

	while (table != NULL && strcmp(table->name, name) != 0)
		table = table->next;
	return table;
}

static struct fake_table *
add_table(struct fake_state *state, const char *name)
{
	struct fake_table *table = calloc(1, sizeof(*table));

	if (table == NULL)
		return NULL;
	table->name = strdup(name);
	table->next = state->tables;
	state->tables = table;
	return table;
}

/* The bucket of before, unless its rate or burst has changed. */
static int
open_table(void *self, limen_opening *opening, const char *name, const limen_table_spec *spec,
           void **out, limen_diag *diag)
{
	struct fake *fake = self;
	struct fake_table *table;

	if (fake->refuse) {
		limen_host_log(limen_opening_host(opening), LIMEN_LOG_INFO, "refused");
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_data(opening),
		               "no table for %s, opened by %s", name, limen_opening_name(opening));
		return LIMEN_EIO;
	}
	pthread_mutex_lock(&fake->state->lock);
	table = find_table(fake->state, name);
	if (table == NULL)
		table = add_table(fake->state, name);
	if (table != NULL && (table->tokens != spec->tokens || table->period != spec->period ||
	                      table->burst != spec->burst)) {
		table->tokens = spec->tokens;
		table->period = spec->period;
		table->burst = spec->burst;
		table->left = spec->burst;
	}
	if (table != NULL)
		table->users++;
	pthread_mutex_unlock(&fake->state->lock);
	*out = table;
	return table == NULL ? LIMEN_ENOMEM : LIMEN_OK;
}

static void
close_table(void *self, void *table)
{
	struct fake *fake = self;

	pthread_mutex_lock(&fake->state->lock);
	((struct fake_table *)table)->users--;
	pthread_mutex_unlock(&fake->state->lock);
}

/* Seen again in 'give_back', and more than 32 bits. */
#define COOKIE UINT64_C(0x8000000000000001)

static bool
answer(limen_store_take *takes, size_t count, bool all)
{
	bool granted = true;

	for (size_t i = 0; i < count; i++) {
		struct fake_table *table = takes[i].table;

		takes[i].granted = takes[i].amount <= table->left;
		takes[i].wait = takes[i].amount > table->burst ? -1 : table->period;
		takes[i].cookie = COOKIE;
		granted = granted && takes[i].granted;
	}
	for (size_t i = 0; all && !granted && i < count; i++)
		takes[i].granted = false;
	return granted;
}

static limen_verdict
take(void *self, limen_store_take *takes, size_t count, unsigned flags, limen_time now,
     limen_deadline deadline, limen_reply *reply)
{
	struct fake_state *state = ((struct fake *)self)->state;
	bool granted;

	(void)now;
	pthread_mutex_lock(&state->lock);
	state->deadline = deadline;
	state->takes++;
	state->batch = (unsigned)count;
	state->last_key_length = takes[0].key_length;
	if (takes[0].key_length < sizeof(state->last_key))
		memcpy(state->last_key, takes[0].key, takes[0].key_length + 1);
	granted = answer(takes, count, (flags & LIMEN_TAKE_ALL) != 0);
	for (size_t i = 0; !(flags & LIMEN_TAKE_PEEK) && i < count; i++) {
		if (takes[i].granted)
			((struct fake_table *)takes[i].table)->left -= takes[i].amount;
	}
	pthread_mutex_unlock(&state->lock);
	if (((struct fake *)self)->reason != NULL)
		limen_reply_reason(reply, "%s", ((struct fake *)self)->reason);
	if (((struct fake *)self)->word != LOOK)
		return (limen_verdict)((struct fake *)self)->word;
	return granted ? LIMEN_PASS : LIMEN_FAIL;
}

static void
give_back(void *self, const limen_store_take *takes, size_t count, limen_time now)
{
	struct fake_state *state = ((struct fake *)self)->state;

	(void)now;
	pthread_mutex_lock(&state->lock);
	for (size_t i = 0; i < count; i++) {
		((struct fake_table *)takes[i].table)->left += takes[i].amount;
		state->settled += takes[i].cookie == COOKIE;
	}
	pthread_mutex_unlock(&state->lock);
}

LIMEN_STORE("fake",
	.version = LIMEN_VERSION,
	.summary = "Shows what is done with it",
	.options = options,
	.instance_size = sizeof(struct fake),
	.open = open_store,
	.close = close_store,
	.open_table = open_table,
	.close_table = close_table,
	.take = take,
	.give_back = give_back);
