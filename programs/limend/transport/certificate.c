/* SPDX-License-Identifier: Apache-2.0 */
/*
 * certificate.c - reads the PEM files into GnuTLS credentials and replaces the credentials in force
 * when the hash of the files changes.  Owns all credentials, counts their users under a mutex, and
 * logs replacements and failures.
 */
#include "certificate.h"

#include <gnutls/x509.h>
#include <limen/host.h>
#include <pthread.h>
#include <string.h>

#include "base/file_state.h"
#include "base/log.h"

/* Caps for a file of certificates: certificates in the chain, and bytes. */
#define CHAIN_MAX 16
#define FILE_MAX  ((gsize)1 << 20)

typedef enum file_kind { CHAIN, KEY, AUTHORITIES, FILES } file_kind;

struct credentials {
	unsigned users; /* references; 'certificate.current' holds one */
	gnutls_certificate_credentials_t handle;
	bool has_authorities;
	time_t expires;       /* the first certificate that does */
	file_kind expires_in; /* the file of that certificate */
};

struct certificate {
	char *paths[FILES]; /* the path of the authorities may be NULL */
	struct stat states[FILES]; /* before they were read last */
	char *failure;        /* why the files could not be used last; NULL: they could */
	char *content_hash;   /* of the contents in force, over all files */
	pthread_mutex_t lock; /* guards 'current' and the users of all credentials */
	credentials *current;
	double warned;        /* the days before the end that were warned of last; 0: none */
};

/* ---- credentials ---- */

static void
free_credentials(credentials *taken)
{
	if (taken->handle != NULL)
		gnutls_certificate_free_credentials(taken->handle);
	g_free(taken);
}

/*
 * Reads the certificates of a file, which must be an ordered chain of CHAIN_MAX at most if it is
 * that of the chain, and keeps when the first of them expires, if none before does earlier.
 */
static int
read_expiry(credentials *out, const gnutls_datum_t *text, file_kind kind)
{
	gnutls_x509_crt_t *found = NULL;
	unsigned count = 0;
	int result = gnutls_x509_crt_list_import2(
		&found, &count, text, GNUTLS_X509_FMT_PEM,
		kind == CHAIN ? GNUTLS_X509_CRT_LIST_FAIL_IF_UNSORTED : 0);

	if (result < 0)
		return result;
	for (unsigned i = 0; i < count; i++) {
		time_t expires = gnutls_x509_crt_get_expiration_time(found[i]);

		if (out->expires == 0 || expires < out->expires) {
			out->expires = expires;
			out->expires_in = kind;
		}
		gnutls_x509_crt_deinit(found[i]);
	}
	gnutls_free(found);
	return kind == CHAIN && count > CHAIN_MAX ? GNUTLS_E_SHORT_MEMORY_BUFFER : 0;
}

/* Reads chain and key; GnuTLS checks that the key belongs to the first certificate. */
static int
read_pair(credentials *out, const gnutls_datum_t *chain, const gnutls_datum_t *key)
{
	int result = read_expiry(out, chain, CHAIN);

	if (result >= 0)
		result = gnutls_certificate_allocate_credentials(&out->handle);
	if (result < 0)
		return result;
	return gnutls_certificate_set_x509_key_mem(out->handle, chain, key, GNUTLS_X509_FMT_PEM);
}

static credentials *
make_credentials(const certificate *self, const gnutls_datum_t texts[FILES], char **error)
{
	credentials *loaded = g_new0(credentials, 1);
	int result = read_pair(loaded, &texts[CHAIN], &texts[KEY]);

	loaded->users = 1;
	if (result < 0) {
		*error = g_strdup_printf("%s and %s: %s", self->paths[CHAIN], self->paths[KEY],
		                         gnutls_strerror(result));
		free_credentials(loaded);
		return NULL;
	}
	loaded->has_authorities = self->paths[AUTHORITIES] != NULL;
	/* The result is the number of authorities, or a negative error. */
	if (loaded->has_authorities)
		result = gnutls_certificate_set_x509_trust_mem(loaded->handle, &texts[AUTHORITIES],
		                                               GNUTLS_X509_FMT_PEM);
	if (loaded->has_authorities && result > 0 &&
	    read_expiry(loaded, &texts[AUTHORITIES], AUTHORITIES) < 0)
		result = 0;
	if (!loaded->has_authorities || result > 0)
		return loaded;
	*error = g_strdup_printf("%s: %s", self->paths[AUTHORITIES],
	                         result < 0 ? gnutls_strerror(result)
	                                    : "no certificate in it");
	free_credentials(loaded);
	return NULL;
}

/* ---- files ---- */

/* Reads a file.  One that is too long is not read at all: failed reads repeat every second. */
static bool
read_file(const char *path, off_t size, gnutls_datum_t *out, char **error)
{
	GError *reason = NULL;
	gchar *text = NULL;
	gsize length;

	if ((guint64)size > FILE_MAX) {
		*error = g_strdup_printf("%s: more than 1 MiB", path);
		return false;
	}
	if (!g_file_get_contents(path, &text, &length, &reason)) {
		*error = g_strdup(reason->message);
		g_error_free(reason);
		return false;
	}
	*out = (gnutls_datum_t){ (unsigned char *)text, (unsigned)length };
	return true;
}

/* ---- replacing ---- */

typedef enum load_result { LOAD_FAILED, LOAD_SAME, LOAD_NEW } load_result;

