/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_url.c - URLs as text: their scheme, the file that one names, and their
 * form for messages.
 */
#include <curl/curl.h>
#include <limen/cidr.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "http_private.h"

bool
http_url_has_scheme(const char *url, const char *scheme)
{
	size_t length = strlen(scheme);

	return strncasecmp(url, scheme, length) == 0 && url[length] == ':';
}

bool
http_url_valid(const char *url)
{
	CURLU *parts;
	bool valid;

	for (const char *c = url; *c != '\0'; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	parts = curl_url();
	valid = parts != NULL &&
	        curl_url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
	curl_url_cleanup(parts);
	return valid;
}

/* Letters of host names and interfaces; libcurl reads "if!" and "host!" as words of its own. */
bool
http_bind_valid(const char *text)
{
	static const char allowed[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                              "abcdefghijklmnopqrstuvwxyz._-";
	limen_address address;
	size_t length = strlen(text);

	if (limen_address_parse(text, length, &address) == LIMEN_OK)
		return true;
	return length > 0 && length < 256 && text[0] != '-' && text[0] != '.' &&
	       strspn(text, allowed) == length;
}

/* Returns false if stat() fails: libcurl then reports why it cannot open the file. */
bool
http_url_is_special_file(const char *url)
{
	CURLU *parts = curl_url();
	char *path = NULL;
	struct stat facts;
	bool special = true;

	if (parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
	    curl_url_get(parts, CURLUPART_PATH, &path, CURLU_URLDECODE) == CURLUE_OK)
		special = stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
	curl_free(path);
	curl_url_cleanup(parts);
	return special;
}

/* Parts that may hold secrets.  Messages omit the first SHOWN, origins the first ORIGIN. */
static const CURLUPart secrets[] = { CURLUPART_USER,  CURLUPART_PASSWORD, CURLUPART_OPTIONS,
	                             CURLUPART_QUERY, CURLUPART_FRAGMENT, CURLUPART_PATH };

enum { SHOWN = 5, ORIGIN = 6 };

/* Returns the rest of 'url' in libcurl's memory, or NULL. */
static char *
remove_secrets(CURLU *parts, const char *url, size_t count)
{
	char *shown = NULL;

	if (curl_url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		const char *instead = secrets[i] == CURLUPART_PATH ? "/" : NULL;

		if (curl_url_set(parts, secrets[i], instead, 0) != CURLUE_OK)
			return NULL;
	}
	return curl_url_get(parts, CURLUPART_URL, &shown, 0) == CURLUE_OK ? shown : NULL;
}

/* libcurl parses the URL, as it does to connect: both find the user in the same place. */
static char *
copy_without(const char *url, size_t count)
{
	CURLU *parts = curl_url();
	char *shown;
	char *copy;

	if (parts == NULL)
		return NULL;
	shown = remove_secrets(parts, url, count);
	copy = strdup(shown == NULL ? "(URL)" : shown);
	curl_free(shown);
	curl_url_cleanup(parts);
	return copy;
}

char *
http_url_shown(const char *url)
{
	return strpbrk(url, "@?#") == NULL ? strdup(url) : copy_without(url, SHOWN);
}

char *
http_url_origin(const char *url)
{
	return copy_without(url, ORIGIN);
}

/* Takes the user and the password out of 'parts', for 'handle'. */
static bool
move_credentials(CURL *handle, CURLU *parts)
{
	char *user = NULL;
	char *password = NULL;
	bool moved;

	curl_url_get(parts, CURLUPART_USER, &user, CURLU_URLDECODE);
	curl_url_get(parts, CURLUPART_PASSWORD, &password, CURLU_URLDECODE);
	moved = curl_easy_setopt(handle, CURLOPT_USERNAME, user) == CURLE_OK &&
	        curl_easy_setopt(handle, CURLOPT_PASSWORD, password) == CURLE_OK &&
	        curl_url_set(parts, CURLUPART_USER, NULL, 0) == CURLUE_OK &&
	        curl_url_set(parts, CURLUPART_PASSWORD, NULL, 0) == CURLUE_OK;
	curl_free(user);
	curl_free(password);
	return moved;
}

bool
http_url_use(CURL *handle, const char *url)
{
	CURLU *parts = strchr(url, '@') == NULL ? NULL : curl_url();
	char *user = NULL;
	char *rest = NULL;
	bool used;

	if (parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
	    curl_url_get(parts, CURLUPART_USER, &user, 0) == CURLUE_OK) {
		used = move_credentials(handle, parts) &&
		       curl_url_get(parts, CURLUPART_URL, &rest, 0) == CURLUE_OK &&
		       curl_easy_setopt(handle, CURLOPT_URL, rest) == CURLE_OK;
	} else {
		used = curl_easy_setopt(handle, CURLOPT_URL, url) == CURLE_OK;
	}
	curl_free(user);
	curl_free(rest);
	curl_url_cleanup(parts);
	return used;
}
