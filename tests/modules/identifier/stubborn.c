/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stubborn.c - the identifier whose job in the background does not stop when it
 * is told to, but when there is a certain file.
 */
#include <fcntl.h>
#include <limen/module.h>
#include <limen/version.h>
#include <unistd.h>

/* Twenty seconds, so that whoever waits for it fails rather than waits for ever. */
enum { LOOKS_MAX = 20000, LOOK_MICROSECONDS = 1000 };

struct stubborn {
	const char *started;
	const char *until;
	const char *over;
	bool here;
};

static const limen_option options[] = {
	LIMEN_OPT_STRING(struct stubborn, started, .key = "started", .required = true,
	                 .help = "The file to make when the job starts"),
	LIMEN_OPT_STRING(struct stubborn, until, .key = "until", .required = true,
	                 .help = "The file to wait for"),
	LIMEN_OPT_STRING(struct stubborn, over, .key = "over", .required = true,
	                 .help = "The file to make when the job ends"),
	LIMEN_OPT_BOOL(struct stubborn, here, .key = "here",
	               .help = "Block the background thread, which is forbidden"),
	LIMEN_OPT_END
};

static void
make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
}

static void
hold_out(void *data)
{
	const struct stubborn *self = data;

	make_file(self->started);
	for (int i = 0; i < LOOKS_MAX && access(self->until, F_OK) != 0; i++)
		usleep(LOOK_MICROSECONDS);
	make_file(self->over);
}

static int
open_job(void *data, limen_opening *opening, limen_diag *diag)
{
	const struct stubborn *self = data;
	limen_host *host = limen_opening_host(opening);

	(void)diag;
	return self->here ? limen_host_after(host, 0, hold_out, data)
	                  : limen_host_after_blocking(host, 0, hold_out, data);
}

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	(void)self;
	(void)req;
	(void)reply;
	return LIMEN_PASS;
}

LIMEN_IDENTIFIER("stubborn",
	.version = LIMEN_VERSION,
	.summary = "Identifies everybody, and does something else meanwhile",
	.options = options,
	.instance_size = sizeof(struct stubborn),
	.open = open_job,
	.identify = identify);
