/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_headers.c - the headers of a request.
 */
#include <limen/version.h>
#include <strings.h>

#include "http_private.h"

bool
http_headers_set(CURL *handle, const http_request *request, bool strange, struct curl_slist **list)
{
	curl_slist_free_all(*list);
	*list = NULL;
	for (size_t i = 0; i < request->header_count; i++) {
		const char *line = request->headers[i];
		struct curl_slist *longer;

		/* As in libcurl, a redirect takes no credentials to another server. */
		if (strange && (strncasecmp(line, "Authorization:", 14) == 0 ||
		                strncasecmp(line, "Cookie:", 7) == 0))
			continue;
		longer = curl_slist_append(*list, line);
		if (longer == NULL)
			return false;
		*list = longer;
	}
	return curl_easy_setopt(handle, CURLOPT_USERAGENT, "limen/" LIMEN_VERSION) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_HTTPHEADER, *list) == CURLE_OK;
}
