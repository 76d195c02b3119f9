/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_events.c - EventRateLimit: decisions about events of 1000 namespaces, and of
 * a million, that have been read, with all limits that apply, on one thread and beside
 * a second one, and from the bytes of an AdmissionReview to those of the answer.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "subject.h"

enum {
	NAMESPACES = 1000,
	NAMESPACES_MANY = 1000000,
	/* More than are asked in a round. */
	POOL = 4096
};

/* Requests of many namespaces, in an order that no cache foresees. */
typedef struct crowd {
	limen_engine *engine;
	limen_request **requests;
	size_t count;
	size_t next;
	bool unsettled; /* some may be refused */
	size_t names;   /* namespaces to choose from before each round; 0: as they are */
	uint64_t state;
} crowd;

static limen_engine *
make_engine(const char *limits)
{
	char policy[1024];

	snprintf(policy, sizeof(policy),
	         "{\"admission\":[{\"name\":\"events\",\"plugin\":\"EventRateLimit\",\"data\":"
	         "{\"limits\":[%s]}}]}",
	         limits);
	return subject_engine_text(policy);
}

#define ROOMY "\"qps\":1000000000,\"burst\":1000000000,\"cacheSize\":4096}"
#define SERVER "{\"type\":\"Server\",\"qps\":1000000000,\"burst\":1000000000}"
#define NAMESPACE "{\"type\":\"Namespace\"," ROOMY
#define USER "{\"type\":\"User\"," ROOMY
#define SOURCE "{\"type\":\"SourceAndObject\"," ROOMY
#define NAMESPACE_MANY \
	"{\"type\":\"Namespace\",\"qps\":1000000000,\"burst\":1000000000,\"cacheSize\":1000000}"
#define NAMESPACE_ONCE "{\"type\":\"Namespace\",\"qps\":1,\"burst\":1}"

/* 66 bytes. */
static void
name_namespace(limen_request *req, size_t number)
{
	char namespace[80];

	snprintf(namespace, sizeof(namespace), "team-payments-and-checkout-staging-environment-%019zu",
	         number);
	if (limen_request_set_field(req, LIMEN_FIELD_NAMESPACE, namespace) != LIMEN_OK)
		bench_die("out of memory");
}

/* As limend makes it of a review, but with the part of the event that keys are made of only. */
static limen_request *
make_request(size_t number)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	char event[512];

	snprintf(event, sizeof(event),
	         "{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"e\"},"
	         "\"involvedObject\":{\"kind\":\"Pod\",\"namespace\":\"shop\",\"name\":\"pod-%zu\","
	         "\"uid\":\"3f0c7a52-9a0e-4e63-8f0b-0b6f2b9d51c7\",\"apiVersion\":\"v1\"},"
	         "\"source\":{\"component\":\"kubelet\",\"host\":\"node-17.example.org\"}}",
	         number);
	if (req == NULL || limen_request_parse(req, event, strlen(event), NULL) != LIMEN_OK ||
	    limen_request_set_field(req, LIMEN_FIELD_OPERATION, "CREATE") != LIMEN_OK ||
	    limen_request_set_field(req, LIMEN_FIELD_KIND, "Event") != LIMEN_OK ||
	    limen_request_set_field(req, LIMEN_FIELD_GROUP, "") != LIMEN_OK ||
	    limen_request_set_field(req, LIMEN_FIELD_RESOURCE, "events") != LIMEN_OK ||
	    limen_request_set_field(req, LIMEN_FIELD_USER, "system:node:node-17") != LIMEN_OK)
		bench_die("out of memory");
	name_namespace(req, number);
	return req;
}

static void
make_crowd(crowd *out, limen_engine *engine, size_t count)
{
	uint64_t state = 88172645463325252U;

	*out = (crowd){ .engine = engine,
		        .requests = calloc(count, sizeof(limen_request *)),
		        .count = count };
	if (out->requests == NULL)
		bench_die("out of memory");
	for (size_t i = 0; i < count; i++) {
		size_t other = bench_random(&state) % (i + 1);

		out->requests[i] = out->requests[other];
		out->requests[other] = make_request(i);
	}
}

static void
drop_crowd(crowd *old)
{
	for (size_t i = 0; i < old->count; i++)
		limen_request_free(old->requests[i]);
	free(old->requests);
}

static void
decide_crowd(void *data, size_t calls)
{
	crowd *all = data;

	for (size_t i = 0; i < calls; i++) {
		limen_decision *decision = NULL;
		limen_request *req = all->requests[all->next];

		all->next = all->next + 1 == all->count ? 0 : all->next + 1;
		if (limen_engine_decide(all->engine, req, NULL, &decision) != LIMEN_OK ||
		    !(all->unsettled || limen_decision_admitted(decision)))
			bench_die("an event was refused");
		limen_decision_free(decision);
	}
}

