/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold.c - a stream above a terminal that folds long lines between words.  Escape sequences have
 * no width.  The stream buffers lines, and is never closed: exit() flushes it.
 */
#include "fold.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "terminal.h"

enum { INDENT = 4 };

/* The branches of a tree (tree.c), and what continues them in the next line. */
static const char *const branches[][2] = {
	{ " ", " " }, { "│", "│" }, { "├", "│" }, { "└", " " }, { "─", " " },
};

/* The file descriptor, and whether a line has begun on the terminal: it is not folded. */
typedef struct folded {
	int fd;
	bool begun;
} folded;

/* Returns the columns of 'length' bytes; each character counts as one. */
static size_t
measure(const char *text, size_t length)
{
	size_t columns = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\033')
			while (i + 1 < length && !g_ascii_isalpha(text[i]))
				i++;
		else
			columns += ((unsigned char)text[i] & 0xC0) != 0x80;
	}
	return columns;
}

/* Moves '*text' behind the blanks and branches that it begins with; returns those that go on. */
static GString *
take_branches(const char **text)
{
	GString *prefix = g_string_new(NULL);
	size_t i = 0;

	while (i < G_N_ELEMENTS(branches)) {
		if (g_str_has_prefix(*text, branches[i][0])) {
			g_string_append(prefix, branches[i][1]);
			*text += strlen(branches[i][0]);
			i = 0;
		} else {
			i++;
		}
	}
	return prefix;
}

/* Appends a line without its end, folded. */
static void
fold_line(GString *out, const char *line, size_t width)
{
	const char *text = line;
	g_autoptr(GString) prefix = take_branches(&text);
	size_t column = measure(line, (size_t)(text - line));

	g_string_append_len(out, line, text - line);
	if ((text[0] == '"' && text > line) || measure(line, strlen(line)) <= width) {
		g_string_append(out, text);
		return;
	}
	g_string_append_printf(prefix, "%*s", column + INDENT < width / 2 ? INDENT : 0, "");
	for (bool first = true; text[0] != '\0'; first = false) {
		size_t blanks = strspn(text, " ");
		size_t length = blanks + strcspn(text + blanks, " ");
		size_t columns = measure(text, length);

		if (!first && column + columns > width) {
			g_string_append_printf(out, "\n%s", prefix->str);
			column = measure(prefix->str, prefix->len) + columns - blanks;
			g_string_append_len(out, text + blanks, (gssize)(length - blanks));
		} else {
			column += columns;
			g_string_append_len(out, text, (gssize)length);
		}
		text += length;
	}
}

static ssize_t
write_folded(void *cookie, const char *data, size_t size)
{
	folded *self = cookie;
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *copy = g_strndup(data, size);
	char *line = copy;

	for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		if (self->begun)
			g_string_append(out, line);
		else
			fold_line(out, line, terminal_width());
		g_string_append_c(out, '\n');
		self->begun = false;
	}
	g_string_append(out, line);
	self->begun = (self->begun || line[0] != '\0') && !g_str_has_suffix(line, TERMINAL_ERASE);
	for (gsize done = 0; done < out->len;) {
		ssize_t written = write(self->fd, out->str + done, out->len - done);

		if (written < 0 && errno != EINTR)
			return 0;
		done += written < 0 ? 0 : (gsize)written;
	}
	return (ssize_t)size;
}

void
fold_start(FILE **stream)
{
	static folded both[2];
	folded *self = &both[*stream == stderr];
	int fd = fileno(*stream);
	FILE *opened;

	if (fd < 0 || !isatty(fd))
		return;
	self->fd = fd;
	opened = fopencookie(self, "w", (cookie_io_functions_t){ .write = write_folded });
	if (opened == NULL)
		return;
	setvbuf(opened, NULL, _IOLBF, 0);
	fflush(*stream);
	*stream = opened;
}
