/* SPDX-License-Identifier: Apache-2.0 */
#include "certificate.h"

#include <gnutls/x509.h>
#include <limen/host.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "log.h"

/* No chain that anybody means is longer. */
#define CHAIN_MAX 16
#define FILE_MAX  ((gsize)1 << 20)

/* A handshake that still uses a replaced pair has long been shed after this; nanoseconds. */
#define KEEP_TIME (INT64_C(600) * 1000000000)

typedef struct pair {
	struct pair *next; /* older ones */
	int64_t replaced;  /* limen_host_monotonic() */
	gnutls_pcert_st chain[CHAIN_MAX];
	unsigned length;
	gnutls_privkey_t key;
	time_t expires;
} pair;

/* Which file it was: a secret of Kubernetes is replaced by exchanging a link further up. */
typedef struct file_mark {
	dev_t device;
	ino_t number;
	off_t size;
	struct timespec changed;
} file_mark;

struct certificate {
	char *chain_path;
	char *key_path;
	file_mark chain_mark;
	file_mark key_mark;
	char *content_hash; /* of both files of the pair in force */
	pthread_mutex_t lock; /* guards 'current' */
	pair *current;
};

/* ---- one pair ---- */

static void
free_pair(pair *one)
{
	for (unsigned i = 0; i < one->length; i++)
		gnutls_pcert_deinit(&one->chain[i]);
	if (one->key != NULL)
		gnutls_privkey_deinit(one->key);
	g_free(one);
}

/* Does the key belong to the first certificate?  GnuTLS answers for a whole set of credentials. */
static int
check_match(const gnutls_datum_t *chain, const gnutls_datum_t *key)
{
	gnutls_certificate_credentials_t scratch;
	int result = gnutls_certificate_allocate_credentials(&scratch);

	if (result < 0)
		return result;
	result = gnutls_certificate_set_x509_key_mem(scratch, chain, key, GNUTLS_X509_FMT_PEM);
	gnutls_certificate_free_credentials(scratch);
	return result;
}

static int
read_chain(const gnutls_datum_t *text, pair *out)
{
	gnutls_x509_crt_t found[CHAIN_MAX];
	unsigned count = CHAIN_MAX;
	int result = gnutls_x509_crt_list_import(found, &count, text, GNUTLS_X509_FMT_PEM,
	                                         GNUTLS_X509_CRT_LIST_IMPORT_FAIL_IF_EXCEED |
	                                         GNUTLS_X509_CRT_LIST_FAIL_IF_UNSORTED);

	if (result < 0)
		return result;
	out->expires = gnutls_x509_crt_get_expiration_time(found[0]);
	for (unsigned i = 0; i < count; i++) {
		if (result >= 0)
			result = gnutls_pcert_import_x509(&out->chain[i], found[i], 0);
		if (result >= 0)
			out->length++;
		gnutls_x509_crt_deinit(found[i]);
	}
	return result;
}

static int
read_key(const gnutls_datum_t *text, pair *out)
{
	int result = gnutls_privkey_init(&out->key);

	if (result < 0)
		return result;
	return gnutls_privkey_import_x509_raw(out->key, text, GNUTLS_X509_FMT_PEM, NULL, 0);
}

static pair *
make_pair(const GString *chain_text, const GString *key_text, char **error)
{
	gnutls_datum_t chain = { (unsigned char *)chain_text->str, (unsigned)chain_text->len };
	gnutls_datum_t key = { (unsigned char *)key_text->str, (unsigned)key_text->len };
	pair *made = g_new0(pair, 1);
	int result = check_match(&chain, &key);

	if (result >= 0)
		result = read_chain(&chain, made);
	if (result >= 0)
		result = read_key(&key, made);
	if (result >= 0)
		return made;
	*error = g_strdup(gnutls_strerror(result));
	free_pair(made);
	return NULL;
}

/* ---- files ---- */

static file_mark
mark_file(const char *path)
{
	struct stat facts;

	if (stat(path, &facts) != 0)
		return (file_mark){ .device = 0 };
	return (file_mark){ .device = facts.st_dev, .number = facts.st_ino,
		.size = facts.st_size, .changed = facts.st_mtim };
}

static bool
equal_marks(const file_mark *a, const file_mark *b)
{
	return a->device == b->device && a->number == b->number && a->size == b->size &&
	       a->changed.tv_sec == b->changed.tv_sec &&
	       a->changed.tv_nsec == b->changed.tv_nsec;
}

static GString *
read_file(const char *path, char **error)
{
	GError *reason = NULL;
	gchar *text;
	gsize length;
	GString *content;

	if (!g_file_get_contents(path, &text, &length, &reason)) {
		*error = g_strdup(reason->message);
		g_error_free(reason);
		return NULL;
	}
	if (length > FILE_MAX) {
		g_free(text);
		*error = g_strdup_printf("%s: more than 1 MiB", path);
		return NULL;
	}
	content = g_string_new_len(text, (gssize)length);
	g_free(text);
	return content;
}

