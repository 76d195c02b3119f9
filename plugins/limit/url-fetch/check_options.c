/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_options.c - what the table of options cannot say: which values fit
 * together, and where the limit means more than pScheduler's
 * (docs/reference/compatibility.md).
 */
#include <string.h>

#include "url_fetch.h"

/* Replaces an invalid URL in messages: it may hold secrets before an '@' or after a '?'. */
#define PASSWORD_PERHAPS "the value (not shown, it may hold a password) is not a 'uri'"
/* "An empty string is acceptable" where a transform makes the URL. */
static bool
check_url(const url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	limen_value where = limen_opening_option(opening, "url");

	if (self->transforms[PART_URL].script != NULL) {
		if (self->url[0] == '\0')
			limen_diag_add(diag, LIMEN_SEVERITY_NOTE, where,
			               "pScheduler 5.2 refuses an empty URL on some systems; "
			               "limen accepts it with a url-transform");
		return true;
	}
	if (!http_url_valid(self->url)) {
		if (strpbrk(self->url, "@?#") != NULL)
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, PASSWORD_PERHAPS);
		else
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "'%s' is not a 'uri'",
			               self->url);
		limen_diag_hint(diag, "without a url-transform it must be a whole URL, such as "
		                      "https://example.org/path");
		return false;
	}
	if (!http_url_has_scheme(self->url, "http") && !http_url_has_scheme(self->url, "https") &&
	    !http_url_has_scheme(self->url, "file"))
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, where,
		               "only http, https and file URLs are fetched; the fail-result "
		               "always decides");
	return true;
}
static void
note_unsent(const char *key, const char *transform, const limen_transform *given,
            limen_opening *opening, limen_diag *diag)
{
	limen_value value = limen_opening_option(opening, key);

	if (given->script != NULL || limen_value_count(value) == 0)
		return;
	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, value,
	               "pScheduler 5.2 sends the %s only if there is a %s; limen always does, "
	               "as documented", key, transform);
}

static void
note_differences(const url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	note_unsent("headers", "headers-transform", &self->transforms[PART_HEADERS], opening, diag);
	note_unsent("params", "params-transform", &self->transforms[PART_PARAMS], opening, diag);
	if (strchr(self->url, '?') != NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_option(opening, "url"),
		               "pScheduler 5.2 adds a second '?' to a URL that has one; limen "
		               "extends the query");
	if (self->fail_result)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE,
		               limen_opening_option(opening, "fail-result"),
		               "pScheduler 5.2 fails when the reply is not an object or not text; "
		               "limen applies the fail-result whenever there is no answer");
	if (self->transforms[PART_URL].output_raw)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE,
		               limen_opening_option(opening, "url-transform"),
		               "pScheduler 5.2 takes the first character of the URL with "
		               "output-raw; limen takes the URL");
	if (self->timeout == 0)
		limen_diag_add(
			diag, LIMEN_SEVERITY_NOTE, limen_opening_option(opening, "timeout"),
			"pScheduler 5.2 waits without a timeout; limen waits five minutes at most");
}

bool
check_options(const url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	bool good = check_url(self, opening, diag);

	if (self->bind != NULL && !http_bind_valid(self->bind))
		good = limen_diag_refuse(diag, limen_opening_option(opening, "bind"),
		                         "'%s' is neither the name nor the address of a host",
		                         self->bind);
	if (self->proxy != NULL && (!http_url_valid(self->proxy) ||
	                            (!http_url_has_scheme(self->proxy, "http") &&
	                             !http_url_has_scheme(self->proxy, "https"))))
		good = limen_diag_refuse(diag, limen_opening_option(opening, "proxy"),
		                         "the proxy is not an http or https URL");
	note_differences(self, opening, diag);
	return good;
}
