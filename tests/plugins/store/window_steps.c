/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window_steps.c - counts as standard input says and prints what it finds, for windows.py.
 * With the socket of a Redis as its argument it counts there, else in memory.
 *
 * "window KIND UNIT ZONE N PERIOD" begins a sequence; "TIME COST" is a take, answered by
 * "GRANTED REMAINING RESET", and "give" puts the latest take back.
 */
#include <hiredis.h>
#include <inttypes.h>
#include <limen/limen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../plugins/limit/rate/calendar.h"
#include "../../../plugins/store/redis/modes.h"
#include "../../../plugins/support/bucket/table.h"

#define CLOCK "redis.call('TIME')"

typedef struct state {
	redisContext *redis; /* NULL: memory */
	char *scripts[SCRIPT_COUNT]; /* whose clock is an argument */
	tables *all;
	handle *held;
	limen_table_spec spec;
	calendar calendar;
	zone *zone;
	limen_store_take latest;
	limen_time time; /* of the latest take */
} state;

/* The script reads the time from its last argument. */
static char *
replace_clock(const char *text)
{
	const char *found = strstr(text, CLOCK);
	char *out = NULL;

	if (asprintf(&out, "%.*s{ 0, tonumber(ARGV[#ARGV]) }%s", (int)(found - text), text,
	             found + strlen(CLOCK)) < 0)
		abort();
	return out;
}

static void
begin(state *self, const char *zone_name)
{
	limen_diag *diag = limen_diag_new();

	if (self->held != NULL)
		table_close(self->all, self->held);
	zone_close(self->zone);
	self->zone = strcmp(zone_name, "-") == 0 ? NULL
	                                         : zone_open(zone_name, limen_value_none(), diag);
	self->calendar = (calendar){ self->zone, self->spec.unit };
	self->spec.calendar = &self->calendar;
	self->held = table_open(self->all, "e/t", &self->spec, NULL);
	limen_diag_free(diag);
	if (self->redis != NULL)
		freeReplyObject(redisCommand(self->redis, "FLUSHALL"));
}

/* Calls a script on one bucket; 'flags' are the arguments before those of the meter, or NULL. */
static redisReply *
call(const state *self, script_id script, const char *flags, limen_time now, int64_t cost,
     int64_t number)
{
	char dates[120], limit[24], amount[24], tag[24], clock[24];
	const char *words[16] = { "EVAL", self->scripts[script], "2", "mark", "b", "run", "0", "1" };
	limen_period period, next;
	int count = 8;
	redisReply *reply;

	snprintf(dates, sizeof(dates), "%" PRId64, self->spec.period);
	if (self->spec.kind == LIMEN_METER_CALENDAR) {
		calendar_find(&self->calendar, now, &period);
		calendar_find(&self->calendar, period.end, &next);
		snprintf(dates, sizeof(dates),
		         "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, period.number,
		         period.begin, period.end, next.number, next.end);
	}
	snprintf(limit, sizeof(limit), "%" PRId64, self->spec.tokens);
	snprintf(amount, sizeof(amount), "%" PRId64, cost);
	snprintf(tag, sizeof(tag), "%" PRId64, number);
	snprintf(clock, sizeof(clock), "%" PRId64, now);
	for (int i = 0; flags != NULL && i < 2; i++)
		words[count++] = flags;
	words[count++] = table_letter(self->spec.kind);
	words[count++] = dates;
	words[count++] = limit;
	words[count++] = amount;
	if (flags == NULL)
		words[count++] = tag;
	words[count++] = clock;
	reply = redisCommandArgv(self->redis, count, words, NULL);
	if (reply == NULL || reply->type == REDIS_REPLY_ERROR) {
		fprintf(stderr, "%s\n", reply == NULL ? "no answer" : reply->str);
		exit(1);
	}
	return reply;
}

static void
take(state *self, int64_t cost)
{
	limen_reading found;

	self->latest = (limen_store_take){ .table = self->held, .key = "k", .key_length = 1,
		                           .amount = cost, .reading = &found };
	if (self->redis == NULL) {
		take_batch(self->all, &self->latest, 1, 0, self->time);
	} else {
		redisReply *reply = call(self, SCRIPT_TAKE, "0", self->time, cost, 0);

		self->latest.granted = reply->element[0]->integer == 1;
		found.remaining = reply->element[2]->integer;
		found.reset = reply->element[3]->integer;
		self->latest.cookie = (uint64_t)reply->element[4]->integer;
		freeReplyObject(reply);
	}
	printf("%d %" PRId64 " %" PRId64 "\n", self->latest.granted, found.remaining, found.reset);
	self->latest.reading = NULL;
}

static void
give(state *self)
{
	if (!self->latest.granted)
		return;
	if (self->redis == NULL)
		take_settle(self->all, &self->latest, 1);
	else
		freeReplyObject(call(self, SCRIPT_GIVE, NULL, self->time, self->latest.amount,
		                     (int64_t)self->latest.cookie));
}

static void
follow(state *self, const char *line)
{
	char zone_name[64];
	int kind, unit;
	int64_t cost;

	if (sscanf(line, "window %d %d %63s %" SCNd64 " %" SCNd64, &kind, &unit, zone_name,
	           &self->spec.tokens, &self->spec.period) == 5) {
		self->spec.kind = (limen_meter_kind)kind;
		self->spec.unit = (limen_unit)unit;
		self->spec.burst = self->spec.tokens;
		begin(self, zone_name);
	} else if (sscanf(line, "%" SCNd64 " %" SCNd64, &self->time, &cost) == 2) {
		take(self, cost);
	} else {
		give(self);
	}
}

int
main(int argc, char **argv)
{
	state self = { .all = tables_new(),
		       .spec = { .size = sizeof(limen_table_spec), .name = "t",
			         .find_period = calendar_find } };
	char line[200];

	self.all->capacity = 4;
	if (argc > 1)
		self.redis = redisConnectUnix(argv[1]);
	if (argc > 1 && (self.redis == NULL || self.redis->err != 0))
		return 1;
	for (int i = 0; i < SCRIPT_COUNT; i++)
		self.scripts[i] = replace_clock(script_texts[i]);
	while (fgets(line, sizeof(line), stdin) != NULL)
		follow(&self, line);
	for (int i = 0; i < SCRIPT_COUNT; i++)
		free(self.scripts[i]);
	if (self.held != NULL)
		table_close(self.all, self.held);
	zone_close(self.zone);
	tables_free(self.all);
	if (self.redis != NULL)
		redisFree(self.redis);
	return 0;
}
