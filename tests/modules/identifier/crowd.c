/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crowd.c - the identifier that waits until a party of several calls, of
 * whatever instance, is inside it at once.  It passes when the party is
 * complete and fails when its patience ends, so that tests of what runs side by
 * side need no clock.
 */
#include <fcntl.h>
#include <limen/module.h>
#include <limen/version.h>

#include <pthread.h>
#include <time.h>
#include <unistd.h>

struct crowd {
	int64_t party;
	limen_duration patience;
	const char *started;
	bool blocking;
	bool serialize;
};

static const limen_option options[] = {
	LIMEN_OPT_INT(struct crowd, party, .key = "party", .minimum = 1, .required = true,
	              .help = "How many calls make a party"),
	LIMEN_OPT_DURATION(struct crowd, patience, .key = "patience", .fallback = "PT20S",
	                   .help = "How long to wait for the others"),
	LIMEN_OPT_STRING(struct crowd, started, .key = "started",
	                 .help = "The file to make when a call waits"),
	LIMEN_OPT_BOOL(struct crowd, blocking, .key = "blocking",
	               .help = "Whether to say that it may block"),
	LIMEN_OPT_BOOL(struct crowd, serialize, .key = "serialize",
	               .help = "Whether to ask for one call at a time"),
	LIMEN_OPT_END
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t complete = PTHREAD_COND_INITIALIZER;
static int64_t inside;   /* calls waiting for the party */
static unsigned parties; /* that were complete so far */

static int
open_crowd(void *self, limen_opening *opening, limen_diag *diag)
{
	struct crowd *crowd = self;

	(void)diag;
	limen_opening_add_flags(opening,
	                        (crowd->blocking ? (uint64_t)LIMEN_MODULE_BLOCKING : 0U) |
	                                (crowd->serialize ? (uint64_t)LIMEN_MODULE_SERIALIZE : 0U));
	return LIMEN_OK;
}

static struct timespec
time_after(limen_duration wait)
{
	struct timespec end;
	int64_t nanoseconds;

	clock_gettime(CLOCK_REALTIME, &end);
	nanoseconds = end.tv_nsec + wait % LIMEN_SECOND * 1000;
	end.tv_sec += (time_t)(wait / LIMEN_SECOND + nanoseconds / 1000000000);
	end.tv_nsec = (long)(nanoseconds % 1000000000);
	return end;
}

static void
make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
}

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct crowd *crowd = self;
	struct timespec end = time_after(crowd->patience);
	limen_verdict verdict = LIMEN_PASS;
	unsigned mine;
	int result = 0;

	(void)req;
	(void)reply;
	pthread_mutex_lock(&lock);
	mine = parties;
	inside++;
	if (inside >= crowd->party) {
		parties++;
		inside = 0;
		pthread_cond_broadcast(&complete);
	} else if (crowd->started != NULL) {
		make_file(crowd->started);
	}
	while (mine == parties && result == 0)
		result = pthread_cond_timedwait(&complete, &lock, &end);
	if (mine == parties) {
		inside--;
		verdict = LIMEN_FAIL;
	}
	pthread_mutex_unlock(&lock);
	return verdict;
}

LIMEN_IDENTIFIER("crowd",
	.version = LIMEN_VERSION,
	.summary = "Waits for company",
	.options = options,
	.instance_size = sizeof(struct crowd),
	.open = open_crowd,
	.identify = identify);
