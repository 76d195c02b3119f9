/* SPDX-License-Identifier: Apache-2.0 */
#include <gnutls/x509.h>

#include "mhd.h"
#include "sockaddr.h"

static gnutls_session_t
session_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);

	return info == NULL ? NULL : info->tls_session;
}

client *
mhd_client_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		->socket_context;
}

/* The client's last word in a handshake: what comes now is HTTP. */
static int
note_finished(gnutls_session_t session, unsigned type, unsigned when, unsigned incoming,
              const gnutls_datum_t *message)
{
	client *one = gnutls_db_get_ptr(session);

	(void)type;
	(void)when;
	(void)message;
	if (incoming != 0)
		client_enter(one, CLIENT_IDLE);
	return 0;
}

/*
 * GnuTLS has one pointer for the application, which libmicrohttpd took; that of
 * the session cache is free, since there is none.
 */
static void
watch_handshake(gnutls_session_t session, client *made)
{
	gnutls_db_set_ptr(session, made);
	gnutls_handshake_set_hook_function(session, GNUTLS_HANDSHAKE_FINISHED, GNUTLS_HOOK_POST,
	                                   note_finished);
}

static void
describe_peer(client *made, struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	struct sockaddr_storage name = { .ss_family = AF_UNSPEC };
	socklen_t length = sizeof(name);

	if (info != NULL && info->client_addr != NULL)
		made->address = sockaddr_text(info->client_addr);
	if (getsockname(made->fd, (struct sockaddr *)&name, &length) == 0)
		made->local = sockaddr_text((const struct sockaddr *)&name);
	made->unix_socket = name.ss_family == AF_UNIX;
}

void
mhd_note_connection(void *data, struct MHD_Connection *connection, void **context,
                    enum MHD_ConnectionNotificationCode what)
{
	transport *self = data;
	gnutls_session_t session;
	client *made;

	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		clients_remove(self->clients, *context);
		return;
	}
	session = session_of(connection);
	made = client_new(MHD_get_connection_info(connection,
	                                          MHD_CONNECTION_INFO_CONNECTION_FD)
	                          ->connect_fd,
	                  session == NULL ? CLIENT_IDLE : CLIENT_GREETING, self);
	describe_peer(made, connection);
	if (session != NULL)
		watch_handshake(session, made);
	*context = made;
	clients_add(self->clients, made);
}

int
mhd_pick_certificate(gnutls_session_t session, const gnutls_datum_t *authorities,
                     int authority_count, const gnutls_pk_algorithm_t *algorithms,
                     int algorithm_count, gnutls_pcert_st **chain, unsigned *length,
                     gnutls_privkey_t *key)
{
	const client *one = gnutls_db_get_ptr(session);
	const transport *self = one->owner;

	(void)authorities;
	(void)authority_count;
	(void)algorithms;
	(void)algorithm_count;
	return certificate_pick(self->options.certificate, chain, length, key);
}

static bool
verify(gnutls_session_t session)
{
	static unsigned char purpose[] = GNUTLS_KP_TLS_WWW_CLIENT;
	gnutls_typed_vdata_st wanted = {
		.type = GNUTLS_DT_KEY_PURPOSE_OID, .data = purpose, .size = 0
	};
	unsigned status = 0;

	return gnutls_certificate_verify_peers(session, &wanted, 1, &status) == 0 && status == 0;
}

bool
mhd_client_certified(exchange *one)
{
	client *peer = one->client;
	gnutls_session_t session;

	if (peer->verified)
		return peer->certified;
	peer->verified = true;
	session = one->owner->options.client_ca == NULL ? NULL : session_of(one->connection);
	peer->certified = session != NULL && verify(session);
	return peer->certified;
}
