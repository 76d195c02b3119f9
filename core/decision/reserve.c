/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reserve.c - taking tokens while a request is decided, and giving them
 * back when it is not admitted.
 */
#include <string.h>

#include "base/compiler.h"
#include "decision_state.h"
#include "request.h"
#include "module/module.h"
#include "reserve.h"

#define MODULE_FLAGS ((unsigned)LIMEN_TAKE_ALL | (unsigned)LIMEN_TAKE_PEEK)

/* The takes of one call that fit on the stack; more are put into the reply's memory. */
#define TAKES_FEW 8

static bool
is_sound(const limen_take *take)
{
	return take->amount >= 0 && take->key_length <= LIMEN_KEY_MAX &&
	       (take->key != NULL || take->key_length == 0) &&
	       take->reserved[0] == 0;
}

static const limen_reading unknown = { .quota = -1, .remaining = -1, .reset = -1 };

/*
 * Fills 'list' for the store.  Returns false unless all tables are in one store: "all or none"
 * cannot hold across several.
 */
static bool
plan_takes(const limen_reply *reply, limen_store_take *list, const limen_take *takes, size_t count)
{
	const limen_store *store;

	if (takes == NULL || takes[0].table == NULL)
		return false;
	store = takes[0].table->store;
	for (size_t i = 0; i < count; i++) {
		const limen_table *from = takes[i].table;
		void *rehearsal;

		if (from == NULL || from->store != store || !is_sound(&takes[i]))
			return false;
		rehearsal = reply->observes ? atomic_load(&takes[i].table->rehearsal) : NULL;
		list[i] = (limen_store_take){
			.table = rehearsal == NULL ? from->table : rehearsal,
			/* memcpy() and memcmp() must not get NULL, even for 0 bytes. */
			.key = takes[i].key == NULL ? "" : takes[i].key,
			.key_length = takes[i].key_length,
			.amount = takes[i].amount,
			.wait = -1,
			.reading = takes[i].reading,
		};
		if (takes[i].reading != NULL)
			*takes[i].reading = unknown;
	}
	return true;
}

static OUTLINE void
add_readings(limen_store_take *list, limen_reading *readings, size_t count)
{
	for (size_t i = 0; i < count && i < TAKES_FEW; i++) {
		if (list[i].reading != NULL)
			continue;
		readings[i] = unknown;
		list[i].reading = &readings[i];
	}
}

/* Clients of HTTP are told what is left of rates, and who wants a trace; of a rehearsal nobody. */
static inline bool
tells_quotas(const limen_reply *reply)
{
	const limen_decision *decision = reply->request->view->decision;

	return (reply->request->subject->tells_quotas ||
	        (decision != NULL && decision->wants_trace)) && !reply->observes;
}

/*
 * Copies the keys, which the caller owns and may free after the call; giving tokens back
 * needs them later.
 */
static bool
keep_keys(limen_reply *reply, limen_store_take *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		list[i].key = arena_strndup(reply->arena, list[i].key, list[i].key_length);
		if (list[i].key == NULL)
			return false;
	}
	return true;
}

/* A store's LIMEN_PASS counts only if it granted every take. */
static limen_verdict
judge(limen_verdict verdict, const limen_store_take *list, size_t count)
{
	if (verdict != LIMEN_PASS && verdict != LIMEN_FAIL)
		return LIMEN_ERROR;
	for (size_t i = 0; i < count; i++)
		if (!list[i].granted)
			return LIMEN_FAIL;
	return verdict;
}

/* Windows go by the system's clock, and buckets of tokens by one that cannot be set. */
static limen_time
store_time(view *state, const limen_take *takes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (takes[i].table->spec.kind != LIMEN_METER_TOKEN)
			return view_now(state);
	return view_bucket_time(state);
}

static limen_verdict
call_store(limen_reply *reply, const limen_take *takes, limen_store_take *list, size_t count,
           unsigned flags)
{
	const limen_store *store = takes[0].table->store;
	view *state = reply->request->view;
	const instance *keeper = store->instance;
	bool waits = (keeper->flags & LIMEN_MODULE_BLOCKING) != 0;
	limen_deadline deadline = waits ? view_deadline(state) : state->deadline;
	size_t before = reply->reason_length;
	limen_verdict verdict;

	instance_enter(keeper);
	verdict = keeper->module->descriptor.store.take(keeper->self, list, count,
	                                                flags & MODULE_FLAGS,
	                                                store_time(state, takes, count), deadline,
	                                                reply);
	instance_leave(keeper);
	verdict = judge(verdict, list, count);
	if (verdict == LIMEN_ERROR && reply->reason_length == before)
		limen_reply_reason(reply, "store '%s' failed and gave no reason", keeper->name);
	return verdict;
}

/* Records the granted takes, to be given back unless the request is admitted. */
static void
reserve(limen_reply *reply, limen_store *store, const limen_store_take *list, size_t count,
        reservation *room, bool passed)
{
	struct limen_decision *decision = reply->request->view->decision;

	for (size_t i = 0; i < count; i++) {
		if (!list[i].granted)
			continue;
		room[i] = (reservation){ decision->reservations, store, list[i], passed, false };
		room[i].take.reading = NULL;
		decision->reservations = &room[i];
	}
}

