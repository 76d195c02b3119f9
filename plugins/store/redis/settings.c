/* SPDX-License-Identifier: Apache-2.0 */
/* settings.c - reads the options and the address of Redis; a location borrows texts of the options. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modes.h"

#define MINUTE (60 * LIMEN_SECOND)

static const char *const modes[] = { "lease", "strict", NULL };
static const char *const answers[] = { "local", "allow", "deny", NULL };
static const char *const beginnings[] = { "full", "empty", NULL };
static const char *const endings[] = { "keep", "empty", NULL };

const limen_option settings_options[] = {
	LIMEN_OPT_URL(settings, url, .key = "url",
	              .help = "Where Redis is: redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE] or "
	                      "unix:///PATH"),
	LIMEN_OPT_STRING(settings, host, .key = "host", .fallback = "127.0.0.1",
	                 .help = "Instead of a url: the host of Redis"),
	LIMEN_OPT_INT(settings, port, .key = "port", .minimum = 1, .maximum = 65535,
	              .fallback = "6379", .help = "Its port"),
	LIMEN_OPT_STRING(settings, path, .key = "path",
	                 .help = "Instead of a host: the path of the socket of Redis"),
	LIMEN_OPT_INT(settings, database, .key = "database", .minimum = 0, .maximum = 65535,
	              .fallback = "0", .help = "The number of the database"),
	LIMEN_OPT_STRING(settings, user, .key = "username",
	                 .help = "The user name in Redis; default: the user 'default'"),
	LIMEN_OPT_STRING(settings, password, .key = "password", .secret = true,
	                 .help = "The password"),
	LIMEN_OPT_STRING(settings, password_file, .key = "password-file",
	                 .help = "A file whose first line is the password"),
	LIMEN_OPT_STRING(settings, prefix, .key = "prefix", .fallback = "limen:",
	                 .help = "The prefix of all keys of this store in Redis"),
	LIMEN_OPT_ENUM(settings, mode, .key = "mode", .choices = modes, .fallback = "lease",
	               .help = "Whether decisions take from tokens leased beforehand, or ask Redis "
	                       "each time"),
	LIMEN_OPT_ENUM(settings, on_error, .key = "on-error", .choices = answers,
	               .fallback = "local",
	               .help = "While Redis is unavailable: count this process' share in memory, "
	                       "grant everything, or nothing"),
	LIMEN_OPT_INT(settings, replicas, .key = "replicas", .minimum = 1, .maximum = 1000000,
	              .fallback = "1", .help = "How many processes share the store: each has "
	                                       "1/replicas of an allowance while Redis is "
	                                       "unavailable"),
	LIMEN_OPT_DURATION(settings, timeout, .key = "timeout", .minimum = 1000,
	                   .maximum = MINUTE, .fallback = "PT0.1S",
	                   .help = "Timeout of an answer, after which Redis counts as unavailable"),
	LIMEN_OPT_DURATION(settings, connect_timeout, .key = "connect-timeout", .minimum = 1000,
	                   .maximum = MINUTE, .fallback = "PT2S",
	                   .help = "Timeout of connecting"),
	LIMEN_OPT_INT(settings, connections, .key = "connections", .minimum = 1,
	              .maximum = STRICT_WIRES_MAX, .fallback = "4",
	              .help = "In mode strict: how many decisions can ask at the same time"),
	LIMEN_OPT_DURATION(settings, lease_time, .key = "lease-time", .minimum = LIMEN_SECOND,
	                   .maximum = 60 * MINUTE, .fallback = "PT10S",
	                   .help = "In mode lease: after this time the leased tokens of a dead "
	                           "process count as used; idle tokens go back after half of it"),
	LIMEN_OPT_INT(settings, lease_least, .key = "lease-least", .minimum = 1,
	              .maximum = INT64_C(1) << 40, .fallback = "1",
	              .help = "In mode lease: the fewest tokens of a bucket worth leasing"),
	LIMEN_OPT_INT(settings, lease_most, .key = "lease-most", .minimum = 1,
	              .maximum = INT64_C(1) << 40, .fallback = "1000000",
	              .help = "In mode lease: the most tokens of a bucket to have ready; never more "
	                      "than an eighth of the burst"),
	LIMEN_OPT_INT(settings, capacity, .key = "capacity", .minimum = 1,
	              .maximum = INT64_C(1) << 24, .fallback = "65536",
	              .help = "In mode lease: maximum number of buckets with leased tokens"),
	LIMEN_OPT_ENUM(settings, new_database, .key = "new-database", .choices = beginnings,
	               .fallback = "full",
	               .help = "Whether buckets start full or empty in a new database; after a "
	                       "loss of state they start empty"),
	LIMEN_OPT_ENUM(settings, after_failover, .key = "after-failover", .choices = endings,
	               .fallback = "keep",
	               .help = "Whether buckets keep their counts when a replica that was in "
	                       "step becomes the master, or start empty"),
	LIMEN_OPT_BOOL(settings, keeps_all, .key = "persistent", .fallback = "false",
	               .help = "Redis keeps every write (appendfsync always), so a restart loses "
	                       "nothing"),
	LIMEN_OPT_END
};

/* ---- URLs, cut apart in place ---- */

/* Resolves %XX (RFC 3986, 2.1) in place; false for anything else after a %, and for %00. */
static bool
decode(char *text)
{
	char *out = text;

	while (*text != '\0') {
		unsigned byte = (unsigned char)*text++;

		if (byte == '%') {
			if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]) ||
			    sscanf(text, "%2x", &byte) != 1 || byte == 0)
				return false;
			text += 2;
		}
		*out++ = (char)byte;
	}
	*out = '\0';
	return true;
}

