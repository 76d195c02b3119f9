/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_headers.c - the headers of a request.
 */
#include <limen/version.h>
#include <strings.h>

#include "http_private.h"

/* Returns true for headers that, as in libcurl, a redirect does not take to another server. */
static bool
is_credential(const char *line)
{
	return strncasecmp(line, "Authorization:", 14) == 0 ||
	       strncasecmp(line, "Cookie:", 7) == 0;
}

bool
http_headers_set(CURL *handle, const http_request *request, bool strange, struct curl_slist **list)
{
	curl_slist_free_all(*list);
	*list = NULL;
	for (size_t i = 0; i < request->header_count; i++) {
		struct curl_slist *longer;

		if (strange && is_credential(request->headers[i]))
			continue;
		longer = curl_slist_append(*list, request->headers[i]);
		if (longer == NULL)
			return false;
		*list = longer;
	}
	return curl_easy_setopt(handle, CURLOPT_USERAGENT, "limen/" LIMEN_VERSION) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_HTTPHEADER, *list) == CURLE_OK;
}
