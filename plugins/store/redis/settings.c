/* SPDX-License-Identifier: Apache-2.0 */
/* settings.c - the options, the URL and the files that they name. */
#include <ctype.h>
#include <gnutls/gnutls.h>
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
	              .help = "Where Redis is: redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], "
	                      "with TLS rediss://..., or unix:///PATH"),
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
	LIMEN_OPT_STRINGS(settings, sentinels, .key = "sentinels", .minimum_count = 1,
	                  .help = "Instead of a host: the Sentinels that know it, as HOST:PORT"),
	LIMEN_OPT_STRING(settings, master, .key = "master",
	                 .help = "The name of the master in the Sentinels"),
	LIMEN_OPT_STRINGS(settings, cluster, .key = "cluster", .minimum_count = 1,
	                  .help = "Instead of a host: nodes of a Redis Cluster, as HOST:PORT, of "
	                          "which one is enough"),
	LIMEN_OPT_STRING(settings, sentinel_user, .key = "sentinel-username",
	                 .help = "The user name in the Sentinels; default: the user 'default'"),
	LIMEN_OPT_STRING(settings, sentinel_password_file, .key = "sentinel-password-file",
	                 .help = "A file whose first line is the password in the Sentinels"),
	LIMEN_OPT_BOOL(settings, tls, .key = "tls", .fallback = "false",
	               .help = "Whether connections use TLS, also those to Sentinels"),
	LIMEN_OPT_STRING(settings, ca_file, .key = "ca-file",
	                 .help = "With TLS: a file with the authorities of Redis; default: those of "
	                         "the system"),
	LIMEN_OPT_STRING(settings, certificate, .key = "certificate",
	                 .help = "With TLS: a file with the certificate that Redis asks for"),
	LIMEN_OPT_STRING(settings, key, .key = "key", .help = "The file with its private key"),
	LIMEN_OPT_STRING(settings, server_name, .key = "server-name",
	                 .help = "With TLS: the name in the certificate of Redis; default: the host"),
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

	*out = length > 0 && length <= 5 && text[length] == '\0' ? strtol(text, NULL, 10) : -1;
	return *out >= least && *out <= 65535;
}

/* Cuts HOST, HOST:PORT or [ADDRESS]:PORT apart; without a port it keeps '*port'. */
static bool
read_host(char *text, const char **host, int64_t *port)
{
	bool bracketed = text[0] == '[';
	char *end = text + strcspn(text, bracketed ? "]" : ":");
	const char *rest = *end == ']' ? end + 1 : end;

	if (end == text || (bracketed && *end == '\0') || (*rest != '\0' && *rest != ':') ||
	    (*rest == ':' && !read_number(rest + 1, 1, port)))
		return false;
	*end = '\0';
	*host = text + bracketed;
	return bracketed || (decode(text) && strpbrk(text, ", /@") == NULL);
}

/* Names and passwords that options give count. */
static bool
read_login(settings *options, char *user)
{
	char *password = user + strcspn(user, ":");

	if (*password != '\0')
		*password++ = '\0';
	else
		password = NULL;
	if (!decode(user) || (password != NULL && !decode(password)))
		return false;
	if (options->user == NULL && *user != '\0')
		options->user = user;
	if (options->password == NULL)
		options->password = password;
	return true;
}

static bool
read_network(settings *options, char *text)
{
	char *rest = text + strcspn(text, "/?#");
	char mark = *rest;
	char *at;

	*rest = '\0';
	at = strrchr(text, '@');
	if (at != NULL)
		*at = '\0';
	if ((at != NULL && !read_login(options, text)) ||
	    !read_host(at == NULL ? text : at + 1, &options->host, &options->port))
		return false;
	if (mark == '/' && rest[1] != '\0')
		return read_number(rest + 1, 0, &options->database);
	return mark == '\0' || mark == '/';
}

/* Cuts 'url' apart in place. */
static bool
read_url(settings *options, char *url)
{
	bool secure = strncmp(url, "rediss://", 9) == 0;

	options->tls |= secure;
	if (secure || strncmp(url, "redis://", 8) == 0)
		return read_network(options, url + (secure ? 9 : 8));
	if (strncmp(url, "unix:///", 8) != 0 || strpbrk(url, "?#") != NULL)
		return false;
	options->path = url + 7;
	return decode(url + 7);
}

/* The checks read from the opening, and write their problems to the list. */
typedef struct context {
	limen_opening *opening;
	limen_diag *diag;
} context;

static bool
is_given(const context *of, const char *key)
{
	return limen_value_exists(limen_opening_option(of->opening, key));
}

static int
refuse(const context *of, const char *key, const char *why)
{
	/* The value may hold a password. */
	limen_diag_add(of->diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(of->opening, key),
	               "'%s' is %s", key, why);
	return LIMEN_EINVAL;
}

/* Options of which the first excludes the second or, with a '+', needs it. */
static const char *const pairs[][2] = {
	{ "url", "host" }, { "url", "port" }, { "url", "path" }, { "url", "database" },
	{ "path", "host" }, { "path", "port" }, { "password", "password-file" },
	{ "sentinels", "url" }, { "sentinels", "host" }, { "sentinels", "port" },
	{ "sentinels", "path" }, { "cluster", "url" }, { "cluster", "host" },
	{ "cluster", "port" }, { "cluster", "path" }, { "cluster", "database" },
	{ "cluster", "sentinels" }, { "certificate", "+key" }, { "key", "+certificate" },
	{ "sentinels", "+master" }, { "master", "+sentinels" },
	{ "sentinel-password-file", "+sentinels" },
	{ "sentinel-username", "+sentinel-password-file" },
};

