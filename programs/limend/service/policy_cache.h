/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_cache.h - keeps the last good text of a policy at a URL in the cache directory, for a
 * start while its server is down.
 */
#ifndef LIMEND_POLICY_CACHE_H
#define LIMEND_POLICY_CACHE_H

#include "../common/policy_url.h"

/*
 * Stores the text of 'url' in 'directory', which is made if it does not exist.  A failure is
 * logged.
 */
void policy_cache_store(const char *directory, const char *url, const policy_text *content);

/*
 * Reads the text of 'url' and the time of its file.  Returns false if there is none, or if another
 * user may have written it.  Clear 'out' with policy_text_clear() after true.
 */
bool policy_cache_read(const char *directory, const char *url, policy_text *out,
                       limen_time *stored);

#endif
