/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <limen/limen.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "fail_io.h"
#include "observed.h"
#include "suite.h"

static char path[] = "/tmp/limen-log-XXXXXX";
static int fd;

static void
start(log_format format, limen_log_level level)
{
	log_options options = { format, level, fd };

	CU_ASSERT_EQUAL(ftruncate(fd, 0), 0);
	lseek(fd, 0, SEEK_SET);
	log_setup(&options);
}

/* What was logged, to g_free(). */
static char *
logged(void)
{
	return observed_read(path);
}

static size_t
count_lines(const char *text)
{
	size_t count = 0;

	for (; *text != '\0'; text++)
		count += *text == '\n';
	return count;
}

static void
expect_end(const char *end)
{
	char *text = logged();

	CU_ASSERT(g_str_has_suffix(text, end));
	if (!g_str_has_suffix(text, end))
		printf("# %s", text);
	g_free(text);
}

static void
test_text(void)
{
	char *text;

	start(LOG_TEXT, LIMEN_LOG_INFO);
	log_line(LIMEN_LOG_DEBUG, "a", "not shown");
	log_line(LIMEN_LOG_INFO, "a", "one");
	expect_end("Z info a: one\n");
	log_line(LIMEN_LOG_ERROR, NULL, "two\nlines\x1b[31m \xc2\x9b \xff \x7f \xc3\xa9\xe2\x80\xa8");
	expect_end("Z error two\\nlines\\u001b[31m \\u009b \xef\xbf\xbd \\u007f \xc3\xa9\\u2028\n");
	/* No width, a byte order mark, the tag of "A"; an arrow and an emoji stay. */
	log_line(LIMEN_LOG_INFO, NULL, "\xe2\x80\x8b\xe2\x80\x8f\xef\xbb\xbf\xf3\xa0\x81\x81"
	                               "\xe2\x86\x92\xf0\x9f\x98\x80");
	expect_end("Z info \\u200b\\u200f\\ufeff\\udb40\\udc41\xe2\x86\x92\xf0\x9f\x98\x80\n");
	log_line((limen_log_level)77, "", NULL);
	expect_end("Z error \n");
	text = logged();
	CU_ASSERT_EQUAL(count_lines(text), 4);
	g_free(text);
}

static void
test_json(void)
{
	char *text;
	limen_request *holder = limen_request_new(LIMEN_SUBJECT_OBJECT);

	start(LOG_JSON, LIMEN_LOG_DEBUG);
	log_print(LIMEN_LOG_WARNING, "policy", "a \"%s\"\n%d", "\x01\xff", 5);
	text = logged();
	CU_ASSERT_EQUAL(limen_request_parse(holder, text, strlen(text), NULL), LIMEN_OK);
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(limen_request_document(holder), "level"),
	                              "warning"));
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(limen_request_document(holder), "source"),
	                              "policy"));
	CU_ASSERT_TRUE(limen_value_is(limen_value_get(limen_request_document(holder), "text"),
	                              "a \"\x01\xef\xbf\xbd\"\n5"));
	limen_request_free(holder);
	g_free(text);
}

static void
test_journal(void)
{
	struct stat about;
	char stream[80];

	fstat(fd, &about);
	snprintf(stream, sizeof(stream), "%llu:%llu", (unsigned long long)about.st_dev,
	         (unsigned long long)about.st_ino);
	setenv("JOURNAL_STREAM", stream, 1);
	start(LOG_TEXT, LIMEN_LOG_DEBUG);
	log_line(LIMEN_LOG_WARNING, "tls", "soon");
	expect_end("<4>tls: soon\n");
	setenv("JOURNAL_STREAM", "1:1", 1);
	start(LOG_TEXT, LIMEN_LOG_DEBUG);
	log_line(LIMEN_LOG_DEBUG, "tls", "soon");
	expect_end("Z debug tls: soon\n");
	unsetenv("JOURNAL_STREAM");
}

