/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd_client.c - creates and removes the client record of each connection, applies the current TLS
 * credentials to its session, buffers its TLS records, and verifies client certificates.  A
 * verification is valid for 60 seconds at most, or until the credentials are replaced.
 */
#include <errno.h>
#include <gnutls/x509.h>
#include <limen/host.h>
#include <string.h>

#include "base/sockaddr.h"
#include "mhd.h"

/* How long a verification is valid; any certificate of the chain may expire later. */
#define BELIEF (60 * LIMEN_SECOND)

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

/* Called for Finished messages: after the client's, the handshake ends and HTTP begins. */
static int
note_finished(gnutls_session_t session, unsigned type, unsigned when, unsigned incoming,
              const gnutls_datum_t *message)
{
	client *peer = gnutls_transport_get_ptr(session);

	(void)type;
	(void)when;
	(void)message;
	if (incoming != 0)
		client_enter(peer, CLIENT_IDLE);
	return 0;
}

/* ---- certificates ---- */

static void
drop_credentials(const transport *self, client *peer)
{
	if (peer->credentials != NULL)
		certificate_give_back(self->options.certificate, peer->credentials);
	peer->credentials = NULL;
}

/*
 * Makes the session use the credentials in force now.  libmicrohttpd itself would use the
 * certificate and authorities of its start for ever.
 */
static bool
take_credentials(const transport *self, client *peer, gnutls_session_t session)
{
	drop_credentials(self, peer);
	peer->verified_until = 0;
	peer->credentials = certificate_take(self->options.certificate, session);
	return peer->credentials != NULL;
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

/* Verifies the client certificate again from time to time: it may expire on an open connection. */
static void
look_at_certificate(client *peer, gnutls_session_t session)
{
	limen_time now = limen_host_wall_time();
	time_t expiry;

	if (now < peer->verified_until && now >= peer->verified_until - BELIEF)
		return;
	/* Without authorities nothing is verified. */
	peer->certified = verify(session);
	peer->verified_until = now + BELIEF;
	expiry = peer->certified ? gnutls_certificate_expiration_time_peers(session) : -1;
	if (expiry != -1 && expiry < peer->verified_until / LIMEN_SECOND)
		peer->verified_until = expiry * LIMEN_SECOND;
}

bool
mhd_client_certified(exchange *talk)
{
	client *peer = talk->client;
	gnutls_session_t session = session_of(talk->connection);

	if (session == NULL)
		return false;
	/* After a replacement the new authorities verify the client: the old one may be gone. */
	if (!certificate_is_current(talk->owner->options.certificate, peer->credentials) &&
	    !take_credentials(talk->owner, peer, session))
		return false;
	look_at_certificate(peer, session);
	return peer->certified;
}

/* ---- records ---- */

/*
 * libmicrohttpd sends an answer as two TLS records, its head and its body, and GnuTLS asks for the
 * first five bytes of a record before the rest.  These buffers save a system call for each.
 * libmicrohttpd must read until EAGAIN, as it does with epoll: bytes in 'in' do not make the socket
 * readable.
 */
struct records {
	size_t kept; /* bytes of 'out' */
	size_t from; /* where the bytes of 'in' begin that GnuTLS has yet to take */
	size_t to;   /* where they end */
	char out[1024];
	char in[8192];
};

static ssize_t
push(gnutls_transport_ptr_t data, const giovec_t *parts, int count)
{
	client *peer = data;
	struct records *self = peer->records;
	giovec_t *all = g_newa(giovec_t, (gsize)count + 1);
	const struct msghdr message = { .msg_iov = all, .msg_iovlen = (size_t)count + 1 };
	bool keep = peer->more;
	ssize_t sent, kept;

	peer->more = false;
	if (keep && count == 1 && parts->iov_len <= sizeof(self->out)) {
		self->kept = parts->iov_len;
		memcpy(self->out, parts->iov_base, self->kept);
		return (ssize_t)self->kept;
	}
	all[0] = (giovec_t){ self->out, self->kept };
	memcpy(all + 1, parts, (size_t)count * sizeof(*parts));
	sent = sendmsg(peer->fd, &message, MSG_NOSIGNAL);
	if (sent < 0)
		return sent;
	kept = MIN(sent, (ssize_t)self->kept);
	self->kept -= (size_t)kept;
	memmove(self->out, self->out + kept, self->kept);
	errno = EAGAIN;
	return sent > kept ? sent - kept : -1;
}

static ssize_t
pull(gnutls_transport_ptr_t data, void *out, size_t size)
{
	client *peer = data;
	struct records *self = peer->records;

	if (self->from == self->to) {
		ssize_t got = recv(peer->fd, self->in, sizeof(self->in), 0);

		if (got <= 0)
			return got;
		self->from = 0;
		self->to = (size_t)got;
	}
	size = MIN(size, self->to - self->from);
	memcpy(out, self->in + self->from, size);
	self->from += size;
	return (ssize_t)size;
}

/* ---- connections ---- */

static void
describe_peer(client *added, struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	struct sockaddr_storage name = { .ss_family = AF_UNSPEC };
	socklen_t length = sizeof(name);

	if (info != NULL && info->client_addr != NULL)
		added->address = sockaddr_text(info->client_addr);
	if (getsockname(added->fd, (struct sockaddr *)&name, &length) == 0)
		added->local = sockaddr_text((const struct sockaddr *)&name);
	added->unix_socket = name.ss_family == AF_UNIX;
}

void
mhd_note_connection(void *data, struct MHD_Connection *connection, void **context,
                    enum MHD_ConnectionNotificationCode change)
{
	server *from = data;
	const transport *self = from->owner;
	gnutls_session_t session;
	client *added;

	if (change == MHD_CONNECTION_NOTIFY_CLOSED) {
		drop_credentials(self, *context);
		g_free(((client *)*context)->records);
		mhd_exchange_free(((client *)*context)->kept);
		clients_remove(from->clients, *context);
		return;
	}
	session = session_of(connection);
	added = client_new(MHD_get_connection_info(connection,
	                                           MHD_CONNECTION_INFO_CONNECTION_FD)
	                           ->connect_fd, session == NULL ? CLIENT_IDLE : CLIENT_GREETING);
	describe_peer(added, connection);
	if (session != NULL) {
		added->records = g_new0(struct records, 1);
		gnutls_transport_set_ptr(session, added);
		gnutls_transport_set_vec_push_function(session, push);
		gnutls_transport_set_pull_function(session, pull);
		gnutls_handshake_set_hook_function(session, GNUTLS_HANDSHAKE_FINISHED,
		                                   GNUTLS_HOOK_POST, note_finished);
		/* If this fails, the session has no credentials and the handshake fails. */
		take_credentials(self, added, session);
	}
	*context = added;
	if (clients_add(from->clients, added))
		metrics_count_shed(self->options.metrics);
}