static bool
read_number(const char *text, int64_t least, int64_t *out)
{
	size_t length = strspn(text, "0123456789");

	if (length == 0 || length > 5 || text[length] != '\0')
		return false;
	*out = strtol(text, NULL, 10);
	return *out >= least && *out <= 65535;
}

static bool
read_login(location *out, char *text)
{
	char *colon = strchr(text, ':');

	if (colon != NULL) {
		*colon = '\0';
		out->password = colon + 1;
		if (!decode(colon + 1))
			return false;
	}
	if (*text != '\0')
		out->user = text;
	return decode(text);
}

static bool
read_host(location *out, char *text)
{
	bool bracketed = text[0] == '[';
	char *end = text + strcspn(text, bracketed ? "]" : ":");
	const char *rest = *end == ']' ? end + 1 : end;

	if (end == text || (bracketed && *end == '\0') || (*rest != '\0' && *rest != ':') ||
	    (*rest == ':' && !read_number(rest + 1, 1, &out->port)))
		return false;
	*end = '\0';
	out->host = text + bracketed;
	return bracketed || (decode(text) && strpbrk(text, ", ") == NULL);
}

static bool
read_network(location *out, char *text)
{
	char *rest = text + strcspn(text, "/?#");
	char mark = *rest;
	char *at;

	*rest = '\0';
	at = strrchr(text, '@');
	if (at != NULL)
		*at = '\0';
	if ((at != NULL && !read_login(out, text)) || !read_host(out, at == NULL ? text : at + 1))
		return false;
	if (mark == '/' && rest[1] != '\0')
		return read_number(rest + 1, 0, &out->database);
	return mark == '\0' || mark == '/';
}

static bool
read_url(location *out, char *url, const char **why)
{
	*why = "not of the form redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE] or unix:///PATH";
	if (strncmp(url, "redis://", 8) == 0)
		return read_network(out, url + 8);
	if (strncmp(url, "unix:///", 8) == 0 && strpbrk(url, "?#") == NULL) {
		out->path = url + 7;
		return decode(url + 7);
	}
	if (strncmp(url, "rediss://", 9) == 0)
		*why = "for TLS, which this module does not speak: connect to a local proxy such as "
		       "stunnel";
	return false;
}

/* ---- the location ---- */

static bool
is_given(limen_opening *opening, const char *key)
{
	return limen_value_exists(limen_opening_option(opening, key));
}

static int
refuse(limen_opening *opening, limen_diag *diag, const char *key, const char *why)
{
	/* The value may hold a password. */
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, key),
	               "'%s' is %s", key, why);
	return LIMEN_EINVAL;
}

static int
check_together(const settings *options, limen_opening *opening, limen_diag *diag)
{
	static const char *const instead[] = { "host", "port", "path", "database" };

	for (size_t i = 0; options->url != NULL && i < sizeof(instead) / sizeof(instead[0]); i++) {
		if (is_given(opening, instead[i]))
			return refuse(opening, diag, instead[i], "part of the url already");
	}
	if (options->path != NULL && (is_given(opening, "host") || is_given(opening, "port")))
		return refuse(opening, diag, "path", "given instead of a host, not beside it");
	if (options->password != NULL && options->password_file != NULL)
		return refuse(opening, diag, "password-file", "given beside a password");
	if (options->keeps_all && options->after_failover == FAILOVER_EMPTIES)
		return refuse(opening, diag, "after-failover", "'empty', but 'persistent' keeps all");
	if (options->lease_least > options->lease_most)
		return refuse(opening, diag, "lease-least", "more than lease-most");
	return LIMEN_OK;
}

static int
read_user(const settings *options, limen_opening *opening, location *out, limen_diag *diag)
{
	const char *text;
	size_t length;
	int result;

	if (options->user != NULL)
		out->user = options->user;
	if (options->password != NULL)
		out->password = options->password;
	if (options->password_file != NULL) {
		result = limen_opening_file(opening, options->password_file,
		                            limen_opening_option(opening, "password-file"), &text,
		                            &length, diag);
		if (result != LIMEN_OK)
			return result;
		out->password = out->line = strndup(text, strcspn(text, "\r\n"));
		if (out->line == NULL)
			return LIMEN_ENOMEM;
	}
	if (out->user != NULL && out->password == NULL)
		return refuse(opening, diag, options->url == NULL ? "username" : "url",
		              "of no use without a password");
	return LIMEN_OK;
}

int
settings_location(const settings *options, limen_opening *opening, location *out,
                  limen_diag *diag)
{
	const char *why;
	int result = check_together(options, opening, diag);

	if (result != LIMEN_OK)
		return result;
	*out = (location){ .port = 6379 };
	if (options->url == NULL) {
		*out = (location){ .path = options->path,
			           .host = options->path == NULL ? options->host : NULL,
			           .port = options->port,
			           .database = options->database };
	} else {
		out->url = strdup(options->url);
		if (out->url == NULL)
			return LIMEN_ENOMEM;
		if (!read_url(out, out->url, &why))
			return refuse(opening, diag, "url", why);
	}
	result = read_user(options, opening, out, diag);
	if (out->path != NULL)
		snprintf(out->shown, sizeof(out->shown), "%s", out->path);
	else if (out->host != NULL)
		snprintf(out->shown, sizeof(out->shown), "%s:%" PRId64, out->host, out->port);
	return result;
}

void
location_clear(location *where)
{
	free(where->url);
	if (where->line != NULL)
		explicit_bzero(where->line, strlen(where->line));
	free(where->line);
}
