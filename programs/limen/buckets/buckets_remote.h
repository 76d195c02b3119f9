/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buckets_remote.h - the buckets of a limend that runs, asked of its /v1/buckets.
 */
#ifndef LIMEN_PROGRAM_BUCKETS_REMOTE_H
#define LIMEN_PROGRAM_BUCKETS_REMOTE_H

#include <limen/store.h>
#include <stddef.h>

typedef struct buckets_question {
	const char *url;       /* of limend, without a path; or NULL: */
	const char *unix_path; /* of its unix socket */
	const char *ca_path;   /* authorities of its certificate (PEM); NULL: those of the system */
	const char *certificate_path; /* of ours, and its key (PEM); both or neither */
	const char *key_path;
	const char *store;     /* NULL: all */
	int number;
} buckets_question;

/*
 * Calls 'each' for every bucket of the answer, whose texts are good for the call
 * only.  Returns an exit status, and has said why if it is not STATUS_GOOD; then
 * 'each' was not called.
 */
int buckets_remote_list(const buckets_question *asked,
                        void (*each)(void *data, const limen_bucket *bucket), void *data);

#endif
