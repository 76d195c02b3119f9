/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places.c - checks listening addresses, socket paths and output files for --check: parses the
 * addresses and calls stat() or lstat() on the paths, but opens nothing.
 */
#include "places.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "transport/listeners.h"

char *
places_in_the_clear(const char *shown)
{
	return g_strdup_printf("%s can be reached from other machines: set --tls-certificate and "
	                       "--tls-key, or --no-tls", shown);
}

/* ---- files ---- */

/* Returns NULL if 'path' is a file or its directory exists, else an error text to g_free(). */
static char *
check_path(const char *path)
{
	char *directory = g_path_get_dirname(path);
	struct stat facts;
	int error = 0;

	if (stat(path, &facts) == 0)
		error = S_ISDIR(facts.st_mode) ? EISDIR : 0;
	else if (stat(directory, &facts) != 0)
		error = errno;
	else if (!S_ISDIR(facts.st_mode))
		error = ENOTDIR;
	g_free(directory);
	return error == 0 ? NULL : g_strdup_printf("%s: %s", path, g_strerror(error));
}

static char *
check_files(const limend_options *options)
{
	const char *log = options->decision_log;
	char *why = NULL;

	if (log != NULL && strcmp(log, "-") != 0)
		why = check_path(log);
	if (why == NULL && options->address_file != NULL)
		why = check_path(options->address_file);
	return why;
}

/* ---- addresses ---- */

static char *
check_tcp(const limend_options *options, const char *text)
{
	bool local = false;
	char *why = listeners_check_tcp(text, &local);

	if (why != NULL || local || options->no_tls || options->tls_certificate != NULL)
		return why;
	return places_in_the_clear(text);
}

static char *
check_unix(const char *path)
{
	char *why = listeners_check_unix(path);
	struct stat facts;

	if (why == NULL && lstat(path, &facts) == 0)
		return S_ISSOCK(facts.st_mode) ? NULL : listeners_no_socket(path);
	return why == NULL ? check_path(path) : why;
}

char *
places_check(const limend_options *options)
{
	char *why = NULL;

	for (char **one = options->listen; why == NULL && one != NULL && *one != NULL; one++)
		why = check_tcp(options, *one);
	for (char **one = options->health_listen; why == NULL && one != NULL && *one != NULL; one++)
		why = listeners_check_tcp(*one, NULL);
	for (char **one = options->unix_paths; why == NULL && one != NULL && *one != NULL; one++)
		why = check_unix(*one);
	return why == NULL ? check_files(options) : why;
}
