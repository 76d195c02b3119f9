/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_events.c - EventRateLimit: decisions about events of 1000 namespaces that
 * have been read, with all limits that apply, on one thread and beside a second one,
 * and from the bytes of an AdmissionReview to those of the answer.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "subject.h"

enum {
	NAMESPACES = 1000
};

/* Requests of many namespaces, in an order that no cache foresees. */
typedef struct crowd {
	limen_engine *engine;
	limen_request **requests;
	size_t count;
	size_t next;
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

/* As limend makes it of a review, but with the part of the event that keys are made of only. */
static limen_request *
make_request(size_t number)
{
	limen_request *req = limen_request_new(LIMEN_OBJECT);
	char namespace[80];
	char event[512];

	/* 66 bytes. */
	snprintf(namespace, sizeof(namespace), "team-payments-and-checkout-staging-environment-%019zu",
	         number);
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
	    limen_request_set_field(req, LIMEN_FIELD_USER, "system:node:node-17") != LIMEN_OK ||
	    limen_request_set_field(req, LIMEN_FIELD_NAMESPACE, namespace) != LIMEN_OK)
		bench_die("out of memory");
	return req;
}

static void
make_crowd(crowd *out, limen_engine *engine, size_t count)
{
	uint64_t state = 88172645463325252U;

	*out = (crowd){ engine, calloc(count, sizeof(limen_request *)), count, 0 };
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
		    !limen_decision_admitted(decision))
			bench_die("an event was refused");
		limen_decision_free(decision);
	}
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
measure_beside(const char *name, crowd *own, limen_engine *engine, double goal)
{
	crowd other;
	pthread_t thread;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		bench_skip(name, "there is one core");
		return;
	}
	if (!bench_wants(name))
		return;
	make_crowd(&other, engine, own->count);
	bench_unpin();
	if (pthread_create(&thread, NULL, ask_on, &other) != 0)
		bench_die("no thread can be made");
	bench_rows(&(bench_row){ name, decide_crowd, own, goal, NULL, false }, 1);
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
		{ "EventRateLimit: Server and Namespace", decide_crowd, &few, 90, NULL, false },
		{ "EventRateLimit: all four", decide_crowd, &all, 150, NULL, false },
		{ "EventRateLimit: from bytes to bytes", subject_answer, &review, 1000, NULL,
		  false },
	}, 3);
	measure_beside("EventRateLimit: beside a second thread", &few, two, 100);
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
