/* SPDX-License-Identifier: Apache-2.0 */
/* tls.c - TLS sessions of connections to Redis and Sentinel, and the credentials for them. */
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <poll.h>
#include <string.h>

static int
read_file(limen_opening *opening, const char *key, const char *path, gnutls_datum_t *out,
          limen_diag *diag)
{
	const char *text;
	size_t length;
	int result = limen_opening_file(opening, path, limen_opening_option(opening, key), &text,
	                                &length, diag);

	if (result == LIMEN_OK)
		*out = (gnutls_datum_t){ (unsigned char *)(uintptr_t)text, (unsigned)length };
	return result;
}

/* Returns LIMEN_OK, or LIMEN_EINVAL with a problem: the file of 'key' is of no use. */
static int
judge(limen_opening *opening, const char *key, int result, limen_diag *diag)
{
	if (result >= 0)
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, key),
	               "the file of '%s' cannot be used: %s", key, gnutls_strerror(result));
	return LIMEN_EINVAL;
}

int
tls_read(settings *options, limen_opening *opening, limen_diag *diag)
{
	gnutls_certificate_credentials_t *to = &options->credentials;
	gnutls_datum_t file, key;
	int result = LIMEN_OK, count;

	if (gnutls_certificate_allocate_credentials(to) != GNUTLS_E_SUCCESS)
		return LIMEN_ENOMEM;
	if (options->ca_file == NULL) {
		(void)gnutls_certificate_set_x509_system_trust(*to);
	} else if ((result = read_file(opening, "ca-file", options->ca_file, &file, diag)) == LIMEN_OK) {
		count = gnutls_certificate_set_x509_trust_mem(*to, &file, GNUTLS_X509_FMT_PEM);
		result = judge(opening, "ca-file", count == 0 ? GNUTLS_E_NO_CERTIFICATE_FOUND : count,
		               diag);
	}
	if (options->certificate == NULL || result != LIMEN_OK)
		return result;
	result = read_file(opening, "certificate", options->certificate, &file, diag);
	if (result == LIMEN_OK)
		result = read_file(opening, "key", options->key, &key, diag);
	if (result != LIMEN_OK)
		return result;
	count = gnutls_certificate_set_x509_key_mem(*to, &file, &key, GNUTLS_X509_FMT_PEM);
	return judge(opening, "certificate", count, diag);
}

static void
fail(wire *connection, int result)
{
	gnutls_datum_t text = { NULL, 0 };

	if (result == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR)
		(void)gnutls_certificate_verification_status_print(
			gnutls_session_get_verify_cert_status(connection->tls),
			gnutls_certificate_type_get(connection->tls), &text, 0);
	if (text.data != NULL)
		wire_fail(connection, "TLS: %s", (const char *)text.data);
	else if (result == GNUTLS_E_FATAL_ALERT_RECEIVED)
		wire_fail(connection, "TLS: the server refused: %s",
		          gnutls_alert_get_name(gnutls_alert_get(connection->tls)));
	else
		wire_fail(connection, "TLS: %s", gnutls_strerror(result));
	gnutls_free(text.data);
}

static int
prepare(wire *connection, gnutls_certificate_credentials_t credentials, const char *name)
{
	unsigned char address[16];
	int result = gnutls_init(&connection->tls,
	                         GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL);

	if (result == GNUTLS_E_SUCCESS)
		result = gnutls_set_default_priority(connection->tls);
	if (result == GNUTLS_E_SUCCESS)
		result = gnutls_credentials_set(connection->tls, GNUTLS_CRD_CERTIFICATE, credentials);
	/* Addresses are in certificates, but not in the name that a client sends. */
	if (result == GNUTLS_E_SUCCESS && inet_pton(AF_INET, name, address) != 1 &&
	    inet_pton(AF_INET6, name, address) != 1)
		result = gnutls_server_name_set(connection->tls, GNUTLS_NAME_DNS, name, strlen(name));
	if (result != GNUTLS_E_SUCCESS)
		return result;
	gnutls_session_set_verify_cert(connection->tls, name, 0);
	gnutls_transport_set_int(connection->tls, connection->fd);
	return gnutls_handshake(connection->tls);
}

void
tls_start(wire *connection, const settings *options, const char *name)
{
	const char *why = NULL;
	int result = prepare(connection, options->credentials,
	                     options->server_name == NULL ? name : options->server_name);

	while (result != GNUTLS_E_SUCCESS && gnutls_error_is_fatal(result) == 0 && why == NULL) {
		wire_poll(connection,
		          gnutls_record_get_direction(connection->tls) == 1 ? POLLOUT : POLLIN, &why);
		result = gnutls_handshake(connection->tls);
	}
	if (result != GNUTLS_E_SUCCESS && why != NULL)
		wire_fail(connection, "TLS: %s", why);
	else if (result != GNUTLS_E_SUCCESS)
		fail(connection, result);
}

ssize_t
tls_result(wire *connection, ssize_t result)
{
	/* Redis does not say goodbye. */
	if (result >= 0 || result == GNUTLS_E_PREMATURE_TERMINATION)
		return result < 0 ? 0 : result;
	if (gnutls_error_is_fatal((int)result) != 0)
		fail(connection, (int)result);
	errno = connection->failed ? EPROTO : EAGAIN;
	return -1;
}
