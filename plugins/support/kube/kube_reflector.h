/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_reflector.h - a watch at work: kube_watch.c decides what comes next,
 * kube_list.c lists, kube_stream.c watches.
 */
#ifndef LIMEN_KUBE_REFLECTOR_H
#define LIMEN_KUBE_REFLECTOR_H

#include "kube_session.h"

typedef struct kube_reflector {
	const kube_watch *watch;
	kube_session session;
	char version[KUBE_VERSION_MAX]; /* where the next watch goes on; "": a list is due */
	limen_duration retry_after;     /* the server asked for such a pause; 0: it did not */
	bool refused; /* the last failure was a status 4xx, which a decision says nothing about */
	char error[KUBE_ERROR_MAX];     /* of the last failure */
} kube_reflector;

/* How a list or a watch ended. */
typedef enum kube_outcome {
	KUBE_GOOD,  /* as it should; a watch: some of it arrived */
	KUBE_BAD,   /* with 'error'; try the same again */
	KUBE_GONE,  /* the version is too old, or the state is not reliable: list */
	KUBE_OVER   /* told to stop */
} kube_outcome;

/* Lists all there is and commits it. */
kube_outcome kube_list(kube_reflector *reflector);

/* Watches from 'version' on until the server ends it. */
kube_outcome kube_stream(kube_reflector *reflector);

/* Describes an answer that is no success in 'error'. */
void kube_explain(kube_reflector *reflector, const char *text, const kube_answer *answer);

/* Adds the context of the request to 'error', which is about its answer; returns 'outcome'. */
kube_outcome kube_fail(kube_reflector *reflector, const char *text, kube_outcome outcome);

/* After this a list is due, if the listener wants one. */
bool kube_ask_again(kube_reflector *reflector);

/* Copies metadata.resourceVersion of 'object'; false if it has none that is usable. */
bool kube_read_version(limen_value object, char out[KUBE_VERSION_MAX]);

/* A number below 'bound', from the system's source of randomness. */
uint64_t kube_random(uint64_t bound);

#endif
