/* SPDX-License-Identifier: Apache-2.0 */
/* script.h - a script as run.c sees it. */
#ifndef LIMEN_SUPPORT_JQ_SCRIPT_H
#define LIMEN_SUPPORT_JQ_SCRIPT_H

#include <pthread.h>

#include "jq.h"
#include "worker/state.h"
#include "worker/template.h"

struct jq_script {
	bool has_hints; /* its input is [INPUT, HINTS] */
	int64_t timeout; /* nanoseconds */
	template *template; /* whose workers run it; NULL: it runs here */
	uint32_t number;    /* in the template */
	limen_host *host;   /* NULL in tests */
	atomic_bool has_sweep; /* a job will end idle workers */
	/* Here, it is run by one thread at a time. */
	pthread_mutex_t lock;
	state *state;
	char *memory; /* of replies */
};

#endif
