/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tls.h - TLS below a connection, by GnuTLS.  The certificate of the server is verified always:
 * its chain, its dates and its name.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_TLS_H
#define LIMEN_PLUGINS_STORE_REDIS_TLS_H

#include <sys/types.h>

#include "wire.h"

/* Reads the authorities and the certificate of limen; tls_forget() frees them. */
int tls_read(const settings *options, limen_opening *opening, location *out, limen_diag *diag);
void tls_forget(location *where);

/* Shakes hands; false once the connection has failed. */
bool tls_start(wire *connection, const location *where, limen_deadline deadline, limen_host *host);

void tls_end(wire *connection);

/* As send() and recv(), without flags.  A failure of TLS is that of the connection. */
ssize_t tls_send(wire *connection, const char *text, size_t length);
ssize_t tls_receive(wire *connection, char *out, size_t size);

#endif
