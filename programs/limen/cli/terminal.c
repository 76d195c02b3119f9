/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminal.c - chooses colours from --color, NO_COLOR and TERM, finds the width from COLUMNS or
 * the terminal, and wraps text to a width.
 */
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/policy_problems.h"
#include "fold.h"
#include "message.h"

enum { WIDTH_DEFAULT = 80, WIDTH_LEAST = 40, WIDTH_MOST = 400 };

/* Is output to the file descriptor 'fd' to be coloured? */
static bool
is_colored(const common_options *common, int fd)
{
	const char *refusal = getenv("NO_COLOR");
	const char *type = getenv("TERM");

	if (common->color != NULL && strcmp(common->color, "auto") != 0)
		return strcmp(common->color, "always") == 0;
	if (refusal != NULL && refusal[0] != '\0')
		return false;
	return isatty(fd) && (type == NULL || strcmp(type, "dumb") != 0);
}

bool
terminal_colored(const common_options *common)
{
	return is_colored(common, STDOUT_FILENO);
}

void
terminal_start(const common_options *common, bool folds)
{
	problems_color(is_colored(common, STDERR_FILENO));
	if (folds)
		fold_start(&stdout);
}

char *
terminal_tint(bool colored, tints tint, const char *word)
{
	static const char *const codes[] = { "", "1;32", "1;31", "1;33", "90" };

	if (!colored || tint == TINT_NONE)
		return g_strdup(word);
	return g_strdup_printf("\033[%sm%s\033[0m", codes[tint], word);
}

size_t
terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	guint64 width = 0;
	struct winsize size;

	if (columns == NULL || !g_ascii_string_to_unsigned(columns, 10, 1, G_MAXINT, &width, NULL))
		if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ||
		    ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0)
			width = size.ws_col;
	return width == 0 ? WIDTH_DEFAULT : (size_t)CLAMP(width, WIDTH_LEAST, WIDTH_MOST);
}

void
terminal_wrap(const char *text, size_t indent, size_t width)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n", -1);
	size_t column = 0;

	for (size_t i = 0; words[i] != NULL; i++) {
		/* Counts each character as one column, which is close enough for other scripts. */
		size_t length = g_utf8_validate(words[i], -1, NULL)
		                        ? (size_t)g_utf8_strlen(words[i], -1)
		                        : strlen(words[i]);

		if (length == 0)
			continue;
		if (column > 0 && column + 1 + length > width) {
			fputc('\n', stdout);
			column = 0;
		}
		if (column > 0)
			fputc(' ', stdout);
		else
			printf("%*s", (int)indent, "");
		column += column == 0 ? indent + length : 1 + length;
		message_put(stdout, words[i]);
	}
	if (column > 0)
		fputc('\n', stdout);
}
