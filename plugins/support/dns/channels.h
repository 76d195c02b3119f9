/* SPDX-License-Identifier: Apache-2.0 */
/*
 * channels.h - asks name servers.
 *
 * A channel of c-ares must not be shared by threads, so each question takes one from a
 * small pool.  With one question at a time c-ares opens a new socket for each, whose port
 * an attacker cannot guess.
 */
#ifndef LIMEN_DNS_CHANNELS_H
#define LIMEN_DNS_CHANNELS_H

#include "answer.h"
#include "servers.h"

typedef struct channels channels;

/*
 * Makes a stock for 'list'; if that is empty, for those of the file 'path', which
 * must outlive it.  NULL when memory is short.
 */
channels *channels_new(const servers *list, const char *path);
void channels_free(channels *stock); /* NULL is fine */

/*
 * Has the file that names the servers changed since the last call?  It is looked
 * at once a second at most.
 */
bool channels_are_stale(channels *stock);

/*
 * Asks about 'name' and waits for the answer until limen_host_monotonic() reaches
 * 'deadline'.  NULL when memory is short.
 */
answer *channels_ask(channels *stock, dns_type type, const char *name, limen_deadline deadline);

#endif
