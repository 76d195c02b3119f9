/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_url.c - fetches the text of a policy from a URL, given as its name or as the content
 * of its file.
 */
#include "policy_url.h"

#include <limen/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "auto.h"
#include "../../plugins/support/http/http.h"

/* Longer URLs do not occur in practice. */
#define URL_MAX ((size_t)8192)

/* The same limit as for policy files. */
#define POLICY_MAX ((size_t)64 << 20)

#define FETCH_MAX (30 * LIMEN_SECOND)

/* Returns the length of the scheme (RFC 3986, 3.1), 0 if 'text' has none. */
static size_t
measure_scheme(const char *text)
{
	size_t length = 0;

	if (!g_ascii_isalpha(text[0]))
		return 0;
	while (g_ascii_isalnum(text[length]) || (text[length] != '\0' &&
	                                         strchr("+-.", text[length]) != NULL))
		length++;
	return text[length] == ':' ? length : 0;
}

bool
policy_url_is(const char *name)
{
	size_t scheme = measure_scheme(name);

	return scheme > 0 && (strncmp(name + scheme, "://", 3) == 0 ||
	                      http_url_has_scheme(name, "file"));
}

/* Accepts one word only: YAML mappings ("schema: 4") have a blank or nothing after the colon. */
static bool
is_one_url(const char *text)
{
	size_t scheme;

	for (const char *at = text; *at != '\0'; at++)
		if (!g_ascii_isgraph(*at))
			return false;
	scheme = measure_scheme(text);
	return scheme > 0 && text[scheme + 1] != '\0';
}

/*
 * Adds the warning that the engine gives for a policy file it reads itself, if everybody may write
 * to the file, or may replace it because its directory is world-writable and not sticky (as /tmp
 * is).
 */
static void
warn_of_writers(const char *path, mode_t mode, limen_diag *diag)
{
	g_autofree char *directory = g_path_get_dirname(path);
	struct stat facts;

	if ((mode & S_IWOTH) == 0 &&
	    (stat(directory, &facts) != 0 || (facts.st_mode & S_IWOTH) == 0 ||
	     (facts.st_mode & S_ISVTX) != 0))
		return;
	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_none(),
	               "%s: every user may change this file", path);
	limen_diag_hint(diag, "remove write permission for others from it and from its directory");
}

char *
policy_url_in_file(const char *path, limen_diag *diag)
{
	struct stat facts;
	g_autofree char *text = NULL;
	gsize length = 0;

	/* Only regular files are looked into: a pipe could be read only once. */
	if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) ||
	    (size_t)facts.st_size > URL_MAX || !g_file_get_contents(path, &text, &length, NULL) ||
	    length != strlen(text) || !is_one_url(g_strstrip(text)))
		return NULL;
	warn_of_writers(path, facts.st_mode, diag);
	return g_steal_pointer(&text);
}

char *
policy_url_among(char *const *paths)
{
	if (paths[0] == NULL || paths[1] == NULL)
		return NULL;
	for (; *paths != NULL; paths++) {
		bool is_url = policy_url_is(*paths);
		g_autofree char *content = is_url ? NULL : policy_url_in_file(*paths, NULL);
		g_auto(heap_text) shown = is_url ? http_url_shown(*paths) : NULL;

		if (is_url || content != NULL)
			return g_strdup_printf("several --policy must be files or directories: %s %s",
			                       !is_url         ? *paths
			                       : shown == NULL ? "?"
			                                       : shown,
			                       is_url ? "is a URL" : "holds a URL");
	}
	return NULL;
}

bool
policy_url_fetch(const char *url, bool (*stop)(void *data), void *data, limen_diag *diag,
                 policy_text *out)
{
	http_request request = {
		.url = url,
		.allow_file = true,
		.timeout = FETCH_MAX,
		.deadline = INT64_MAX,
		.max_body = POLICY_MAX,
		.whole_body = true,
		.stop = stop, .stop_data = data,
	};
	http_client *client = http_client_new();
	g_auto(heap_text) shown = http_url_shown(url);
	http_answer answer = { .status = 0 };
	char status[40];
	const char *why = NULL;

	if (client == NULL || shown == NULL || http_get(client, &request, &answer) != LIMEN_OK)
		why = "out of memory";
	else if (answer.transport_failed)
		why = answer.error;
	else if (answer.status != 200)
		why = status;
	snprintf(status, sizeof(status), "Status %ld", answer.status);
	if (why != NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "Unable to load limit configuration from URL: %s", why);
		limen_diag_hint(diag, "the URL is %s", shown == NULL ? "?" : shown);
	} else {
		*out = (policy_text){ g_steal_pointer(&answer.body), answer.length,
			              g_steal_pointer(&shown) };
	}
	http_answer_clear(&answer);
	http_client_free(client);
	return why == NULL;
}

void
policy_text_clear(policy_text *content)
{
	free(content->text);
	free(content->shown);
}

int
policy_url_load(limen_engine *engine, const char *url, limen_diag *diag)
{
	g_auto(policy_text) content = { .text = NULL };

	return policy_url_fetch(url, NULL, NULL, diag, &content)
	               ? limen_engine_load_text(engine, content.shown, content.text,
	                                        content.length, diag)
	               : LIMEN_EIO;
}
