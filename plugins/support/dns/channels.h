/* SPDX-License-Identifier: Apache-2.0 */
/*
 * channels.h - asks name servers, thousands of questions at once on one thread.
 *
 * A few questions at a time have a channel of c-ares each, and so a socket of their own, whose
 * port an attacker cannot guess.  More share the channels.
 */
#ifndef LIMEN_DNS_CHANNELS_H
#define LIMEN_DNS_CHANNELS_H

#include "cache.h"
#include "servers.h"

/* Queries in flight at once: all that c-ares knows, also those that nobody waits for any more. */
#define CHANNELS_QUERIES_MAX 32768

typedef struct channels channels;

/*
 * Makes channels to 'list'; if that is empty, to the servers of the file 'path', which must
 * outlive them.  Answers go to 'store', which forgets all when the file has changed.  NULL when
 * memory is short.
 */
channels *channels_new(const servers *list, const char *path, cache *store);

/* Ends the thread; questions under way end as failures.  NULL is fine. */
void channels_free(channels *stock);

/*
 * Asks what the caller has claimed in the cache, which settles it within 'deadline' or what the
 * cache has made of it.  False with too many queries in flight, or when memory or a thread cannot
 * be had: nothing is settled.
 */
bool channels_ask(channels *stock, const key *question, limen_deadline deadline);

/* Counts of questions and failures so far, for dns_report(). */
typedef struct channels_figures {
	int64_t questions; /* sent */
	int64_t failures;
	const char *error; /* the last failure, a static text, or NULL */
} channels_figures;

channels_figures channels_count(channels *stock);

#endif