static OUTLINE void
note_quotas(view *state, const limen_take *takes, const limen_store_take *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].reading != NULL)
			quota_note(state, takes[i].table, &list[i]);
}

static inline void
answer(const limen_reply *reply, limen_take *takes, const limen_store_take *list, size_t count)
{
	if (tells_quotas(reply))
		note_quotas(reply->request->view, takes, list, count);
	for (size_t i = 0; i < count; i++) {
		takes[i].granted = list[i].granted;
		takes[i].wait = list[i].granted ? 0 : list[i].wait;
	}
}

/* Has the decision reserved the same take already? */
static bool
is_held(const limen_decision *decision, const limen_store_take *take)
{
	for (const reservation *taken = decision->reservations; taken != NULL; taken = taken->next) {
		const limen_store_take *known = &taken->take;

		if (taken->passed && known->table == take->table &&
		    known->amount == take->amount && known->key_length == take->key_length &&
		    memcmp(known->key, take->key, take->key_length) == 0)
			return true;
	}
	return false;
}

/*
 * Returns true if the decision holds all takes already.  An application may name a limit
 * in several groups, which asks it several times, but one request pays a bucket once.
 * Reservations of earlier applications are given back by then.
 */
static bool
are_all_held(const limen_reply *reply, const limen_store_take *list, size_t count)
{
	const limen_decision *decision = reply->request->view->decision;

	if (decision == NULL || decision->reservations == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!is_held(decision, &list[i]))
			return false;
	return true;
}

static void
set_all(limen_take *takes, size_t count, bool granted)
{
	for (size_t i = 0; takes != NULL && i < count; i++) {
		takes[i].granted = granted;
		takes[i].wait = granted ? 0 : -1;
	}
}

static limen_verdict
fail_all(limen_reply *reply, limen_take *takes, size_t count, const char *why)
{
	reply_mistake(reply, "limen_reply_take: %s", why);
	set_all(takes, count, false);
	return LIMEN_ERROR;
}

/*
 * Takes tokens that are given back unless the request is admitted.  The reservations are
 * allocated before: tokens without one could not be given back.
 */
static limen_verdict
take_to_keep(limen_reply *reply, limen_take *takes, limen_store_take *list, size_t count,
             unsigned flags)
{
	limen_store *store = takes[0].table->store;
	reservation *room;
	limen_verdict verdict;

	/* A worker has no decision that could settle: it may be over before the call returns. */
	if (reply->request->view->decision == NULL)
		return fail_all(reply, takes, count, "an identifier cannot reserve tokens");
	room = arena_alloc(reply->arena, count * sizeof(*room));
	if (room == NULL || !keep_keys(reply, list, count))
		return fail_all(reply, takes, count, limen_result_text(LIMEN_ENOMEM));
	verdict = call_store(reply, takes, list, count, flags);
	answer(reply, takes, list, count);
	reserve(reply, store, list, count, room, verdict == LIMEN_PASS);
	return verdict;
}

limen_verdict
limen_reply_take(limen_reply *reply, limen_take *takes, size_t count, unsigned flags)
{
	limen_store_take few[TAKES_FEW];
	limen_reading readings[TAKES_FEW];
	limen_store_take *list = few;
	limen_verdict verdict;

	if (reply == NULL)
		return LIMEN_ERROR;
	if (count == 0)
		return LIMEN_PASS;
	if (reply->request->dry_run || reply->request->view->uncharged)
		flags |= LIMEN_TAKE_PEEK;
	if (count > TAKES_FEW)
		list = arena_calloc(reply->arena, count, sizeof(*list));
	if (list == NULL)
		return fail_all(reply, takes, count, limen_result_text(LIMEN_ENOMEM));
	if (!plan_takes(reply, list, takes, count))
		return fail_all(reply, takes, count,
		                "tables of several stores, or a key, an amount or a reserved "
		                "member out of range");
	/* Asks for what is left also where the module does not. */
	if (tells_quotas(reply))
		add_readings(list, readings, count);
	if (flags & LIMEN_TAKE_RESERVE) {
		if (are_all_held(reply, list, count)) {
			set_all(takes, count, true);
			return LIMEN_PASS;
		}
		if (!(flags & LIMEN_TAKE_PEEK))
			return take_to_keep(reply, takes, list, count, flags);
	}
	verdict = call_store(reply, takes, list, count, flags);
	answer(reply, takes, list, count);
	return verdict;
}

void
store_give_back(limen_decision *decision, reservation *mark, limen_time now)
{
	for (const reservation *taken = decision->reservations; taken != mark; taken = taken->next) {
		instance *keeper = taken->store->instance;

		if (taken->rehearsed)
			continue;
		quota_give_back(decision, &taken->take);
		if (keeper->module->descriptor.store.give_back == NULL)
			continue;
		instance_enter(keeper);
		keeper->module->descriptor.store.give_back(keeper->self, &taken->take, 1, now);
		instance_leave(keeper);
	}
	decision->reservations = mark;
}
