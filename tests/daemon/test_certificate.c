/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_certificate.c - a certificate that is replaced while it is in force, look by look:
 * what is noticed, what is tried again, and how often the log says why not.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <gnutls/x509.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "observed.h"
#include "scratch.h"
#include "set_clock.h"
#include "suite.h"
#include "transport/certificate.h"

/* All files are that long, so that no size tells one from another. */
enum { ROOM = 2048, NOBODY = 65534 };

#define SAID "the certificate stays as it was: "

/* A chain and its key, as PEM. */
typedef struct pair {
	char chain[ROOM + 1];
	char key[ROOM + 1];
} pair;

static pair first;  /* of 40 days */
static pair second; /* of 60 */

/* ---- certificates ---- */

static void
keep_text(char to[ROOM + 1], gnutls_datum_t *from)
{
	CU_ASSERT_FATAL(from->size < ROOM);
	memset(to, '\n', ROOM);
	memcpy(to, from->data, from->size);
	gnutls_free(from->data);
}

static void
make_pair(pair *out, int days)
{
	gnutls_x509_privkey_t key;
	gnutls_x509_crt_t one;
	gnutls_datum_t text;

	gnutls_x509_privkey_init(&key);
	gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA,
	                             GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
	gnutls_x509_crt_init(&one);
	gnutls_x509_crt_set_version(one, 3);
	gnutls_x509_crt_set_serial(one, "\1", 1);
	gnutls_x509_crt_set_dn(one, "CN=test", NULL);
	gnutls_x509_crt_set_activation_time(one, time(NULL) - 3600);
	gnutls_x509_crt_set_expiration_time(one, time(NULL) + (time_t)days * 86400);
	gnutls_x509_crt_set_key(one, key);
	CU_ASSERT_EQUAL_FATAL(gnutls_x509_crt_sign2(one, one, key, GNUTLS_DIG_SHA256, 0), 0);
	CU_ASSERT_EQUAL_FATAL(gnutls_x509_crt_export2(one, GNUTLS_X509_FMT_PEM, &text), 0);
	keep_text(out->chain, &text);
	CU_ASSERT_EQUAL_FATAL(gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &text), 0);
	keep_text(out->key, &text);
	gnutls_x509_crt_deinit(one);
	gnutls_x509_privkey_deinit(key);
}

/* ---- what is looked at ---- */

typedef struct subject {
	scratch dir;
	char *chain;
	char *key;
	char *log;
	int log_fd;
	certificate *certificate; /* of 'first' */
} subject;

static void
write_pair(const subject *self, const pair *of)
{
	scratch_write(self->chain, of->chain);
	scratch_write(self->key, of->key);
}

static subject
begin(void)
{
	subject self = { .dir = scratch_new() };
	log_options options = { .format = LOG_TEXT, .level = LIMEN_LOG_INFO };
	char *error = NULL;

	if (first.chain[0] == '\0') {
		make_pair(&first, 40);
		make_pair(&second, 60);
	}
	self.chain = scratch_path(&self.dir, "chain");
	self.key = scratch_path(&self.dir, "key");
	self.log = scratch_path(&self.dir, "log");
	options.fd = self.log_fd = open(self.log, O_RDWR | O_CREAT | O_APPEND, 0600);
	log_setup(&options);
	write_pair(&self, &first);
	self.certificate = certificate_open(self.chain, self.key, NULL, &error);
	CU_ASSERT_PTR_NOT_NULL_FATAL(self.certificate);
	return self;
}

static void
end(subject *self)
{
	static const log_options usual = { LOG_TEXT, LIMEN_LOG_INFO, STDERR_FILENO };

	log_setup(&usual);
	close(self->log_fd);
	certificate_close(self->certificate);
	free(self->chain);
	free(self->key);
	free(self->log);
	scratch_free(&self->dir);
}

/* So often as nothing that is told each time would be told once. */
static void
look_thrice(const subject *self)
{
	for (int i = 0; i < 3; i++)
		certificate_refresh(self->certificate, false);
}

static bool
is_of(const subject *self, int days)
{
	double left = (double)(certificate_expires(self->certificate) - limen_host_wall_time()) /
	              86400e6;

	return left > days - 1 && left <= days;
}

