/* SPDX-License-Identifier: Apache-2.0 */
/*
 * network_list.h - a list that was downloaded, ready to be asked.  It never
 * changes, but for the time it was last known to be good; instances of one
 * entry before and after a reload may share it.
 */
#ifndef LIMEN_IP_CIDR_LIST_URL_NETWORK_LIST_H
#define LIMEN_IP_CIDR_LIST_URL_NETWORK_LIST_H

#include <stdatomic.h>
#include <stdbool.h>

#include "../../support/http/http.h"
#include "list_text.h"

/* How the server tells this version of the list from the next; as in http_answer. */
typedef struct list_version {
	char etag[HTTP_VALIDATOR_MAX];
	char modified[HTTP_VALIDATOR_MAX];
} list_version;

typedef struct network_list {
	atomic_uint references;
	limen_cidr_set *set;
	size_t count;
	size_t skipped;
	list_version version;       /* empty texts: the server named none */
	atomic_bool unkept;         /* it is not in the cache file */
	atomic_int_least64_t fresh; /* when it was downloaded or found unchanged;
	                               limen_host_monotonic() */
} network_list;

/* Returns a list with one reference, or NULL when memory is short. */
network_list *network_list_new(const list_text *text, const list_version *version,
                               int64_t fresh);

network_list *network_list_ref(network_list *list);
void network_list_unref(network_list *list); /* NULL is fine */

#endif
