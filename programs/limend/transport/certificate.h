/* SPDX-License-Identifier: Apache-2.0 */
/*
 * certificate.h - the certificate chain and key of limend, and the authorities that client
 * certificates are verified against; all can be replaced while limend runs.
 *
 * If the files cannot be used, the last usable contents stay in force.
 */
#ifndef LIMEND_CERTIFICATE_H
#define LIMEND_CERTIFICATE_H

#include <glib.h>
#include <gnutls/gnutls.h>
#include <limen/types.h>
#include <stdbool.h>

typedef struct certificate certificate;

/* The contents of the files at one moment, with a count of references. */
typedef struct credentials credentials;

/*
 * Reads the files (PEM); 'authorities_path' may be NULL.  Warns like certificate_refresh().  Returns NULL and an error text in
 * '*error', to g_free(), if that fails.
 */
certificate *certificate_open(const char *chain_path, const char *key_path,
                              const char *authorities_path, char **error);

/* All credentials must have been given back. */
void certificate_close(certificate *self);

/*
 * Reads all files again if one has changed, if the last read failed, or if 'always' is true.
 * Logs a replacement, and a failure if its reason is new or 'always' is true.  Warns 30, 14, 7
 * and 1 days before a certificate expires.  For one thread.
 */
void certificate_refresh(certificate *self, bool always);

/*
 * When the first of all certificates of the chain and of the authorities expires.  For the thread
 * of certificate_refresh().
 */
limen_time certificate_expires(certificate *self);

/*
 * Makes a session use the credentials in force, and ask for a client certificate if they have
 * authorities.  Returns them, to certificate_give_back(), or NULL on failure; from any thread.
 */
credentials *certificate_take(certificate *self, gnutls_session_t session);
void certificate_give_back(certificate *self, credentials *taken);

/* Are these still in force? */
bool certificate_is_current(certificate *self, const credentials *taken);

#endif