static int
check_pairs(const context *of)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		bool needs = *pairs[i][1] == '+';
		const char *first = pairs[i][0], *second = pairs[i][1] + needs;

		if (!is_given(of, first) || is_given(of, second) == needs)
			continue;
		limen_diag_add(of->diag, LIMEN_SEVERITY_PROBLEM,
		               limen_opening_option(of->opening, needs ? first : second),
		               needs ? "'%s' is of no use without '%s'"
		                     : "'%s' cannot be given beside '%s'",
		               needs ? first : second, needs ? second : first);
		return LIMEN_EINVAL;
	}
	return LIMEN_OK;
}

/* Reads the Sentinels, or the nodes of a cluster. */
static int
read_places(settings *options, const context *of)
{
	bool watched = options->sentinels.count > 0;
	const limen_strings *list = watched ? &options->sentinels : &options->cluster;

	options->places = calloc(list->count + 1, sizeof(place));
	if (options->places == NULL)
		return LIMEN_ENOMEM;
	for (options->place_count = 0; options->place_count < list->count; options->place_count++) {
		place *out = &options->places[options->place_count];
		const char *text = list->items[options->place_count], *host;
		char copy[sizeof(out->host)];

		out->port = watched ? SENTINEL_PORT : REDIS_PORT;
		if ((size_t)snprintf(copy, sizeof(copy), "%s", text) >= sizeof(copy) ||
		    !read_host(copy, &host, &out->port))
			return refuse(of, watched ? "sentinels" : "cluster", "not a list of HOST:PORT");
		snprintf(out->host, sizeof(out->host), "%s", host);
	}
	return LIMEN_OK;
}

static int
check_together(settings *options, const context *of)
{
	/* The tags of names stand behind it. */
	if (options->cluster.count > 0 && strchr(options->prefix, '{') != NULL)
		return refuse(of, "prefix", "not for a cluster: it has a '{'");
	if (options->keeps_all && options->after_failover == FAILOVER_EMPTIES)
		return refuse(of, "after-failover", "'empty', but 'persistent' keeps all");
	if (options->lease_least > options->lease_most)
		return refuse(of, "lease-least", "more than lease-most");
	if (options->url != NULL && (options->owned[0] = strdup(options->url)) == NULL)
		return LIMEN_ENOMEM;
	if (options->url != NULL && !read_url(options, options->owned[0]))
		return refuse(of, "url", strchr(options->url, ',') != NULL
			? "not one host: list Sentinels in 'sentinels', beside 'master'"
			: "not of the form redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], "
		          "rediss://... or unix:///PATH");
	return LIMEN_OK;
}

/* Reads the first line of the password file of the option 'key', if it is given. */
static int
read_password(const context *of, const char *key, const char *path, char **owned, const char **out)
{
	const char *text;
	size_t length;
	int result;

	if (path == NULL)
		return LIMEN_OK;
	result = limen_opening_file(of->opening, path, limen_opening_option(of->opening, key), &text,
	                            &length, of->diag);
	if (result != LIMEN_OK)
		return result;
	*out = *owned = strndup(text, strcspn(text, "\r\n"));
	return *owned == NULL ? LIMEN_ENOMEM : LIMEN_OK;
}

static int
read_logins(settings *options, const context *of)
{
	int result = read_password(of, "password-file", options->password_file,
	                           &options->owned[1], &options->password);

	if (result == LIMEN_OK)
		result = read_password(of, "sentinel-password-file", options->sentinel_password_file,
		                       &options->owned[2], &options->sentinel_password);
	if (result == LIMEN_OK && options->user != NULL && options->password == NULL)
		return refuse(of, options->url == NULL ? "username" : "url",
		              "of no use without a password");
	return result;
}

/* Texts of TLS options without TLS would be ignored. */
static int
read_tls(settings *options, const context *of)
{
	static const char *const keys[] = { "ca-file", "certificate", "server-name" };

	for (size_t i = 0; (!options->tls || options->path != NULL) && i < 3; i++) {
		if (is_given(of, keys[i]))
			return refuse(of, keys[i], "of no use without TLS (rediss://, or 'tls')");
	}
	if (options->tls && options->path != NULL)
		return refuse(of, "tls", "not for a Unix socket");
	return options->tls ? tls_read(options, of->opening, of->diag) : LIMEN_OK;
}

int
settings_read(settings *options, limen_opening *opening, limen_diag *diag)
{
	const context of = { opening, diag };
	int result = check_pairs(&of);

	if (result == LIMEN_OK)
		result = read_places(options, &of);
	if (result == LIMEN_OK)
		result = check_together(options, &of);
	if (result == LIMEN_OK)
		result = read_logins(options, &of);
	if (result == LIMEN_OK)
		result = read_tls(options, &of);
	options->address.port = options->port;
	snprintf(options->address.host, sizeof(options->address.host), "%s", options->host);
	if (options->cluster.count > 0 && result == LIMEN_OK)
		options->address = options->places[0];
	if (options->master != NULL)
		snprintf(options->shown, sizeof(options->shown), "the master '%s' of Sentinels",
		         options->master);
	else if (options->cluster.count > 0)
		snprintf(options->shown, sizeof(options->shown), "the cluster of %s",
		         options->cluster.items[0]);
	else if (options->path != NULL)
		snprintf(options->shown, sizeof(options->shown), "%s", options->path);
	else
		snprintf(options->shown, sizeof(options->shown), "%s:%" PRId64, options->host,
		         options->port);
	return result;
}

void
settings_clear(settings *options)
{
	for (size_t i = 0; i < 3; i++) {
		if (options->owned[i] != NULL)
			explicit_bzero(options->owned[i], strlen(options->owned[i]));
		free(options->owned[i]);
	}
	free(options->places);
	if (options->credentials != NULL)
		gnutls_certificate_free_credentials(options->credentials);
}
