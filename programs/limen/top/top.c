/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top.c - "limen top": shows what running limends refuse just now, again each second.  Owns the terminal
 * while it does: the alternate screen, without echo.
 */
#include "top.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "common/auto.h"

/* How long one limend may take to answer: the others wait for it. */
#define TIMEOUT (5 * LIMEN_SECOND)

/* Milliseconds between two looks. */
#define PAUSE 1000

/* Rows of tables without a terminal, and lines of a terminal that no row has. */
#define ROWS 40
#define LINES_OTHER 12

/* Rows that an arrow moves by. */
#define STEP 5

#define CLEAR_BELOW "\033[J"
#define HOME "\033[H"
#define SCREEN_ON "\033[?1049h\033[?25l"
#define SCREEN_OFF "\033[?25h\033[?1049l"

typedef struct top {
	const common_options *common;
	char **urls;
	char **unix_paths;
	remote shared; /* what all limends have: the certificates */
	gboolean once;
	GArray *sources;
	GString *text;
	bool typing; /* the text that rows must have */
	bool paused;
	size_t skipped;
} top;

static volatile sig_atomic_t stopped;

static void
stop(int number)
{
	(void)number;
	stopped = 1;
}

/* ---- asking ---- */

static void
clear_source(gpointer data)
{
	top_source *source = data;

	limen_documents_free(source->recent);
	limen_documents_free(source->buckets);
	g_free(source->why);
	source->recent = source->buckets = NULL;
	source->why = NULL;
}

static void
add_source(top *self, const char *url, const char *unix_path)
{
	top_source source = { .at = self->shared };

	source.at.url = url;
	source.at.unix_path = unix_path;
	g_array_append_val(self->sources, source);
}

/* Asks all; returns false if none answered. */
static bool
look(top *self)
{
	bool any = false;

	for (guint i = 0; i < self->sources->len; i++) {
		top_source *source = &g_array_index(self->sources, top_source, i);
		g_autofree char *unasked = NULL;

		clear_source(source);
		if (remote_ask(&source->at, "/v1/recent?number=200", NULL, &source->recent, &source->why) == 200)
			remote_ask(&source->at, "/v1/buckets?number=20", NULL, &source->buckets, &unasked);
		any = any || source->recent != NULL;
	}
	return any;
}

/* ---- showing ---- */

static void
show(const top *self, bool on_terminal)
{
	g_autofree char *note = g_strdup_printf("%s%s%s%s", self->paused ? "[paused] " : "",
	                                        self->typing || self->text->len > 0 ? "/" : "",
	                                        self->text->str, self->typing ? "_" : "");
	struct winsize size = { .ws_row = 24 };
	top_view view = { .sources = self->sources,
		          .height = ROWS,
		          .skipped = self->skipped,
		          .text = self->text->str,
		          .note = note };

	if (on_terminal) {
		ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
		view.width = terminal_width();
		view.height = size.ws_row > LINES_OTHER + 4 ? size.ws_row - LINES_OTHER : 4;
		fputs(HOME, stdout);
	}
	top_print(&view);
	if (on_terminal)
		fputs("\033[K\nq quit  p pause  / filter  arrows: older, newer\033[K" CLEAR_BELOW, stdout);
	fflush(stdout);
}

/* ---- keys ---- */

/* A key while the text is typed: Enter ends it, Escape drops it. */
static void
type(top *self, char key)
{
	if (key == '\033')
		g_string_truncate(self->text, 0);
	if (key == '\033' || key == '\n' || key == '\r')
		self->typing = false;
	else if ((key == '\b' || key == 127) && self->text->len > 0)
		g_string_truncate(self->text, self->text->len - 1);
	else if ((unsigned char)key >= ' ' && key != 127)
		g_string_append_c(self->text, key);
}

/* Takes what was typed; returns false to end. */
static bool
take_keys(top *self)
{
	char keys[64];
	ssize_t count = read(STDIN_FILENO, keys, sizeof(keys) - 1);

	if (count <= 0)
		return false;
	keys[count] = '\0';
	if (!self->typing && strcmp(keys, "\033[A") == 0)
		self->skipped -= MIN(self->skipped, STEP);
	else if (!self->typing && strcmp(keys, "\033[B") == 0)
		self->skipped += STEP;
	for (const char *key = keys; *key != '\0'; key++) {
		if (self->typing)
			type(self, *key);
		else if (*key == 'q' || *key == '\003')
			return false;
		else if (*key == 'p')
			self->paused = !self->paused;
		else if (*key == '/')
			self->typing = true;
	}
	return true;
}

