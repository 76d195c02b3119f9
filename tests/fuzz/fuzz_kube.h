/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_kube.h - fuzz_kube.c is the API server, kube_known.c whoever is told, with what
 * LimitRanger keeps of a cluster.
 */
#ifndef LIMEN_TESTS_FUZZ_FUZZ_KUBE_H
#define LIMEN_TESTS_FUZZ_FUZZ_KUBE_H

#include "../../plugins/support/kube/kube.h"
#include "fuzz.h"

/* What both know of the run. */
typedef struct kube_run {
	int64_t now;     /* limen_host_monotonic() */
	bool stopping;
	bool listing;    /* a list has begun */
	bool broken;     /* a page of it did not come whole */
	bool again;      /* another list was wanted */
	int64_t failed;  /* when a failure was told; 0: none was since the last request */
	uint64_t trace;  /* of what was asked and told, but for when */
} kube_run;

extern kube_run kube;

void kube_note(const char *what, const char *about);

/* FNV-1a. */
uint64_t kube_hash(uint64_t before, const char *text);

extern const kube_listener known_listener;

/* After a run: looks at what is known once more, and forgets it. */
void known_end(void);

#endif
