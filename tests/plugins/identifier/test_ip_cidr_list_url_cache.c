/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_ip_cidr_list_url_cache.c - the file that keeps a downloaded list: what is
 * written is read again, and nothing else is.
 */
#include <errno.h>
#include <fcntl.h>
#include <limen/host.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fail_io.h"
#include "fail_malloc.h"
#include "network_list.h"
#include "suite.h"

#define ASSERT(passed, ...) assert_that(passed, __LINE__, __VA_ARGS__)
#define KEY             UINT64_C(0xFEDCBA9876543210)

static char directory[] = "/tmp/limen-test-XXXXXX";
static char path[64];

static const char lines[] = "10.0.0.0/8\n192.0.2.1\nnonsense\n2001:db8::/32\n::1\n";

static void LIMEN_PRINTF(3, 4)
assert_that(bool passed, unsigned line, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	CU_assertImplementation(passed ? CU_TRUE : CU_FALSE, line, text, __FILE__, "", CU_FALSE);
}

static void
write_list(void)
{
	static const list_version version = { "W/\"a b\"", "Sat, 01 Jan 2022 00:00:00 GMT" };
	list_text text = { .networks = NULL };

	list_text_add(&text, lines, strlen(lines));
	CU_ASSERT_EQUAL_FATAL(list_cache_write(path, KEY, &text, &version), 0);
	list_text_clear(&text);
}

static bool
holds(const network_list *list, const char *address)
{
	limen_network network;

	return limen_network_parse(address, strlen(address), 0, &network) == LIMEN_OK &&
	       limen_cidr_set_covers(list->set, &network);
}

static void
set_age(const char *file, time_t seconds)
{
	struct timespec times[2];

	clock_gettime(CLOCK_REALTIME, &times[0]);
	times[0].tv_sec -= seconds;
	times[1] = times[0];
	CU_ASSERT_EQUAL(utimensat(AT_FDCWD, file, times, 0), 0);
}

static double
age_of(network_list *list)
{
	return (double)(limen_host_monotonic() - atomic_load(&list->fresh)) / 1e9;
}

/* The file holds what write_list() wrote. */
static void
check_list(void)
{
	const char *why = NULL;
	network_list *list = list_cache_read(path, KEY, &why);

	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	CU_ASSERT_EQUAL(list->count, 4);
	network_list_unref(list);
}

