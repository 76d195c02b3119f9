/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_allowed.c - lists of schemes and hosts: how a host is written in one, and
 * whether a URL may be fetched.
 *
 * Both sides are spelled by libcurl's parser: 0x7f.1 and [0:0::1] become 127.0.0.1 and
 * [::1], %2e a dot, and what stands before an '@' is no host.
 */
#include <limen/cidr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "http_private.h"

/* RFC 1035, 2.3.4: a name has 253 characters and perhaps a dot at its end. */
enum { NAME_MAX_LENGTH = 254 };

static bool
is_name(const char *text)
{
	static const char allowed[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                              "abcdefghijklmnopqrstuvwxyz._-";

	return text[0] != '\0' && text[0] != '.' && strspn(text, allowed) == strlen(text) &&
	       strlen(text) <= NAME_MAX_LENGTH && strstr(text, "..") == NULL;
}

static bool
is_address(const char *text, size_t length)
{
	limen_address address;

	return limen_address_parse(text, length, &address) == LIMEN_OK;
}

/* Returns 'text' as libcurl spells a host (its memory), or NULL.  IPv6 may have brackets. */
static char *
spell(const char *text)
{
	size_t length = strlen(text);
	bool bracketed = text[0] == '[' && text[length - 1] == ']';
	bool six = is_address(text + bracketed, length - 2 * (size_t)bracketed) &&
	           strchr(text, ':') != NULL;
	char url[NAME_MAX_LENGTH + 16];
	CURLU *parts;
	char *host = NULL;

	if (!six && !is_name(text))
		return NULL;
	snprintf(url, sizeof(url), six && !bracketed ? "http://[%s]/" : "http://%s/", text);
	parts = curl_url();
	if (parts == NULL || curl_url_set(parts, CURLUPART_URL, url, 0) != CURLUE_OK ||
	    curl_url_get(parts, CURLUPART_HOST, &host, 0) != CURLUE_OK)
		host = NULL;
	curl_url_cleanup(parts);
	return host;
}

/* Returns the length of a host without the final dot of an absolute name. */
static size_t
measure(const char *host)
{
	size_t length = strlen(host);

	if (length > 1 && host[length - 1] == '.' && !is_address(host, length - 1))
		length--;
	return length;
}

char *
http_host_spell(const char *text)
{
	bool below = strncmp(text, "*.", 2) == 0;
	char *host = spell(below ? text + 2 : text);
	char *out = NULL;

	if (host != NULL && !(below && (host[0] == '[' || is_address(host, strlen(host))))) {
		size_t length = measure(host);

		out = malloc(length + 3);
		if (out != NULL)
			snprintf(out, length + 3, "%s%.*s", below ? "*." : "", (int)length, host);
	}
	curl_free(host);
	return out;
}

static bool
is_listed(const char *host, const http_allowed *allowed)
{
	size_t length = measure(host);

	for (size_t i = 0; i < allowed->host_count; i++) {
		const char *wanted = allowed->hosts[i];
		bool below = wanted[0] == '*';
		size_t size = strlen(wanted) - below;

		if (below ? length > size : length == size)
			if (strncasecmp(host + length - size, wanted + below, size) == 0)
				return true;
	}
	return false;
}

/*
 * Returns false for international names, which libcurl rewrites for the lookup, for
 * characters that no name has, and for addresses with a scope: lists name no interface.
 */
static bool
is_plain(const char *host, CURLU *url)
{
	char *zone = NULL;
	bool plain = host[0] == '[' || is_name(host);

	if (curl_url_get(url, CURLUPART_ZONEID, &zone, 0) != CURLUE_NO_ZONEID)
		plain = false;
	curl_free(zone);
	return plain;
}

static bool
check_host(const http_allowed *allowed, CURLU *url, const char *before, char why[HTTP_ERROR_MAX])
{
	char *host = NULL;
	bool fine = false;

	if (allowed->host_count == 0)
		return true;
	if (curl_url_get(url, CURLUPART_HOST, &host, 0) != CURLUE_OK || host[0] == '\0')
		snprintf(why, HTTP_ERROR_MAX, "%sa URL without a host is not allowed", before);
	else if (!is_plain(host, url))
		snprintf(why, HTTP_ERROR_MAX, "%sa host written like that is not allowed", before);
	else if (!is_listed(host, allowed))
		snprintf(why, HTTP_ERROR_MAX, "%sthe host %.200s is not allowed", before, host);
	else
		fine = true;
	curl_free(host);
	return fine;
}

static bool
check_scheme(const http_allowed *allowed, CURLU *url, const char *before, char why[HTTP_ERROR_MAX])
{
	char *scheme = NULL;
	bool fine = allowed->scheme_count == 0;

	if (!fine && curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK)
		for (size_t i = 0; i < allowed->scheme_count; i++)
			fine = fine || strcasecmp(scheme, allowed->schemes[i]) == 0;
	if (!fine)
		snprintf(why, HTTP_ERROR_MAX, "%sthe scheme %.40s is not allowed", before,
		         scheme == NULL ? "of this URL" : scheme);
	curl_free(scheme);
	return fine;
}

bool
http_allowed_check(const http_allowed *allowed, CURLU *url, bool redirected,
                   char why[HTTP_ERROR_MAX])
{
	const char *before = redirected ? "redirected, and " : "";

	return check_scheme(allowed, url, before, why) && check_host(allowed, url, before, why);
}

bool
http_url_allowed(const char *url, const http_allowed *allowed, char why[HTTP_ERROR_MAX])
{
	CURLU *parts = curl_url();
	CURLUcode code = parts == NULL ? CURLUE_OUT_OF_MEMORY
	                               : curl_url_set(parts, CURLUPART_URL, url,
	                                              CURLU_NON_SUPPORT_SCHEME);
	bool fine = code == CURLUE_OK && http_allowed_check(allowed, parts, false, why);

	if (code != CURLUE_OK)
		snprintf(why, HTTP_ERROR_MAX, "The URL is not valid");
	curl_url_cleanup(parts);
	return fine;
}
