/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_headers.c - the headers of a request.
 */
#include <limen/version.h>
#include <strings.h>

#include "http_private.h"

/* Adds a line; on failure the list is freed and gone. */
static bool
add_header(struct curl_slist **list, const char *line)
{
	struct curl_slist *longer = curl_slist_append(*list, line);

	if (longer == NULL) {
		curl_slist_free_all(*list);
		*list = NULL;
		return false;
	}
	*list = longer;
	return true;
}

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
		if (strange && is_credential(request->headers[i]))
			continue;
		if (!add_header(list, request->headers[i]))
			return false;
	}
	return curl_easy_setopt(handle, CURLOPT_USERAGENT, "limen/" LIMEN_VERSION) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_HTTPHEADER, *list) == CURLE_OK;
}
