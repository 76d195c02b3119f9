/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_watch.c - what comes after what: a list, then watches that go on where the
 * one before ended, and pauses after failures.
 *
 * A watch that fails again and again is followed by a list.  A server that was
 * restored from a backup knows nothing of the version it is asked for, and says so
 * in ways that differ from release to release.
 */
#include <limen/host.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>

#include "kube_reflector.h"

enum { FAILURES_BEFORE_LIST = 3, FAILURES_MAX = 1000, NAP_MS = 1000 };

/* A list that was answered within seconds may be asked for again, a storm may not. */
const kube_times kube_times_usual = {
	.connect = 10 * LIMEN_SECOND,
	.answer = 60 * LIMEN_SECOND,
	.line = 30 * LIMEN_SECOND,
	.watch = 300 * LIMEN_SECOND,
	.retry = LIMEN_SECOND / 2,
	.retry_max = 30 * LIMEN_SECOND,
};

/* Without randomness everybody would come at once, which is bad and not wrong. */
uint64_t
kube_random(uint64_t bound)
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
		number = (uint64_t)limen_host_monotonic();
	return bound == 0 ? 0 : number % bound;
}

void
kube_explain(kube_reflector *reflector, const char *name, const kube_answer *answer)
{
	const char *path = reflector->watch->path;
	const char *server = reflector->watch->target->server;
	limen_documents *documents = NULL;
	const char *message = NULL;

	reflector->retry_after = answer->retry_after;
	reflector->refused = answer->status >= 400 && answer->status < 500;
	if (answer->status == 0 || answer->status == 200) {
		kube_text_fail(reflector->error, "%s %s of %s: %s", name, path, server,
		               answer->error);
		return;
	}
	if (answer->body.text != NULL &&
	    limen_documents_parse("status.json", answer->body.text, answer->body.length, 0,
	                          &documents, NULL) == LIMEN_OK)
		message = limen_value_string(
			limen_value_get(limen_documents_get(documents, 0), "message"), NULL);
	kube_text_fail(reflector->error, "%s %s of %s: status %ld%s%.200s", name, path, server,
	               answer->status, message == NULL ? "" : ": ", message == NULL ? "" : message);
	limen_documents_free(documents);
}

kube_outcome
kube_fail(kube_reflector *reflector, const char *text, kube_outcome outcome)
{
	kube_answer wrong = { .status = 0 };

	memcpy(wrong.error, reflector->error, sizeof wrong.error);
	kube_explain(reflector, text, &wrong);
	return outcome;
}

bool
kube_ask_again(kube_reflector *reflector)
{
	const kube_listener *listener = &reflector->watch->listener;

	if (listener->again == NULL || !listener->again(listener->data))
		return false;
	reflector->version[0] = '\0';
	return true;
}

/* Versions are opaque, but they are to be part of a URL. */
bool
kube_read_version(limen_value object, char out[KUBE_VERSION_MAX])
{
	limen_value metadata = limen_value_get(object, "metadata");
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(metadata, "resourceVersion"), &length);

	if (text == NULL || length == 0 || length >= KUBE_VERSION_MAX)
		return false;
	for (size_t i = 0; i < length; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return false;
	memcpy(out, text, length + 1);
	return true;
}

/* ---- pauses ---- */

static bool
is_stopping(const kube_reflector *reflector)
{
	const kube_listener *listener = &reflector->watch->listener;

	return listener->stopping(listener->data);
}

static void
sleep_until(const kube_reflector *reflector, int64_t due)
{
	const kube_listener *listener = &reflector->watch->listener;
	struct pollfd stop = { .fd = reflector->watch->stop_fd, .events = POLLIN };
	bool hurried = false;

	while (!is_stopping(reflector) && !hurried) {
		int64_t left = due - limen_host_monotonic();
		int64_t nap = left / 1000000 + 1;

		if (left <= 0)
			return;
		poll(&stop, 1, nap < NAP_MS ? (int)nap : NAP_MS);
		hurried = !reflector->refused && reflector->retry_after == 0 &&
		          listener->hurry != NULL && listener->hurry(listener->data);
	}
}

/*
 * Each failure in a row doubles the pause; half of it is chance, so that those who
 * lost the same server do not come back together.
 */
static void
pause_after(const kube_reflector *reflector, unsigned failures)
{
	const kube_times *times = reflector->watch->times;
	limen_duration most = times->retry;

	while (failures-- > 1 && most < times->retry_max)
		most *= 2;
	if (reflector->retry_after > most)
		most = reflector->retry_after;
	if (most > times->retry_max)
		most = times->retry_max;
	most = most / 2 + (limen_duration)kube_random((uint64_t)(most / 2) + 1);
	sleep_until(reflector, limen_host_monotonic() + most * 1000);
}

/* ---- the sequence ---- */

/* Returns how many failures there were in a row. */
static unsigned
go_on(kube_reflector *reflector, unsigned failures)
{
	const kube_listener *listener = &reflector->watch->listener;
	bool listing = reflector->version[0] == '\0';
	int64_t began = limen_host_monotonic();
	kube_outcome outcome;

	reflector->retry_after = 0;
	reflector->refused = false;
	outcome = listing ? kube_list(reflector) : kube_stream(reflector);
	/* A list that succeeds does not make up for watches that do not. */
	if (outcome == KUBE_GOOD)
		return listing ? failures : 0;
	if (outcome == KUBE_OVER)
		return failures;
	/* A watch that went on for long was no failure of the kind that comes again at once. */
	if ((limen_host_monotonic() - began) / 1000 > reflector->watch->times->retry_max)
		failures = 1;
	else if (failures < FAILURES_MAX)
		failures++;
	if (outcome == KUBE_GONE || failures % FAILURES_BEFORE_LIST == 0)
		reflector->version[0] = '\0';
	listener->tell(listener->data, reflector->error);
	listener->count(listener->data, KUBE_RESTART);
	pause_after(reflector, failures);
	return failures;
}

void
kube_watch_run(const kube_watch *watch)
{
	const kube_listener *listener = &watch->listener;
	kube_reflector reflector = { .watch = watch };
	unsigned failures = 0;

	while (!is_stopping(&reflector) && !kube_session_open(&reflector.session, watch)) {
		listener->tell(listener->data, limen_result_text(LIMEN_ENOMEM));
		pause_after(&reflector, 1);
	}
	while (!is_stopping(&reflector))
		failures = go_on(&reflector, failures);
	kube_session_close(&reflector.session);
}
