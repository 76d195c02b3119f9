/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allowed.c - the options schemes and hosts: where requests may go, whatever a script
 * or a redirect says.
 */
#include <stdlib.h>
#include <string.h>

#include "url_fetch.h"
/* Read strictly, an empty list would fetch nothing; left to http_allowed, everything. */
static bool
check_list(const char *key, const limen_strings *list, limen_opening *opening, limen_diag *diag)
{
	limen_value value = limen_opening_option(opening, key);

	if (!limen_value_exists(value) || list->count > 0)
		return true;
	return limen_diag_refuse(diag, value, "an empty list of %s allows nothing", key);
}

static bool
check_schemes(const url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	limen_value where = limen_opening_option(opening, "schemes");
	bool good = check_list("schemes", &self->schemes, opening, diag);

	for (size_t i = 0; i < self->schemes.count; i++) {
		const char *scheme = self->schemes.items[i];

		if (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0 ||
		    strcmp(scheme, "file") == 0)
			continue;
		good = limen_diag_refuse(diag, where,
		                         "'%s' is not one of ['http', 'https', 'file']", scheme);
	}
	return good;
}

static bool
spell_hosts(url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	limen_value where = limen_opening_option(opening, "hosts");
	bool good = check_list("hosts", &self->hosts, opening, diag);

	for (size_t i = 0; i < self->hosts.count; i++) {
		self->listed[i] = http_host_spell(self->hosts.items[i]);
		if (self->listed[i] != NULL)
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "'%s' is neither the name of a host nor an address",
		               self->hosts.items[i]);
		limen_diag_hint(diag, "a host has no scheme, port or path here; *.example.org "
		                      "is every host below example.org");
		good = false;
	}
	return good;
}

/* Reports a configured URL that the policy's own 'schemes' or 'hosts' refuse. */
static bool
check_own(const url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	char why[HTTP_ERROR_MAX];

	if (self->transforms[PART_URL].script != NULL || !http_url_valid(self->url) ||
	    http_url_allowed(self->url, &self->allowed, why))
		return true;
	return limen_diag_refuse(diag, limen_opening_option(opening, "url"),
	                         "it would never be fetched: %s", why);
}

int
allowed_make(url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	bool good;

	self->listed = calloc(self->hosts.count + 1, sizeof(*self->listed));
	if (self->listed == NULL)
		return LIMEN_ENOMEM;
	good = check_schemes(self, opening, diag);
	good = spell_hosts(self, opening, diag) && good;
	self->allowed = (http_allowed){
		.schemes = self->schemes.items,
		.scheme_count = self->schemes.count,
		.hosts = (const char *const *)self->listed,
		.host_count = self->hosts.count
	};
	return good && check_own(self, opening, diag) ? LIMEN_OK : LIMEN_EINVAL;
}

void
allowed_clear(url_fetch *self)
{
	for (size_t i = 0; self->listed != NULL && i < self->hosts.count; i++)
		free(self->listed[i]);
	free(self->listed);
}
