/* SPDX-License-Identifier: Apache-2.0 */
/*
 * certificate.h - the certificate chain and the key of limend, which are replaced
 * while it runs.
 *
 * Files that cannot be used leave the pair in force that worked last.
 */
#ifndef LIMEND_CERTIFICATE_H
#define LIMEND_CERTIFICATE_H

#include <glib.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <stdbool.h>

typedef struct certificate certificate;

/* Reads both files (PEM).  NULL, and why in '*error' to g_free(), if that fails. */
certificate *certificate_open(const char *chain_path, const char *key_path, char **error);

/* No TLS session may exist. */
void certificate_close(certificate *self);

/*
 * Looks whether a file is another one than before, and reads both if so; in any
 * case with 'always'.  What changes is logged, and why it does not.  From one thread.
 */
void certificate_refresh(certificate *self, bool always);

/* Days until the first certificate of the chain expires; negative afterwards. */
double certificate_days_left(certificate *self);

/* The pair in force, for a handshake; good for ten minutes.  Returns 0. */
int certificate_pick(certificate *self, gnutls_pcert_st **chain, unsigned *length,
                     gnutls_privkey_t *key);

#endif