/* Said by a stranger again and again, it would hide what the operator looks for. */
static void
test_kept(void)
{
	GString *kept = g_string_new(NULL);

	log_line(LIMEN_LOG_INFO, "kept", "once");
	for (int i = 0; i < 10 * LOG_RECENT; i++) {
		log_line(LIMEN_LOG_WARNING, "kept", "again");
		log_line(LIMEN_LOG_WARNING, "kept", "and again");
		log_line(LIMEN_LOG_DEBUG, "kept", "never");
	}
	log_append_recent(kept);
	CU_ASSERT_PTR_NOT_NULL(strstr(kept->str, "\"text\":\"once\"}"));
	CU_ASSERT_PTR_NOT_NULL(strstr(kept->str, "\"text\":\"again\",\"times\":500}"));
	/* The newest first. */
	CU_ASSERT_TRUE(strstr(kept->str, "\"and again\",\"times\":500}") <
	               strstr(kept->str, "\"again\",\"times\":500}"));
	CU_ASSERT_PTR_NULL(strstr(kept->str, "never"));
	g_string_truncate(kept, 0);
	for (int i = 0; i < LOG_RECENT; i++)
		log_print(LIMEN_LOG_INFO, "kept", "line %d", i);
	log_append_recent(kept);
	CU_ASSERT_PTR_NULL(strstr(kept->str, "again"));
	CU_ASSERT_PTR_NOT_NULL(strstr(kept->str, "\"line 0\"}]"));
	g_string_free(kept, TRUE);
}

static void
test_long(void)
{
	char *big = g_malloc0(3 * LOG_TEXT_MAX);
	char *text;

	memset(big, 'x', LOG_TEXT_MAX - 1);
	memcpy(big + LOG_TEXT_MAX - 1, "\xc3\xa9tail", 6);
	start(LOG_TEXT, LIMEN_LOG_INFO);
	log_line(LIMEN_LOG_INFO, NULL, big);
	expect_end("xx...\n");
	memset(big, 'y', LOG_TEXT_MAX);
	big[LOG_TEXT_MAX] = '\0';
	log_line(LIMEN_LOG_INFO, NULL, big);
	expect_end("yyy\n");
	text = logged();
	CU_ASSERT_TRUE(g_utf8_validate(text, -1, NULL));
	g_free(text);
	g_free(big);
}

static void
test_repeats(void)
{
	char *text;

	start(LOG_TEXT, LIMEN_LOG_INFO);
	for (int i = 0; i < 3000; i++)
		log_line(LIMEN_LOG_ERROR, "list", "cannot be had");
	text = logged();
	CU_ASSERT_EQUAL(count_lines(text), 3000);
	g_free(text);
}

/* Reads what is there, to g_free(). */
static char *
drain(int from)
{
	GString *all = g_string_new(NULL);
	char piece[4096];
	ssize_t count;

	fcntl(from, F_SETFL, O_NONBLOCK);
	while ((count = read(from, piece, sizeof(piece))) > 0)
		g_string_append_len(all, piece, count);
	fcntl(from, F_SETFL, 0);
	return g_string_free(all, FALSE);
}

/* Reads what is there, which ends with 'end'; returns how many lines it says were lost. */
static uint64_t
count_told(int from, const char *end)
{
	static const char words[] = "Z warning log: ";
	char *text = drain(from);
	uint64_t told = 0;

	for (const char *at = strstr(text, words); at != NULL; at = strstr(at + 1, words))
		told += strtoull(at + strlen(words), NULL, 10);
	CU_ASSERT(g_str_has_suffix(text, end));
	g_free(text);
	return told;
}

/* A test that waits for ever would be what is looked for. */
static void
check_full(int reader, int writer, uint64_t untold)
{
	log_options options = { LOG_TEXT, LIMEN_LOG_INFO, writer };
	uint64_t before = log_lost();
	int flags = fcntl(writer, F_GETFL) & ~O_NONBLOCK;
	char text[8000];
	uint64_t lost;
	uint64_t told;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	log_setup(&options);
	/* The flag is that of all who have the pipe, one of whom takes it back. */
	fcntl(writer, F_SETFL, flags);
	for (int i = 0; i < 500; i++) {
		snprintf(text, 8, "%06d", i);
		text[6] = 'x';
		log_line(LIMEN_LOG_INFO, "a", text);
	}
	CU_ASSERT(log_lost() > before);
	CU_ASSERT_EQUAL(fcntl(writer, F_GETFL), flags);
	lost = log_lost() - before;
	told = count_told(reader, "");
	/* Behind what was torn, in a line of its own. */
	log_line(LIMEN_LOG_INFO, "a", "again");
	told += count_told(reader, "Z info a: again\n");
	CU_ASSERT_EQUAL(told, lost + untold);
	log_line(LIMEN_LOG_INFO, "a", "and again");
	CU_ASSERT_EQUAL(count_told(reader, "Z info a: and again\n"), 0);
	CU_ASSERT_EQUAL(log_lost() - before, lost);
}

