/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_cache.h - the file that keeps a list over a restart.
 *
 * It holds lines of text and ends with a checksum.  A file that is torn, or of another
 * list or program, is not used.  Its modification time is the time at which the list was
 * downloaded or found unchanged.
 */
#ifndef LIMEN_IP_CIDR_LIST_URL_LIST_CACHE_H
#define LIMEN_IP_CIDR_LIST_URL_LIST_CACHE_H

#include "network_list.h"

#define LIST_HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a: detects accidents, not attackers, who could write to the file anyway. */
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
