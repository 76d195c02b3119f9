/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an API server sends, to all that follows a cluster but libcurl: a line "> WORDS"
 * and an answer for each request.
 *
 *	broken     the connection breaks at its end
 *	brief      it takes no time
 *	slow       each piece of it takes twenty seconds
 *	late       it begins after a minute
 *	flood      more follows than anybody takes
 *	times=N    the next N requests have it too
 *
 * What becomes of it is the same however it is cut into pieces; a list counts when it came
 * whole, and what was in force before can be read until then.
 */
#include <limen/host.h>
#include <poll.h>
#include <string.h>
#include <sys/param.h>
#include <sys/random.h>

#include "fake_curl.h"
#include "fuzz_kube.h"

const fuzz_target fuzz_this = { "kube", NULL, 2000 };

enum {
	REQUESTS_MAX = 200, /* pages grow again within fewer (kube_list.c) */
	REPEATED_MAX = 40000, /* bytes */
	OBJECTS_PER_PAGE_MAX = 500,
	BYTES_MAX = 2000, /* that come one by one */
	/* More than are taken (kube_list.c, kube_stream.c). */
	PAGE = 33 << 20,
	EVENT = 5 << 20
};

#define SERVER "https://kube.test"
#define PATH "/api/v1/limitranges"

static const kube_times times = {
	.connect = LIMEN_SECOND,
	.answer = 60 * LIMEN_SECOND,
	.line = 30 * LIMEN_SECOND,
	.watch = 300 * LIMEN_SECOND,
	.retry = LIMEN_SECOND / 2,
	.retry_max = 30 * LIMEN_SECOND,
};

/* How answers are cut into pieces. */
typedef enum cutting { WHOLE, BYTES, PIECES } cutting;

static struct {
	cutting cut;
	uint64_t random;
	const char *text; /* of the answers that are left */
	size_t left;
	fake_answer answer;
	unsigned repeats;
	size_t repeated; /* bytes */
	unsigned requests;
	unsigned bytes; /* that came one by one */
	bool brief;
	bool late;
	bool slow;
	bool any_slow;
} run;

kube_run kube;

/* ---- the world ---- */

int64_t __wrap_limen_host_monotonic(void);
int __wrap_poll(struct pollfd *fds, nfds_t count, int milliseconds);
ssize_t __wrap_getrandom(void *out, size_t size, unsigned flags);

int64_t
__wrap_limen_host_monotonic(void)
{
	return kube.now;
}

static void
pass_time(int milliseconds)
{
	kube.now += (int64_t)milliseconds * 1000000;
}

int
__wrap_poll(struct pollfd *fds, nfds_t count, int milliseconds)
{
	(void)fds;
	(void)count;
	pass_time(milliseconds);
	return 0;
}

static uint64_t
draw(void)
{
	run.random ^= run.random << 13;
	run.random ^= run.random >> 7;
	run.random ^= run.random << 17;
	return run.random;
}

ssize_t
__wrap_getrandom(void *out, size_t size, unsigned flags)
{
	(void)flags;
	for (size_t done = 0; done < size; done += sizeof(uint64_t)) {
		uint64_t number = draw();

		memcpy((char *)out + done, &number, MIN(size - done, sizeof number));
	}
	return (ssize_t)size;
}