/* How often 'text' was logged. */
static unsigned
times_said(const subject *self, const char *text)
{
	char *all = observed_read(self->log);
	unsigned times = 0;

	for (const char *at = strstr(all, text); at != NULL; at = strstr(at + 1, text))
		times++;
	g_free(all);
	return times;
}

/* ---- changes that only the time of the last change of the inode shows ---- */

/* Clocks of file systems go in steps: until this one is another. */
static void
change_mode(const char *path, mode_t mode)
{
	struct stat before;
	struct stat now;

	CU_ASSERT_EQUAL_FATAL(stat(path, &before), 0);
	do {
		CU_ASSERT_EQUAL_FATAL(chmod(path, mode), 0);
		CU_ASSERT_EQUAL_FATAL(stat(path, &now), 0);
	} while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
	         now.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
}

static void
rewrite(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	struct stat before;
	struct timespec times[2];

	CU_ASSERT_EQUAL_FATAL(fstat(file, &before), 0);
	CU_ASSERT_EQUAL_FATAL(before.st_size, ROOM);
	CU_ASSERT_EQUAL(write(file, text, ROOM), ROOM);
	times[0] = before.st_atim;
	times[1] = before.st_mtim;
	CU_ASSERT_EQUAL(futimens(file, times), 0);
	close(file);
	change_mode(path, before.st_mode & 07777);
}

static void
test_old_time(void)
{
	subject self = begin();

	rewrite(self.chain, second.chain);
	rewrite(self.key, second.key);
	certificate_refresh(self.certificate, false);
	CU_ASSERT_TRUE(is_of(&self, 60));
	CU_ASSERT_EQUAL(times_said(&self, "the certificate was replaced"), 1);
	look_thrice(&self);
	CU_ASSERT_EQUAL(times_said(&self, "\n"), 1);
	end(&self);
}

static void
test_misfit(void)
{
	subject self = begin();

	rewrite(self.key, second.key);
	look_thrice(&self);
	CU_ASSERT_TRUE(is_of(&self, 40));
	CU_ASSERT_EQUAL(times_said(&self, SAID), 1);
	rewrite(self.chain, second.chain);
	certificate_refresh(self.certificate, false);
	CU_ASSERT_TRUE(is_of(&self, 60));
	CU_ASSERT_EQUAL(times_said(&self, "\n"), 2);
	end(&self);
}

/* ---- who may read ---- */

/* Root may read everything, and looks as somebody else; false if it cannot. */
static bool
step_down(void)
{
	return geteuid() != 0 || seteuid(NOBODY) == 0;
}

static void
step_up(void)
{
	if (getuid() == 0)
		CU_ASSERT_EQUAL_FATAL(seteuid(0), 0);
}

static void
look_as_nobody(const subject *self)
{
	CU_ASSERT_TRUE_FATAL(step_down());
	look_thrice(self);
	step_up();
}

static void
test_permission(void)
{
	subject self = begin();
	bool able = step_down();

	step_up();
	if (!able) {
		suite_skip("root cannot be anybody else here");
		end(&self);
		return;
	}
	CU_ASSERT_EQUAL(chmod(self.dir.path, 0755), 0);
	write_pair(&self, &second);
	change_mode(self.key, 0);
	look_as_nobody(&self);
	CU_ASSERT_TRUE(is_of(&self, 40));
	CU_ASSERT_EQUAL(times_said(&self, SAID), 1);
	CU_ASSERT_EQUAL(times_said(&self, strerror(EACCES)), 1);
	change_mode(self.key, 0644);
	look_as_nobody(&self);
	CU_ASSERT_TRUE(is_of(&self, 60));
	end(&self);
}

/* ---- failures that are not of the files ---- */

static void
test_moment(void)
{
	subject self = begin();
	struct rlimit usual;
	struct rlimit none;

	CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_NOFILE, &usual), 0);
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = usual.rlim_max };
	write_pair(&self, &second);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_NOFILE, &none), 0);
	look_thrice(&self);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_NOFILE, &usual), 0);
	CU_ASSERT_TRUE(is_of(&self, 40));
	CU_ASSERT_EQUAL(times_said(&self, SAID), 1);
	CU_ASSERT_EQUAL(times_said(&self, strerror(EMFILE)), 1);
	certificate_refresh(self.certificate, false);
	CU_ASSERT_TRUE(is_of(&self, 60));
	end(&self);
}

