/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_hops.c - follows redirects if hosts or schemes are restricted: libcurl would
 * connect to any.
 *
 * The rules are those of libcurl (CURLOPT_FOLLOWLOCATION): credentials do not follow to
 * another host, port or scheme.  libcurl gets the parsed URL that was checked, so that it
 * is not parsed twice.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "http_private.h"

/* Are the parts the same, or missing from both? */
static bool
is_same(CURLU *item, CURLU *other, CURLUPart part)
{
	char *left = NULL;
	char *right = NULL;
	bool same;

	curl_url_get(item, part, &left, CURLU_DEFAULT_PORT);
	curl_url_get(other, part, &right, CURLU_DEFAULT_PORT);
	same = left != NULL && right != NULL && strcasecmp(left, right) == 0;
	curl_free(left);
	curl_free(right);
	return same;
}

/* A password of the first URL counts for its server, also where a redirect leaves it out. */
static bool
copy_part(CURLU *to, CURLU *from, CURLUPart part)
{
	char *text = NULL;
	bool good = curl_url_get(from, part, &text, 0) != CURLUE_OK ||
	            curl_url_set(to, part, text, 0) == CURLUE_OK;

	curl_free(text);
	return good;
}

static bool
use(http_hops *hops, CURL *handle, bool redirected, char error[HTTP_ERROR_MAX])
{
	return http_allowed_check(hops->request->allowed, hops->next, redirected, error) &&
	       curl_easy_setopt(handle, CURLOPT_CURLU, hops->next) == CURLE_OK;
}

CURLcode
http_hops_start(http_hops *hops, CURL *handle, const http_request *request,
                char error[HTTP_ERROR_MAX])
{
	*hops = (http_hops){ .request = request, .first = curl_url() };
	if (hops->first == NULL)
		return CURLE_OUT_OF_MEMORY;
	if (curl_url_set(hops->first, CURLUPART_URL, request->url, CURLU_NON_SUPPORT_SCHEME) !=
	    CURLUE_OK)
		return CURLE_URL_MALFORMAT;
	hops->next = curl_url_dup(hops->first);
	if (hops->next == NULL)
		return CURLE_OUT_OF_MEMORY;
	return use(hops, handle, false, error) ? CURLE_OK : CURLE_REMOTE_ACCESS_DENIED;
}

/* Takes the URL of a redirect for the next one. */
static CURLcode
take(http_hops *hops, const char *url)
{
	CURLU *next = curl_url();
	CURLUcode code = next == NULL ? CURLUE_OUT_OF_MEMORY
	                              : curl_url_set(next, CURLUPART_URL, url,
	                                             CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE);

	if (code != CURLUE_OK) {
		curl_url_cleanup(next);
		return code == CURLUE_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_URL_MALFORMAT;
	}
	/* libcurl has a copy of the one before. */
	curl_url_cleanup(hops->next);
	hops->next = next;
	hops->strange = hops->strange || !is_same(next, hops->first, CURLUPART_SCHEME) ||
	                !is_same(next, hops->first, CURLUPART_HOST) ||
	                !is_same(next, hops->first, CURLUPART_PORT);
	if (!hops->strange && (!copy_part(next, hops->first, CURLUPART_USER) ||
	                       !copy_part(next, hops->first, CURLUPART_PASSWORD)))
		return CURLE_OUT_OF_MEMORY;
	return CURLE_OK;
}

static CURLcode
go_to(http_hops *hops, CURL *handle, const char *url, char error[HTTP_ERROR_MAX])
{
	CURLcode code;

	if (hops->count == HTTP_REDIRECTS_MAX)
		return CURLE_TOO_MANY_REDIRECTS;
	hops->count++;
	code = take(hops, url);
	if (code != CURLE_OK)
		return code;
	return use(hops, handle, true, error) ? CURLE_OK : CURLE_REMOTE_ACCESS_DENIED;
}

bool
http_hops_go_on(http_hops *hops, CURL *handle, CURLcode *code, char error[HTTP_ERROR_MAX])
{
	char *url = NULL;

	if (hops->request->no_redirects ||
	    curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url) != CURLE_OK || url == NULL)
		return false;
	*code = go_to(hops, handle, url, error);
	return *code == CURLE_OK;
}

void
http_hops_end(http_hops *hops)
{
	curl_url_cleanup(hops->first);
	curl_url_cleanup(hops->next);
}
