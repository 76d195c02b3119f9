/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_source.h - where a list comes from, and the newest that came: downloads
 * in the background, the cache file, what is known about the last attempt.
 *
 * Only the job that downloads replaces the current list.
 * Decisions read it without waiting (swap.h).
 */
#ifndef LIMEN_IP_CIDR_LIST_URL_LIST_SOURCE_H
#define LIMEN_IP_CIDR_LIST_URL_LIST_SOURCE_H

#include <limen/module.h>
#include <limits.h>
#include <pthread.h>

#include "../../support/jq/jq.h"
#include "../../support/swap.h"
#include "network_list.h"

/* The options that say how; they belong to the instance. */
typedef struct list_settings {
	const char *source;
	limen_duration update;
	limen_duration retry;
	limen_transform transform; /* no script: the body is the list */
	const char *bind;          /* may be NULL */
	const char *ca_file;       /* may be NULL */
	limen_duration timeout;
	int64_t max_size;
	int64_t minimum_entries; /* a list with fewer counts as a failed download */
	limen_duration transform_timeout;
	int sandbox;
} list_settings;

typedef struct list_source {
	const list_settings *settings;
	limen_host *host;
	char *shown; /* the URL without a password and a query */
	uint64_t key; /* of the source and the transform */
	jq_script *script;
	const char *ca_pem; /* what 'ca_file' holds, or NULL */
	http_client *client;
	bool has_cache;
	char cache[PATH_MAX];
	swap lists; /* network_list; NULL: none yet */

	pthread_mutex_t lock; /* guards what follows */
	char error[512];      /* of the last attempt; "": it went well */
} list_source;

/*
 * Opens 'source', which is zeroed.  It begins with the list of 'before' (may be
 * NULL) if that is of the same URL and transform, else with that of the cache
 * file.  Returns LIMEN_OK, or another result with a problem in 'diag'.
 */
int list_source_open(list_source *source, const list_settings *settings,
                     const list_source *before, limen_opening *opening, limen_diag *diag);

/* Its job has ended by then (limen/host.h). */
void list_source_close(list_source *source);

/* Returns the list, valid until list_source_leave(); NULL: there is none. */
const network_list *list_source_enter(const list_source *source, unsigned *turn);
void list_source_leave(const list_source *source, unsigned turn);

void list_source_status(const list_source *source, limen_builder *build);

/* ---- list_update.c ---- */

/* A limen_job: tries to download the list of the list_source 'data', and asks for the next try. */
void list_update_run(void *data);

/* How long until the first try: at once, unless there is a list that is young enough. */
limen_duration list_update_first(const list_source *source);

#endif