static void
install(certificate *self, credentials *loaded, const char *hash)
{
	credentials *before;

	g_free(self->content_hash);
	self->content_hash = g_strdup(hash);
	self->warned = 0;
	pthread_mutex_lock(&self->lock);
	before = self->current;
	self->current = loaded;
	pthread_mutex_unlock(&self->lock);
	if (before != NULL)
		certificate_give_back(self, before);
}

static load_result
load_files(certificate *self, char **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	gnutls_datum_t texts[FILES] = { { .size = 0 } };
	credentials *loaded = NULL;
	bool good = true;
	bool same;

	for (int i = 0; good && i < FILES; i++) {
		good = self->paths[i] == NULL ||
		       read_file(self->paths[i], self->states[i].st_size, &texts[i], error);
		g_checksum_update(sum, texts[i].data, texts[i].size);
		g_checksum_update(sum, (const guchar *)"", 1);
	}
	same = good && g_strcmp0(g_checksum_get_string(sum), self->content_hash) == 0;
	if (good && !same)
		loaded = make_credentials(self, texts, error);
	for (int i = 0; i < FILES; i++) {
		if (texts[i].data != NULL)
			explicit_bzero(texts[i].data, texts[i].size);
		g_free(texts[i].data);
	}
	if (loaded != NULL)
		install(self, loaded, g_checksum_get_string(sum));
	return loaded != NULL ? LOAD_NEW : same ? LOAD_SAME : LOAD_FAILED;
}

/* The states are taken before a read: a file that changes while it is read is read again. */
static bool
look_at_files(certificate *self)
{
	bool changed = false;

	for (int i = 0; i < FILES; i++)
		changed = file_state_changed(self->paths[i], &self->states[i]) || changed;
	return changed;
}

/* Warns, once for each of 'steps', that a certificate in force expires soon. */
static void
warn_of_end(certificate *self)
{
	static const double steps[] = { 1, 7, 14, 30 };
	double left = (double)(certificate_expires(self) - limen_host_wall_time()) / 86400e6;
	size_t i = 0;

	while (i < G_N_ELEMENTS(steps) && left > steps[i])
		i++;
	if (i == G_N_ELEMENTS(steps) || (self->warned > 0 && self->warned <= steps[i]))
		return;
	self->warned = steps[i];
	log_print(LIMEN_LOG_WARNING, "tls", "a certificate in %s %s %.1f days%s",
	          self->paths[self->current->expires_in], left < 0 ? "expired" : "expires in",
	          ABS(left), left < 0 ? " ago" : "");
}

/*
 * A failed load is retried even if no file has changed: memory or descriptors may have been
 * short, or the cause may lie outside the files.
 */
void
certificate_refresh(certificate *self, bool always)
{
	char *error = NULL;
	bool changed = look_at_files(self);
	load_result result;

	if (!always && self->failure == NULL && !changed) {
		warn_of_end(self);
		return;
	}
	result = load_files(self, &error);
	if (result == LOAD_NEW)
		log_print(LIMEN_LOG_INFO, "tls",
		          "the certificate was replaced; it expires in %.0f days",
		          (double)(certificate_expires(self) - limen_host_wall_time()) / 86400e6);
	else if (result == LOAD_FAILED && (always || g_strcmp0(error, self->failure) != 0))
		log_print(LIMEN_LOG_ERROR, "tls", "the certificate stays as it was: %s", error);
	g_free(self->failure);
	self->failure = error;
	warn_of_end(self);
}

/* ---- life ---- */

certificate *
certificate_open(const char *chain_path, const char *key_path, const char *authorities_path,
                 char **error)
{
	certificate *self = g_new0(certificate, 1);

	pthread_mutex_init(&self->lock, NULL);
	self->paths[CHAIN] = g_strdup(chain_path);
	self->paths[KEY] = g_strdup(key_path);
	self->paths[AUTHORITIES] = g_strdup(authorities_path);
	look_at_files(self);
	if (load_files(self, error) == LOAD_NEW) {
		warn_of_end(self);
		return self;
	}
	certificate_close(self);
	return NULL;
}

void
certificate_close(certificate *self)
{
	if (self == NULL)
		return;
	if (self->current != NULL)
		free_credentials(self->current);
	pthread_mutex_destroy(&self->lock);
	g_free(self->content_hash);
	g_free(self->failure);
	for (int i = 0; i < FILES; i++)
		g_free(self->paths[i]);
	g_free(self);
}

limen_time
certificate_expires(certificate *self)
{
	return self->current->expires * LIMEN_SECOND;
}

/* ---- use ---- */

credentials *
certificate_take(certificate *self, gnutls_session_t session)
{
	credentials *found;

	pthread_mutex_lock(&self->lock);
	found = self->current;
	found->users++;
	pthread_mutex_unlock(&self->lock);
	if (found->has_authorities)
		gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST);
	if (gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, found->handle) == 0)
		return found;
	certificate_give_back(self, found);
	return NULL;
}

void
certificate_give_back(certificate *self, credentials *taken)
{
	bool last;

	pthread_mutex_lock(&self->lock);
	last = --taken->users == 0;
	pthread_mutex_unlock(&self->lock);
	if (last)
		free_credentials(taken);
}

bool
certificate_is_current(certificate *self, const credentials *taken)
{
	bool current;

	pthread_mutex_lock(&self->lock);
	current = self->current == taken;
	pthread_mutex_unlock(&self->lock);
	return current;
}