static void
test_full(void)
{
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
	check_full(ends[0], ends[1], 0);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	check_full(ends[0], ends[1], 0);
	close(ends[0]);
	/* Nobody is there to read. */
	log_line(LIMEN_LOG_INFO, "a", "lost");
	close(ends[1]);
	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	check_full(ends[0], ends[1], 1);
	close(ends[0]);
	close(ends[1]);
	start(LOG_TEXT, LIMEN_LOG_INFO);
	log_line(LIMEN_LOG_INFO, "a", "to a file");
	expect_end("Z info a: to a file\n");
}

/*
 * Three lines are logged, the second when the disk fails: it is there, or it is counted and
 * told of, and what is left of it stands alone.
 */
static bool
log_badly(unsigned long nth, fail_io_way way, int error)
{
	uint64_t before = log_lost();
	uint64_t lost;
	bool failed;
	char *text;

	start(LOG_TEXT, LIMEN_LOG_INFO);
	log_line(LIMEN_LOG_INFO, "a", "first");
	fail_io_start(nth, way, error);
	log_line(LIMEN_LOG_INFO, "a", "second");
	failed = fail_io_stop();
	lost = log_lost() - before;
	log_line(LIMEN_LOG_INFO, "a", "third");
	text = logged();
	CU_ASSERT_EQUAL(g_regex_match_simple("^[0-9TZ:.-]+ info a: first$", text,
	                                     G_REGEX_MULTILINE, 0), TRUE);
	CU_ASSERT_EQUAL(strstr(text, " info a: second\n") == NULL, lost == 1);
	CU_ASSERT_EQUAL(strstr(text, " warning log: 1 lines were lost: they could not be written\n")
	                        != NULL, lost == 1);
	CU_ASSERT_TRUE(g_regex_match_simple("^[0-9TZ:.-]+ info a: third$", text,
	                                    G_REGEX_MULTILINE, 0));
	/* Half of a line is a write that another may follow. */
	CU_ASSERT_EQUAL(lost, failed ? 1 : 0);
	g_free(text);
	return failed;
}

static void
test_bad_disk(void)
{
	CU_ASSERT(fail_io_everywhere(log_badly) >= 6);
}

static void *
talk(void *data)
{
	for (int i = 0; i < 100; i++)
		log_print(LIMEN_LOG_INFO, data, "number %d", i);
	return NULL;
}

static void
test_threads(void)
{
	static char names[8][4] = { "a", "b", "c", "d", "e", "f", "g", "h" };
	pthread_t threads[8];
	char *text;
	char **lines;

	start(LOG_TEXT, LIMEN_LOG_INFO);
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, talk, names[i]);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	text = logged();
	lines = g_strsplit(text, "\n", -1);
	CU_ASSERT_EQUAL(g_strv_length(lines), 801);
	for (int i = 0; i < 800; i++)
		CU_ASSERT_TRUE(g_regex_match_simple("[0-9]\\.[0-9]{6}Z info [a-h]: number [0-9]+$", lines[i], 0, 0));
	g_strfreev(lines);
	g_free(text);
}

/* Digits that are zero are there as well, so that later lines sort behind earlier ones. */
static void
test_time(void)
{
	static const struct {
		limen_time when;
		const char *text;
	} times[] = {
		{ 0, "1970-01-01T00:00:00.000000Z" },
		{ 1, "1970-01-01T00:00:00.000001Z" },
		{ 739900, "1970-01-01T00:00:00.739900Z" },
		{ LIMEN_SECOND - 1, "1970-01-01T00:00:00.999999Z" },
		{ LIMEN_SECOND, "1970-01-01T00:00:01.000000Z" },
		{ -1, "1969-12-31T23:59:59.999999Z" },
		{ -LIMEN_SECOND, "1969-12-31T23:59:59.000000Z" },
	};
	char text[LIMEN_TIMESTAMP_TEXT_MAX];

	for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
		log_time_print(times[i].when, text);
		CU_ASSERT_STRING_EQUAL(text, times[i].text);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "lines of text are one line each, without control characters", test_text },
		{ "lines of JSON", test_json },
		{ "times have six digits after the dot", test_time },
		{ "the journal gets priorities", test_journal },
		{ "the console keeps what is said again once", test_kept },
		{ "long lines are cut between characters", test_long },
		{ "each event is a line", test_repeats },
		{ "nobody waits for a pipe that nobody reads, and what is lost is told", test_full },
		{ "a disk that fails tears no line that follows, and what is lost is told", test_bad_disk },
		{ "lines of many threads do not mix", test_threads },
		{ NULL, NULL },
	};
	int status;

	fd = g_mkstemp_full(path, O_RDWR | O_APPEND | O_CLOEXEC, 0600);
	status = suite_run("daemon/log", tests);
	close(fd);
	unlink(path);
	return status;
}