/* Each reason once, however long it lasts; once more after a success, or if asked. */
static void
test_reasons(void)
{
	subject self = begin();

	CU_ASSERT_EQUAL(unlink(self.key), 0);
	look_thrice(&self);
	CU_ASSERT_EQUAL(times_said(&self, SAID), 1);
	CU_ASSERT_EQUAL(mkdir(self.key, 0700), 0);
	look_thrice(&self);
	CU_ASSERT_EQUAL(times_said(&self, SAID), 2);
	CU_ASSERT_EQUAL(rmdir(self.key), 0);
	scratch_write(self.key, "nonsense");
	look_thrice(&self);
	CU_ASSERT_EQUAL(times_said(&self, SAID), 3);
	/* Holes take no room, and no memory is as large. */
	CU_ASSERT_EQUAL(truncate(self.key, (off_t)1 << 40), 0);
	look_thrice(&self);
	CU_ASSERT_EQUAL(times_said(&self, "key: more than 1 MiB"), 1);
	certificate_refresh(self.certificate, true);
	CU_ASSERT_EQUAL(times_said(&self, "key: more than 1 MiB"), 2);
	CU_ASSERT_TRUE(is_of(&self, 40));
	write_pair(&self, &second);
	look_thrice(&self);
	CU_ASSERT_TRUE(is_of(&self, 60));
	CU_ASSERT_EQUAL(unlink(self.key), 0);
	look_thrice(&self);
	CU_ASSERT_EQUAL(times_said(&self, SAID), 6);
	end(&self);
}

/* ---- the end of certificates ---- */

#define ENDS "a certificate in "

/* Opens the pair again, with the text of a file of authorities. */
static void
open_again(subject *self, const char *authorities_path, const char *authorities)
{
	char *error = NULL;

	certificate_close(self->certificate);
	scratch_write(authorities_path, authorities);
	self->certificate = certificate_open(self->chain, self->key, authorities_path, &error);
	CU_ASSERT_PTR_NOT_NULL_FATAL(self->certificate);
}

static void
test_least(void)
{
	subject self = begin();
	char *path = scratch_path(&self.dir, "authorities");
	pair brief = { .chain = "" };
	char *both;

	make_pair(&brief, 20);
	both = g_strconcat(second.chain, brief.chain, NULL);
	open_again(&self, path, second.chain);
	CU_ASSERT_TRUE(is_of(&self, 40));
	CU_ASSERT_EQUAL(times_said(&self, ENDS), 0);
	open_again(&self, path, both);
	CU_ASSERT_TRUE(is_of(&self, 20));
	CU_ASSERT_EQUAL(times_said(&self, "authorities expires in 20.0 days"), 1);
	g_free(both);
	free(path);
	end(&self);
}

static void
test_warnings(void)
{
	static const struct {
		time_t day;
		unsigned said;
	} days[] = { { 9, 0 }, { 11, 1 }, { 25, 1 }, { 27, 2 }, { 34, 3 }, { 38, 3 }, { 40, 4 }, { 50, 4 } };
	subject self = begin();

	for (size_t i = 0; i < G_N_ELEMENTS(days); i++) {
		set_clock(days[i].day * SET_CLOCK_DAY - 3600);
		look_thrice(&self);
		CU_ASSERT_EQUAL(times_said(&self, ENDS), days[i].said);
	}
	set_clock(0);
	write_pair(&self, &second);
	certificate_refresh(self.certificate, true);
	set_clock(31 * SET_CLOCK_DAY);
	look_thrice(&self);
	CU_ASSERT_EQUAL(times_said(&self, ENDS), 5);
	set_clock(0);
	end(&self);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a pair with the times and sizes of the one before is noticed", test_old_time },
		{ "a pair that does not fit is told of once, and taken when it does", test_misfit },
		{ "files that may not be read are taken as soon as they may", test_permission },
		{ "what failed for a moment is tried again, though no file changed", test_moment },
		{ "each reason is told once", test_reasons },
		{ "the days left are the least of all certificates", test_least },
		{ "30, 14, 7 and 1 days before the end it is warned of, once each", test_warnings },
		{ NULL, NULL },
	};

	return suite_run("daemon/certificate", tests);
}