/*
 * Gives the requests of a round other namespaces: their buckets are in no cache, the
 * requests themselves are, having just been written as if they had just been read.
 */
static void
rename_crowd(void *data, size_t calls)
{
	crowd *all = data;

	all->next = 0;
	for (size_t i = 0; i < calls && i < all->count; i++)
		name_namespace(all->requests[i], bench_random(&all->state) % all->names);
}

/* Each namespace has a bucket before anything is measured. */
static void
measure_many(const char *name, double goal)
{
	crowd all;

	if (!bench_wants(name) || bench_is_counting())
		return;
	make_crowd(&all, make_engine(SERVER "," NAMESPACE_MANY), bench_size(POOL));
	all.names = bench_size(NAMESPACES_MANY);
	all.state = 88172645463325252U;
	for (size_t i = 0; i < all.names; i++) {
		all.next = i % all.count;
		name_namespace(all.requests[all.next], i);
		decide_crowd(&all, 1);
	}
	bench_rows(&(bench_row){ .name = name, .run = decide_crowd, .ready = rename_crowd,
	                         .data = &all, .goal = goal },
	           1);
	drop_crowd(&all);
	limen_engine_free(all.engine);
}

/* One bucket that is empty: all but one event a second are refused. */
static void
measure_refusal(const char *name, const char *counted)
{
	crowd one;

	make_crowd(&one, make_engine(NAMESPACE_ONCE), 1);
	one.unsettled = true;
	bench_rows(&(bench_row){ .name = name, .run = decide_crowd, .data = &one }, 1);
	subject_count(counted, decide_crowd, &one, 0);
	drop_crowd(&one);
	limen_engine_free(one.engine);
}

static atomic_bool ended;

/* The second thread: asks all the time, on another core. */
static void *
ask_on(void *data)
{
	while (!atomic_load(&ended))
		decide_crowd(data, 100);
	return NULL;
}

static void
measure_beside(const char *name, const char *wall, crowd *own, limen_engine *engine, double goal)
{
	crowd other;
	pthread_t thread;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		bench_skip(name, "there is one core");
		return;
	}
	if (!bench_wants(wall) || bench_is_counting())
		return;
	make_crowd(&other, engine, own->count);
	bench_unpin();
	if (pthread_create(&thread, NULL, ask_on, &other) != 0)
		bench_die("no thread can be made");
	bench_rows((bench_row[]){
		{ .name = name, .run = decide_crowd, .data = own, .goal = goal },
		{ .name = wall, .run = decide_crowd, .data = own, .wall = true },
	}, 2);
	atomic_store(&ended, true);
	pthread_join(thread, NULL);
	bench_pin();
	drop_crowd(&other);
}

int
main(int argc, char **argv)
{
	subject review = { .options = { .size = sizeof(review.options),
		                        .phase = LIMEN_PHASE_VALIDATE } };
	limen_engine *two, *four;
	crowd few, all;
	char *text;

	bench_start("bench_events", argc, argv);
	two = make_engine(SERVER "," NAMESPACE);
	four = make_engine(SERVER "," NAMESPACE "," USER "," SOURCE);
	make_crowd(&few, two, bench_size(NAMESPACES));
	make_crowd(&all, four, bench_size(NAMESPACES));
	text = subject_read("reviews/event.json", &review.length);
	review.text = text;
	review.engine = two;
	bench_rows((bench_row[]){
		{ .name = "EventRateLimit: Server and Namespace", .run = decide_crowd,
		  .data = &few, .goal = 90 },
		{ .name = "EventRateLimit: all four", .run = decide_crowd, .data = &all,
		  .goal = 150 },
		{ .name = "EventRateLimit: from bytes to bytes", .run = subject_answer,
		  .data = &review, .goal = 1000 },
	}, 3);
	measure_many("EventRateLimit: Server and 1000000 namespaces", 450);
	measure_refusal("EventRateLimit: refuse", "EventRateLimit: refuse, allocations");
	measure_beside("EventRateLimit: beside a second thread",
	               "EventRateLimit: beside a second thread: wall", &few, two, 100);
	subject_count("EventRateLimit: Server and Namespace, allocations", decide_crowd, &few, 0);
	subject_count("EventRateLimit: all four, allocations", decide_crowd, &all, 0);
	subject_count("EventRateLimit: from bytes to bytes, allocations", subject_answer, &review,
	              BENCH_NO_GOAL);
	drop_crowd(&few);
	drop_crowd(&all);
	limen_engine_free(two);
	limen_engine_free(four);
	free(text);
	return bench_finish();
}
