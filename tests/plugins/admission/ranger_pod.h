/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranger_pod.h - pods that are written piece by piece, however large, and decided about
 * in bounded time.
 */
#ifndef LIMEN_TESTS_PLUGINS_RANGER_POD_H
#define LIMEN_TESTS_PLUGINS_RANGER_POD_H

#include <time.h>

#include "ranger_case.h"

/* JSON that is being written. */
struct text {
	char *at;
	size_t length;
	FILE *out;
};

static inline void
start_pod(struct text *pod)
{
	pod->out = open_memstream(&pod->at, &pod->length);
	fputs("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[",
	      pod->out);
}

static inline void
finish_pod(struct text *pod)
{
	fputs("]}}", pod->out);
	fclose(pod->out);
}

/* A pod of so many containers, of which some are initContainers. */
static inline void
write_containers(struct text *pod, int regular, int init)
{
	start_pod(pod);
	for (int i = 0; i < regular + init; i++)
		fprintf(pod->out, "%s{\"name\":\"c%d\"}",
		        i == 0         ? ""
		        : i == regular ? "],\"initContainers\":["
		                       : ",",
		        i);
	finish_pod(pod);
}

/*
 * Decides by the LimitRanges 'ranges', checks whether it was admitted, and that it took no ten
 * seconds; frees the pod.
 */
static inline limen_decision *
decide_by(const char *options, const char *ranges, const char *about, struct text *pod, bool admitted)
{
	limen_engine *engine = ranger_open(options, ranges);
	struct timespec before, after;
	limen_decision *decision;

	clock_gettime(CLOCK_MONOTONIC, &before);
	decision = ranger_decide(engine, pod->at, NULL);
	clock_gettime(CLOCK_MONOTONIC, &after);
	ASSERT(limen_decision_admitted(decision) == admitted, "%s: code %d", about,
	       limen_decision_code(decision));
	ASSERT(after.tv_sec - before.tv_sec < 10, "%s takes too long", about);
	limen_engine_free(engine);
	free(pod->at);
	return decision;
}

#endif