uint64_t
kube_hash(uint64_t before, const char *text)
{
	for (; *text != '\0'; text++)
		before = (before ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (before ^ '\n') * UINT64_C(0x100000001b3);
}

void
kube_note(const char *what, const char *about)
{
	kube.trace = kube_hash(kube_hash(kube.trace, what), about);
}

/* ---- the server ---- */

/* Takes the next answer of the script, which ends before "\n> ". */
static void
next_answer(void)
{
	char words[100] = "";
	const char *text = run.text;
	const char *newline = memchr(text, '\n', run.left);
	const char *end = memmem(text, run.left, "\n> ", 3);
	const char *number;

	if (run.left >= 2 && memcmp(text, "> ", 2) == 0) {
		size_t length = newline == NULL ? run.left : (size_t)(newline - text) + 1;

		snprintf(words, sizeof words, "%.*s", (int)length, text);
		text += length;
		end = memmem(text - 1, run.left - length + 1, "\n> ", 3);
	}
	if (end == NULL)
		end = run.text + run.left;
	run.answer = (fake_answer){ .text = text, .length = end > text ? (size_t)(end - text) : 0 };
	end += end < run.text + run.left ? 1 : 0;
	run.left -= (size_t)(end - run.text);
	run.text = end;
	run.answer.end = strstr(words, "broken") != NULL ? CURLE_RECV_ERROR : CURLE_OK;
	run.answer.flood = strstr(words, "flood") == NULL ? 0 : kube.listing ? PAGE : EVENT;
	run.late = strstr(words, "late") != NULL;
	run.slow = strstr(words, "slow") != NULL;
	run.any_slow = run.any_slow || run.slow;
	number = strstr(words, "times=");
	run.repeats = number == NULL ? 0 : (unsigned)strtoul(number + 6, NULL, 10);
	run.brief = strstr(words, "brief") != NULL;
}

static void
repeat_answer(void)
{
	run.repeats--;
	run.repeated += run.answer.length;
	if (run.repeated > REPEATED_MAX)
		run.repeats = 0;
}

/* libcurl is given a URL, and what a server said is never more than a part of one. */
static void
check_url(const char *url)
{
	static const char list[] = SERVER PATH "?limit=";
	static const char watch[] = SERVER PATH "?watch=true&allowWatchBookmarks=true&resourceVersion=";
	char *end;

	for (const char *c = url; *c != '\0'; c++)
		FUZZ_CHECK(*c > ' ' && *c <= '~' && *c != '#');
	kube.listing = strncmp(url, list, sizeof list - 1) == 0;
	if (kube.listing) {
		long objects = strtol(url + sizeof list - 1, &end, 10);

		FUZZ_CHECK(objects >= 1 && objects <= OBJECTS_PER_PAGE_MAX);
		FUZZ_CHECK(*end == '\0' || strncmp(end, "&continue=", 10) == 0);
		FUZZ_CHECK(*end == '\0' || (end[10] != '\0' && strpbrk(end + 10, "&?=+") == NULL));
	} else {
		FUZZ_CHECK(strncmp(url, watch, sizeof watch - 1) == 0);
		end = strchr(url + sizeof watch - 1, '&');
		FUZZ_CHECK(end != NULL && end > url + sizeof watch - 1);
		FUZZ_CHECK(strncmp(end, "&timeoutSeconds=", 16) == 0);
	}
}

/* Half a pause is chance (kube_watch.c); naps are whole milliseconds. */
static void
check_pause(void)
{
	int64_t passed = kube.now - kube.failed;

	FUZZ_CHECK(kube.failed == 0 || passed >= times.retry * 1000 / 2);
	FUZZ_CHECK(kube.failed == 0 || passed <= times.retry_max * 1000 + 2000000);
	kube.failed = 0;
}

static bool
answer(const char *url, fake_answer *out)
{
	check_url(url);
	check_pause();
	kube_note("request", kube.listing ? url : "watch");
	kube.stopping = ++run.requests > REQUESTS_MAX || (run.repeats == 0 && run.left == 0);
	if (kube.stopping)
		return false;
	if (run.repeats == 0)
		next_answer();
	else
		repeat_answer();
	if (!run.brief)
		pass_time(run.late ? 61000 : 2000);
	*out = run.answer;
	/* One that is too long is asked for again in smaller ones. */
	if (kube.listing && run.answer.flood == 0)
		kube.broken = kube.broken || run.answer.end != CURLE_OK;
	return true;
}

static size_t
cut(size_t left)
{
	if (run.slow)
		pass_time(20000);
	if (run.cut == WHOLE)
		return left;
	/* Of a list nothing is read until it is whole. */
	if (run.cut == BYTES && !kube.listing && left < 2000 && run.bytes++ < BYTES_MAX)
		return 1;
	return draw() % (left < 400 ? left : 400) + 1;
}

/* ---- */

static uint64_t
follow(const uint8_t *data, size_t size, cutting how)
{
	static char server[] = SERVER;
	static const kube_target target = { .server = server };
	const kube_watch watch = {
		.target = &target,
		.path = PATH,
		.times = &times,
		.stop_fd = -1,
		.listener = known_listener,
	};

	memset(&run, 0, sizeof run);
	kube = (kube_run){ .now = 1000000000 };
	run.cut = how;
	run.random = UINT64_C(0x9E3779B97F4A7C15);
	run.text = (const char *)data;
	run.left = size;
	fake_curl = (fake_server){ answer, cut };
	kube_watch_run(&watch);
	known_end();
	return kube.trace;
}

/*
 * How long something takes depends on how many pieces are slow, and how much of a watch is
 * read before another list is wanted on what comes together.
 */
static bool
depends_on_pieces(void)
{
	return run.any_slow || kube.again;
}

/* Does it again in other pieces. */
static void
check_pieces(const uint8_t *data, size_t size, cutting how, uint64_t whole)
{
	uint64_t found = follow(data, size, how);

	FUZZ_CHECK(found == whole || depends_on_pieces());
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t whole = follow(data, size, WHOLE);

	if (depends_on_pieces()) {
		follow(data, size, PIECES);
		return 0;
	}
	check_pieces(data, size, BYTES, whole);
	check_pieces(data, size, PIECES, whole);
	return 0;
}