static void
watch(top *self)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	while (!stopped) {
		int ready;

		show(self, true);
		ready = poll(&input, 1, PAUSE);
		if (ready > 0 && !take_keys(self))
			return;
		if (ready == 0 && !self->paused)
			look(self);
	}
}

static int
run_terminal(top *self)
{
	struct termios before;
	struct termios raw;
	struct sigaction action = { .sa_handler = stop };

	if (tcgetattr(STDIN_FILENO, &before) != 0) {
		message_error("the terminal cannot be set up");
		return STATUS_ERROR;
	}
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
	fputs(SCREEN_ON, stdout);
	watch(self);
	fputs(SCREEN_OFF, stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
	return STATUS_GOOD;
}

/* ---- the command ---- */

static int
run(top *self)
{
	bool any = look(self);

	if (any && !self->once && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return run_terminal(self);
	if (any)
		show(self, false);
	for (guint i = 0; !any && i < self->sources->len; i++)
		message_error("%s", g_array_index(self->sources, top_source, i).why);
	return any ? STATUS_GOOD : STATUS_ERROR;
}

static bool
understand(const top *self)
{
	const char *misuse = remote_misuse(&self->shared, self->urls != NULL);

	if (self->urls == NULL && self->unix_paths == NULL)
		misuse = "--unix or --url says which limend";
	if (misuse != NULL)
		message_usage(self->common->self, "%s", misuse);
	return misuse == NULL;
}

static int
run_top(common_options *common)
{
	top self = { .common = common, .shared = { .timeout = TIMEOUT } };
	const GOptionEntry rows[] = {
		OPTION_TEXTS("unix", 0, &self.unix_paths, "PATH",
		             "The limend at this unix socket; may be repeated"),
		OPTION_TEXTS("url", 0, &self.urls, "URL", "The limend at this URL; may be repeated"),
		REMOTE_CERTIFICATE_ROWS(&self.shared),
		OPTION_FLAG("once", 0, &self.once, "Print the tables once"),
		OPTION_END,
	};
	int status = STATUS_ERROR;

	if (!options_read(common, rows))
		return common->status;
	if (!understand(&self))
		return STATUS_ERROR;
	self.sources = g_array_new(FALSE, FALSE, sizeof(top_source));
	g_array_set_clear_func(self.sources, clear_source);
	self.text = g_string_new(NULL);
	for (char **path = self.unix_paths; path != NULL && *path != NULL; path++)
		add_source(&self, NULL, *path);
	for (char **url = self.urls; url != NULL && *url != NULL; url++)
		add_source(&self, *url, NULL);
	status = run(&self);
	g_array_unref(self.sources);
	g_string_free(self.text, TRUE);
	return status;
}

const command top_command = {
	.name = "top",
	.arguments = "",
	.summary = "Show what running limends refuse",
	.details =
		"Shows, again each second, what the limends refuse, would refuse and fail to\n"
		"decide: rates, counts by namespace and by requester since each was started, the\n"
		"fullest buckets, and the newest decisions with their reasons.  Several limends\n"
		"are shown together, with the host name of each in the column REPLICA.  A limend\n"
		"shows them only to clients that it trusts, such as those of its unix socket.\n"
		"\n"
		"q ends it, p pauses, the arrows go to older and newer decisions, and / reads a\n"
		"text: only rows with it are shown, until Escape.  Without a terminal, or with\n"
		"--once, it prints the tables once.\n"
		"\n"
		"The exit status is 0, or 2 if no limend answers or for wrong usage.\n"
		"\n"
		"Examples:\n"
		"  limen top --unix /run/limend.sock\n"
		"  limen top --url https://10.0.0.7:8443 --url https://10.0.0.8:8443 \\\n"
		"    --client-certificate op.crt --client-key op.key --once\n",
	.run = run_top,
};