static char *
hash_texts(const GString *a, const GString *b)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	char *hash;

	g_checksum_update(sum, (const guchar *)a->str, (gssize)a->len);
	g_checksum_update(sum, (const guchar *)"", 1);
	g_checksum_update(sum, (const guchar *)b->str, (gssize)b->len);
	hash = g_strdup(g_checksum_get_string(sum));
	g_checksum_free(sum);
	return hash;
}

static void
free_text(GString *text)
{
	if (text != NULL)
		g_string_free(text, TRUE);
}

/* ---- replacing ---- */

/* Drops the pairs after 'newest' that nobody can use any more. */
static void
drop_old(pair *newest, int64_t now)
{
	pair **link = &newest->next;

	while (*link != NULL) {
		pair *one = *link;

		if (now - one->replaced < KEEP_TIME) {
			link = &one->next;
			continue;
		}
		*link = one->next;
		free_pair(one);
	}
}

static void
install(certificate *self, pair *made)
{
	int64_t now = limen_host_monotonic();

	pthread_mutex_lock(&self->lock);
	made->next = self->current;
	if (made->next != NULL)
		made->next->replaced = now;
	self->current = made;
	drop_old(made, now);
	pthread_mutex_unlock(&self->lock);
}

typedef enum load_result { LOAD_FAILED, LOAD_SAME, LOAD_NEW } load_result;

static load_result
load_texts(certificate *self, const GString *chain, const GString *key, char **error)
{
	char *hash = hash_texts(chain, key);
	pair *made;

	if (self->content_hash != NULL && strcmp(hash, self->content_hash) == 0) {
		g_free(hash);
		return LOAD_SAME;
	}
	made = make_pair(chain, key, error);
	if (made == NULL) {
		g_free(hash);
		return LOAD_FAILED;
	}
	g_free(self->content_hash);
	self->content_hash = hash;
	install(self, made);
	return LOAD_NEW;
}

static load_result
load_files(certificate *self, char **error)
{
	GString *chain;
	GString *key = NULL;
	load_result result = LOAD_FAILED;

	/* Marked first: what changes while it is read is read again. */
	self->chain_mark = mark_file(self->chain_path);
	self->key_mark = mark_file(self->key_path);
	chain = read_file(self->chain_path, error);
	if (chain != NULL)
		key = read_file(self->key_path, error);
	if (key != NULL)
		result = load_texts(self, chain, key, error);
	if (key != NULL)
		explicit_bzero(key->str, key->len);
	free_text(chain);
	free_text(key);
	return result;
}

void
certificate_refresh(certificate *self, bool always)
{
	file_mark chain = mark_file(self->chain_path);
	file_mark key = mark_file(self->key_path);
	char *error = NULL;
	char *text = NULL;
	load_result result;

	if (!always && equal_marks(&chain, &self->chain_mark) &&
	    equal_marks(&key, &self->key_mark))
		return;
	result = load_files(self, &error);
	if (result == LOAD_NEW)
		text = g_strdup_printf("the certificate was replaced; it expires in %.0f days",
		                       certificate_days_left(self));
	else if (result == LOAD_FAILED)
		text = g_strdup_printf("the certificate stays as it was: %s", error);
	if (text != NULL)
		log_line(result == LOAD_NEW ? LIMEN_LOG_INFO : LIMEN_LOG_ERROR, "tls", text);
	g_free(text);
	g_free(error);
}

/* ---- life ---- */

certificate *
certificate_open(const char *chain_path, const char *key_path, char **error)
{
	certificate *made = g_new0(certificate, 1);

	pthread_mutex_init(&made->lock, NULL);
	made->chain_path = g_strdup(chain_path);
	made->key_path = g_strdup(key_path);
	if (load_files(made, error) == LOAD_NEW)
		return made;
	certificate_close(made);
	return NULL;
}

void
certificate_close(certificate *self)
{
	if (self == NULL)
		return;
	while (self->current != NULL) {
		pair *next = self->current->next;

		free_pair(self->current);
		self->current = next;
	}
	pthread_mutex_destroy(&self->lock);
	g_free(self->content_hash);
	g_free(self->chain_path);
	g_free(self->key_path);
	g_free(self);
}

double
certificate_days_left(certificate *self)
{
	time_t expires;

	pthread_mutex_lock(&self->lock);
	expires = self->current->expires;
	pthread_mutex_unlock(&self->lock);
	return ((double)expires - (double)limen_host_wall_time() / (double)LIMEN_SECOND) / 86400;
}

int
certificate_pick(certificate *self, gnutls_pcert_st **chain, unsigned *length,
                 gnutls_privkey_t *key)
{
	pthread_mutex_lock(&self->lock);
	*chain = self->current->chain;
	*length = self->current->length;
	*key = self->current->key;
	pthread_mutex_unlock(&self->lock);
	return 0;
}
