/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_render.c - runs dot on a temporary file of mode 0600 and extracts the <svg> element of its
 * output.
 */
#include "graph.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Writes a temporary file for dot, which reads all input before it writes: no pipe can block. */
static char *
write_file(const GString *text, char **why)
{
	g_autoptr(GError) reason = NULL;
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("limen-graph-XXXXXX", &path, &reason);

	if (fd != -1) {
		close(fd);
		/* The text may hold the request, so only the owner may read it. */
		if (g_file_set_contents_full(path, text->str, (gssize)text->len,
		                             G_FILE_SET_CONTENTS_NONE, 0600, &reason))
			return g_steal_pointer(&path);
		g_unlink(path);
	}
	*why = g_strdup(reason->message);
	return NULL;
}

static char *
explain_end(int status, char *errors)
{
	g_strdelimit(g_strchomp(errors), "\n", ' ');
	if (WIFEXITED(status))
		return g_strdup_printf("dot ended with status %d: %s", WEXITSTATUS(status), errors);
	return g_strdup_printf("dot was ended by signal %d", WTERMSIG(status));
}

char *
graph_render(const GString *text, char **why)
{
	g_autofree char *path = write_file(text, why);
	char *arguments[] = { (char *)(intptr_t) "dot", (char *)(intptr_t) "-Tsvg", path, NULL };
	g_autoptr(GError) reason = NULL;
	g_autofree char *svg = NULL;
	g_autofree char *errors = NULL;
	int status = 0;

	if (path == NULL)
		return NULL;
	if (!g_spawn_sync(NULL, arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &svg, &errors,
	                  &status, &reason))
		*why = g_error_matches(reason, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT)
		               ? g_strdup("the program dot is not installed: it is in the package "
		                          "graphviz (--format dot does without)")
		               : g_strdup_printf("dot cannot be started: %s", reason->message);
	else if (status != 0 || strstr(svg, "<svg") == NULL)
		*why = explain_end(status, errors);
	g_unlink(path);
	/* The XML declaration and document type before the element belong to files only. */
	return *why == NULL ? g_strdup(strstr(svg, "<svg")) : NULL;
}
