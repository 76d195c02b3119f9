/* SPDX-License-Identifier: Apache-2.0 */
/*
 * certificate.h - the certificate chain and the key of limend, and the authorities
 * it believes certificates of clients by; all are replaced while it runs.
 *
 * Files that cannot be used leave in force what worked last.
 */
#ifndef LIMEND_CERTIFICATE_H
#define LIMEND_CERTIFICATE_H

#include <glib.h>
#include <gnutls/gnutls.h>
#include <stdbool.h>

typedef struct certificate certificate;

/* What was in the files at one moment.  It lives until nobody uses it any more. */
typedef struct credentials credentials;

/*
 * Reads the files (PEM); 'authorities_path' may be NULL.  NULL, and why in
 * '*error' to g_free(), if that fails.
 */
certificate *certificate_open(const char *chain_path, const char *key_path,
                              const char *authorities_path, char **error);

/* All credentials must have been given back. */
void certificate_close(certificate *self);

/*
 * Looks whether a file is another one than before, or could not be used then, and
 * reads all of them if so; in any case with 'always'.  What changes is logged, and why
 * it does not: once for as long as the reason is the same, or 'always'.  From one thread.
 */
void certificate_refresh(certificate *self, bool always);

/* Days until the first certificate of the chain expires; negative afterwards. */
double certificate_days_left(certificate *self);

/* Those in force, to be given back by certificate_give_back(); from any thread. */
credentials *certificate_take(certificate *self);
void certificate_give_back(certificate *self, credentials *one);

/* Are these still in force? */
bool certificate_is_current(certificate *self, const credentials *one);

/* Lets a session go by them. */
int credentials_apply(const credentials *one, gnutls_session_t session);

/* Do they have authorities for certificates of clients? */
bool credentials_has_authorities(const credentials *one);

#endif