static void
test_round_trip(void)
{
	const char *why = "?";
	struct stat facts;
	network_list *list;

	write_list();
	CU_ASSERT_EQUAL(stat(path, &facts), 0);
	CU_ASSERT_EQUAL(facts.st_mode & 0777, 0600);
	list = list_cache_read(path, KEY, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	CU_ASSERT_PTR_NULL(why);
	CU_ASSERT_EQUAL(list->count, 4);
	CU_ASSERT_EQUAL(list->skipped, 1);
	CU_ASSERT_STRING_EQUAL(list->version.etag, "W/\"a b\"");
	CU_ASSERT_STRING_EQUAL(list->version.modified, "Sat, 01 Jan 2022 00:00:00 GMT");
	CU_ASSERT_TRUE(holds(list, "10.255.0.1") && holds(list, "192.0.2.1") &&
	               holds(list, "2001:db8:ffff::1") && holds(list, "::1"));
	CU_ASSERT_FALSE(holds(list, "192.0.2.2") || holds(list, "::2"));
	network_list_unref(list);
}

/* Random lists, to the last bit. */
static void
test_random_lists(void)
{
	srandom(5);
	for (int round = 0; round < 30; round++) {
		list_text text = { .networks = NULL };
		list_version version = { "", "" };
		const char *why = NULL;
		network_list *list;
		size_t wrong = 0;

		for (long i = random() % 300; i > 0; i--) {
			limen_network one = { .address.family = random() % 2 == 0 ? 4 : 6 };
			unsigned bits = one.address.family == 4 ? 32 : 128;

			one.prefix = (uint8_t)((unsigned long)random() % (bits + 1));
			for (unsigned bit = 0; bit < one.prefix; bit++)
				one.address.bytes[bit / 8] |=
					(uint8_t)((random() & 1) << (7 - bit % 8));
			list_text_add_network(&text, &one);
		}
		CU_ASSERT_EQUAL(list_cache_write(path, (uint64_t)round, &text, &version), 0);
		list = list_cache_read(path, (uint64_t)round, &why);
		CU_ASSERT_PTR_NOT_NULL_FATAL(list);
		CU_ASSERT_EQUAL(list->count, text.count);
		for (size_t i = 0; i < text.count; i++)
			wrong += !limen_cidr_set_covers(list->set, &text.networks[i]);
		CU_ASSERT_EQUAL(wrong, 0);
		network_list_unref(list);
		list_text_clear(&text);
	}
}

static void
check_unused(const char *about, uint64_t key, const char *expected)
{
	const char *why = "?";
	network_list *list = list_cache_read(path, key, &why);

	ASSERT(list == NULL, "%s: it is used", about);
	ASSERT(expected == NULL ? why == NULL : why != NULL && strcmp(why, expected) == 0,
	       "%s: %s", about, why == NULL ? "(none)" : why);
	network_list_unref(list);
}

/* Reads the file into 'out' and returns its length. */
static size_t
slurp(char *out, size_t size)
{
	FILE *in = fopen(path, "r");
	size_t length;

	CU_ASSERT_PTR_NOT_NULL_FATAL(in);
	length = fread(out, 1, size, in);
	fclose(in);
	return length;
}

static void
spit(const char *text, size_t length)
{
	FILE *out = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(fwrite(text, 1, length, out), length);
	CU_ASSERT_EQUAL(fclose(out), 0);
}

/* Cut at every byte. */
static void
test_torn(void)
{
	char whole[1024];
	size_t length;

	write_list();
	length = slurp(whole, sizeof(whole));
	CU_ASSERT_TRUE_FATAL(length > 100 && length < sizeof(whole));
	for (size_t cut = 0; cut < length; cut++) {
		spit(whole, cut);
		check_unused("cut", KEY, "it is damaged");
	}
	spit(whole, length);
	check_list();
}

static void
test_malformed(void)
{
	static const char *const texts[] = {
		"",
		"limen ip-cidr-list-url 2\nkey fedcba9876543210\netag \nmodified \nskipped 0\n"
		"entries 0\n",
		"limen ip-cidr-list-url 1\n",
		"limen ip-cidr-list-url 1\nkey fedcba9876543210\n",
		"limen ip-cidr-list-url 1\nkey fedcba9876543210\netag \nmodified \nskipped \n"
		"entries 0\n",
		"limen ip-cidr-list-url 1\nkey fedcba9876543210\netag \nmodified \nskipped 0\n"
		"entries 99999999999999999999\n",
		"limen ip-cidr-list-url 1\nkey fedcba9876543210\netag \nmodified \nskipped 0\n"
		"entries 2\n10.0.0.0/8\n",
		"limen ip-cidr-list-url 1\nkey fedcba9876543210\netag \nmodified \nskipped 0\n"
		"entries 1\n10.0.0.0/8\n10.0.0.0/8\n",
		"limen ip-cidr-list-url 1\nkey fedcba9876543210\netag \nmodified \nskipped 0\n"
		"entries 1\n10.0.0.1/8\n",
		"limen ip-cidr-list-url 1\nkey fedcba9876543210\netag \nmodified \nskipped 0\n"
		"entries 1\n10.0.0.0/8",
		"limen ip-cidr-list-url 1\nkey fedcba9876543210\netag \"x\"\rY: z\nmodified \n"
		"skipped 0\nentries 0\n",
		"limen ip-cidr-list-url 1\nkey fedcba9876543210\netag \nmodified \x7f\nskipped 0\n"
		"entries 0\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		spit(texts[i], strlen(texts[i]));
		check_unused(texts[i], KEY, "it is damaged");
	}
	write_list();
	check_unused("another key", KEY + 1, "the list is from another source");
}

static void
test_no_file(void)
{
	unlink(path);
	check_unused("no file", KEY, NULL);
	CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	check_unused("a directory", KEY, "it cannot be read");
	CU_ASSERT_EQUAL(rmdir(path), 0);
	CU_ASSERT_EQUAL(symlink("/dev/zero", path), 0);
	check_unused("a link", KEY, "it cannot be read");
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	check_unused("a pipe", KEY, "it cannot be read");
	CU_ASSERT_EQUAL(unlink(path), 0);
}

/* The old file stays whatever happens to the new one. */
static void
test_write_failure(void)
{
	char fresh[80];
	list_text text = { .networks = NULL };
	list_version version = { "", "" };
	const char *why = NULL;
	network_list *list;

	write_list();
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	CU_ASSERT_EQUAL(symlink("/dev/full", fresh), 0);
	CU_ASSERT_EQUAL(list_cache_write(path, KEY, &text, &version), ELOOP);
	CU_ASSERT_EQUAL(access(fresh, F_OK), -1);
	list = list_cache_read(path, KEY, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	CU_ASSERT_EQUAL(list->count, 4);
	network_list_unref(list);
	CU_ASSERT_EQUAL(list_cache_write("/nowhere/at/all", KEY, &text, &version), ENOENT);
	/* What a crash left behind is in nobody's way. */
	CU_ASSERT_EQUAL(close(open(fresh, O_CREAT | O_WRONLY, 0600)), 0);
	CU_ASSERT_EQUAL(list_cache_write(path, KEY, &text, &version), 0);
	CU_ASSERT_EQUAL(access(fresh, F_OK), -1);
}

/* Somebody else, of another policy or another program, writes the same file just now. */
static void
test_two_writers(void)
{
	static const list_version version = { "", "" };
	list_text text = { .networks = NULL };
	char fresh[96];
	int fd;

	write_list();
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	fd = open(fresh, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	CU_ASSERT_FATAL(fd >= 0 && flock(fd, LOCK_EX) == 0 && write(fd, "half", 4) == 4);
	CU_ASSERT_EQUAL(list_cache_write(path, KEY, &text, &version), EAGAIN);
	/* What is half written is still there, and so is the list. */
	CU_ASSERT_EQUAL(lseek(fd, 0, SEEK_END), 4);
	CU_ASSERT_EQUAL(access(fresh, F_OK), 0);
	check_list();
	/* Somebody who ended in the middle is in nobody's way. */
	close(fd);
	write_list();
	check_list();
	CU_ASSERT_NOT_EQUAL(access(fresh, F_OK), 0);
}

static void
test_age(void)
{
	const char *why = NULL;
	network_list *list;

	write_list();
	list = list_cache_read(path, KEY, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	CU_ASSERT_TRUE(age_of(list) >= 0 && age_of(list) < 60);
	network_list_unref(list);
	set_age(path, 86400);
	list = list_cache_read(path, KEY, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	CU_ASSERT_TRUE(age_of(list) >= 86400 && age_of(list) < 86460);
	CU_ASSERT_TRUE(list_cache_touch(path, KEY, &list->version));
	network_list_unref(list);
	list = list_cache_read(path, KEY, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	CU_ASSERT_TRUE(age_of(list) < 60);
	network_list_unref(list);
	/* The clock was set back meanwhile. */
	set_age(path, -86400);
	list = list_cache_read(path, KEY, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	CU_ASSERT_TRUE(age_of(list) > 86400.0 * 365);
	network_list_unref(list);
}

/* Another list does not become younger because ours has not changed. */
static void
test_age_of_another(void)
{
	list_version versions[3];
	const char *why = NULL;
	network_list *list;

	write_list();
	set_age(path, 86400);
	list = list_cache_read(path, KEY, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	for (size_t i = 0; i < 3; i++)
		versions[i] = list->version;
	network_list_unref(list);
	versions[0].etag[0] ^= 1;
	versions[1].modified[0] ^= 1;
	CU_ASSERT_FALSE(list_cache_touch(path, KEY, &versions[0]));
	CU_ASSERT_FALSE(list_cache_touch(path, KEY, &versions[1]));
	CU_ASSERT_FALSE(list_cache_touch(path, KEY + 1, &versions[2]));
	CU_ASSERT_FALSE(list_cache_touch("/nowhere/at/all", KEY, &versions[2]));
	list = list_cache_read(path, KEY, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	CU_ASSERT_TRUE(age_of(list) >= 86400);
	network_list_unref(list);
}

/* Returns whether the list was read, written and read again as a whole. */
static bool
keep_list(void)
{
	static const list_version version = { "", "" };
	list_text text = { .networks = NULL };
	const char *why = NULL;
	network_list *list = NULL;

	list_text_add(&text, lines, strlen(lines));
	for (size_t i = 0; i < 1000; i++)
		list_text_add(&text, "192.0.2.0/30", 12);
	if (text.failure == NULL && list_cache_write(path, KEY, &text, &version) == 0)
		list = list_cache_read(path, KEY, &why);
	list_text_clear(&text);
	if (list == NULL)
		return false;
	CU_ASSERT_EQUAL(list->count, 1004);
	network_list_unref(list);
	return true;
}

/* The set itself is the core's, which has tests of its own. */
static void
test_short_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed && n < 1000; n++) {
		bool kept;

		fail_malloc_once(n);
		kept = keep_list();
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(kept, !failed);
	}
	CU_ASSERT_FALSE(failed);
}

/* ---- ends in the middle ---- */

enum { SMALL = 3, LARGE = 40000, KILLS = 40 };

/* Writes a list of 'count' networks; returns 0 or an errno. */
static int
write_many(uint32_t count)
{
	static const list_version version = { "", "" };
	list_text text = { .networks = NULL };
	int result;

	for (uint32_t i = 0; i < count; i++) {
		limen_network network = { .address = { .family = 4 }, .prefix = 32 };

		network.address.bytes[0] = 10;
		network.address.bytes[2] = (uint8_t)(i >> 8);
		network.address.bytes[3] = (uint8_t)i;
		list_text_add_network(&text, &network);
	}
	result = list_cache_write(path, KEY, &text, &version);
	list_text_clear(&text);
	return result;
}

/* How many networks the file holds, all of it being there. */
static size_t
count_networks(void)
{
	const char *why = NULL;
	network_list *list = list_cache_read(path, KEY, &why);
	size_t count;

	ASSERT(list != NULL, "the list cannot be used: %s", why);
	count = list == NULL ? 0 : list->count;
	if (list != NULL)
		network_list_unref(list);
	return count;
}

/* Writes short and long lists by turns until it is killed. */
static void
write_forever(int ready)
{
	write_many(SMALL);
	if (write(ready, "x", 1) != 1)
		_exit(1);
	for (;;) {
		write_many(LARGE);
		write_many(SMALL);
	}
}

/* Whenever a process is killed, the file holds one of the lists, and can be written. */
static void
test_killed(void)
{
	for (unsigned i = 0; i < KILLS; i++) {
		size_t count;
		pid_t child;
		int ends[2];
		char byte;

		CU_ASSERT_FATAL(pipe(ends) == 0);
		fflush(stdout);
		child = fork();
		if (child == 0)
			write_forever(ends[1]);
		CU_ASSERT_FATAL(child > 0 && read(ends[0], &byte, 1) == 1);
		/* Somewhere else in the middle of it each time. */
		nanosleep(&(struct timespec){ .tv_nsec = (long)(i * 977771 % 20000000) }, NULL);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		close(ends[0]);
		close(ends[1]);
		count = count_networks();
		ASSERT(count == SMALL || count == LARGE, "a list of %zu", count);
	}
	CU_ASSERT_EQUAL(write_many(SMALL), 0);
	CU_ASSERT_EQUAL(count_networks(), SMALL);
}

/* A disk that is full in the middle of a list, as far as a process can see. */
static void
test_full_disk(void)
{
	const struct rlimit little = { 8192, 8192 };
	int status = 0;
	pid_t child;

	CU_ASSERT_EQUAL(write_many(SMALL), 0);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		signal(SIGXFSZ, SIG_IGN);
		if (setrlimit(RLIMIT_FSIZE, &little) != 0)
			_exit(2);
		_exit(write_many(LARGE) == EFBIG && write_many(SMALL) == 0 ? 0 : 1);
	}
	CU_ASSERT_FATAL(child > 0 && waitpid(child, &status, 0) == child);
	CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CU_ASSERT_EQUAL(count_networks(), SMALL);
}

/* ---- a disk that fails ---- */

enum { SOME = 40 };

/* Whichever call fails, the file is the list there was, the error is told and nothing else is left. */
static bool
write_badly(unsigned long nth, fail_io_way way, int error)
{
	char fresh[96];
	bool failed;
	int result;

	snprintf(fresh, sizeof(fresh), "%s.new", path);
	CU_ASSERT_EQUAL(write_many(SMALL), 0);
	fail_io_start(nth, way, error);
	result = write_many(SOME);
	failed = fail_io_stop();
	ASSERT(result == (failed ? error : 0), "call %lu: %s", nth, strerror(result));
	ASSERT(count_networks() == (failed ? SMALL : SOME), "call %lu: %zu networks", nth,
	       count_networks());
	ASSERT(access(fresh, F_OK) == -1, "call %lu: a file is left", nth);
	return failed;
}

static bool
read_badly(unsigned long nth, fail_io_way way, int error)
{
	const char *why = NULL;
	network_list *list;
	bool failed;

	fail_io_start(nth, way, error);
	list = list_cache_read(path, KEY, &why);
	failed = fail_io_stop();
	ASSERT((list == NULL) == failed, "call %lu: %s", nth, why);
	ASSERT(!failed || strcmp(why, "it cannot be read") == 0, "call %lu: %s", nth, why);
	if (list != NULL)
		network_list_unref(list);
	ASSERT(count_networks() == SMALL, "call %lu", nth);
	return failed;
}

static void
test_bad_disk(void)
{
	unsigned long writes = fail_io_everywhere(write_badly);

	CU_ASSERT_EQUAL(write_many(SMALL), 0);
	/* Opening, ftruncate(), fflush(), fsync(), rename(); opening, read(). */
	CU_ASSERT(writes >= 6 * 5);
	CU_ASSERT(fail_io_everywhere(read_badly) >= 6 * 2);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "what is written is read again", test_round_trip },
		{ "random lists are the same afterwards", test_random_lists },
		{ "a torn file is not used", test_torn },
		{ "neither is a malformed one, or that of another source", test_malformed },
		{ "what is no file is not read", test_no_file },
		{ "a failure leaves the old file", test_write_failure },
		{ "a full disk leaves the old file", test_full_disk },
		{ "a process that is killed leaves a whole file", test_killed },
		{ "a disk that fails leaves the old file", test_bad_disk },
		{ "one writes it at a time", test_two_writers },
		{ "the age goes on", test_age },
		{ "that of another list stays", test_age_of_another },
		{ "a list is whole or none when memory is short", test_short_memory },
		{ NULL, NULL },
	};
	int status;

	if (mkdtemp(directory) == NULL)
		return 99;
	snprintf(path, sizeof(path), "%s/list", directory);
	status = suite_run("identifier/ip-cidr-list-url cache", tests);
	unlink(path);
	rmdir(directory);
	return status;
}
