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
network_list *network_list_new(const list_text *text, const list_version *version, int64_t fresh);

network_list *network_list_ref(network_list *list);
void network_list_unref(network_list *list); /* NULL is fine */

/*
 * ---- list_cache.c: the file that keeps a list over a restart ----
 *
 * It holds lines of text, and is replaced as a whole.  A file that is cut, or of another list or
 * program, is not used.  Its modification time is the time at which the list was downloaded or
 * found unchanged.
 */

#define LIST_HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a: it tells sources apart. */
uint64_t list_hash(uint64_t before, const void *bytes, size_t length);

/*
 * Returns the list in the file at 'path' if it was written for 'key'.  NULL, and
 * a static text or NULL (there is no file) in '*why'.
 */
network_list *list_cache_read(const char *path, uint64_t key, const char **why);

/* Replaces the file as a whole or not at all.  Returns 0 or an errno. */
int list_cache_write(const char *path, uint64_t key, const list_text *text,
                     const list_version *version);

/*
 * Sets the time of the file to now if it has the list of 'key' and 'version'.  Returns
 * false if it has not, or there is no file: another process may have written an older one.
 */
bool list_cache_touch(const char *path, uint64_t key, const list_version *version);

#endif
