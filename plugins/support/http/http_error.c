/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_error.c - names the errors of libcurl.  The texts of libcurl change with its
 * version, name paths of files, and would reach everybody who reads diagnostics.
 */
#include "http_error.h"

#include <stdio.h>
#include <string.h>

static const struct {
	CURLcode code;
	const char *text;
} texts[] = {
	{ CURLE_URL_MALFORMAT, "The URL is not valid" },
	{ CURLE_COULDNT_RESOLVE_PROXY, "The name of the proxy has no address" },
	{ CURLE_COULDNT_RESOLVE_HOST, "The name of the server has no address" },
	{ CURLE_COULDNT_CONNECT, "Cannot connect" },
	{ CURLE_PROXY, "The proxy refused to connect" },
	{ CURLE_INTERFACE_FAILED, "Cannot bind to the given address or interface" },
	{ CURLE_OPERATION_TIMEDOUT, "The request timed out" },
	{ CURLE_GOT_NOTHING, "The server closed the connection without an answer" },
	{ CURLE_PARTIAL_FILE, "The answer is incomplete" },
	{ CURLE_SEND_ERROR, "Cannot send the request" },
	{ CURLE_RECV_ERROR, "Cannot receive the answer" },
	{ CURLE_WEIRD_SERVER_REPLY, "The answer is not HTTP" },
	{ CURLE_BAD_CONTENT_ENCODING, "The answer cannot be decompressed" },
	{ CURLE_TOO_MANY_REDIRECTS, "Too many redirects" },
	{ CURLE_FILE_COULDNT_READ_FILE, "Cannot read the file" },
	{ CURLE_SSL_CONNECT_ERROR, "The TLS handshake failed" },
	{ CURLE_SSL_CERTPROBLEM, "The client certificate or its key is not usable" },
	{ CURLE_SSL_CACERT_BADFILE, "The CA certificates are not usable" },
};

/* The numbers of OpenSSL (X509_V_ERR_...), which libcurl passes on. */
static const struct {
	long code;
	const char *text;
} certificate_texts[] = {
	{ 0, "is for another name" },
	{ 1, "is for another name" }, /* "unspecified": libcurl compares names itself */
	{ 9, "is not valid yet" },
	{ 10, "has expired" },
	{ 18, "is self-signed" },
	{ 19, "is from an unknown authority" },
	{ 20, "is from an unknown authority" },
	{ 21, "is from an unknown authority" },
	{ 23, "is revoked" },
};

static void
explain_certificate(CURL *handle, char *out, size_t size)
{
	long result = 0;

	curl_easy_getinfo(handle, CURLINFO_SSL_VERIFYRESULT, &result);
	for (size_t i = 0; i < sizeof(certificate_texts) / sizeof(certificate_texts[0]); i++) {
		if (certificate_texts[i].code == result) {
			snprintf(out, size, "The certificate of the server %s",
			         certificate_texts[i].text);
			return;
		}
	}
	snprintf(out, size, "The certificate of the server is not accepted (X.509 error %ld)", result);
}

/* libcurl has one code for a protocol it may not use and for an answer without a status line. */
static const char *
explain_protocol(CURL *handle)
{
	char *address = NULL;
	long redirects = 0;

	curl_easy_getinfo(handle, CURLINFO_REDIRECT_COUNT, &redirects);
	curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address);
	if (redirects > 0)
		return "Redirected to a protocol that must not be followed";
	if (address != NULL && address[0] != '\0')
		return "The answer is not HTTP";
	return "The protocol of the URL is not allowed";
}

void
http_error_text(CURL *handle, CURLcode code, char *out, size_t size)
{
	const char *text = NULL;
	long number = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].code == code)
			text = texts[i].text;
	/* Errors of sockets say more with the error of the system. */
	if (code == CURLE_COULDNT_CONNECT || code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR)
		curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &number);
	if (code == CURLE_PEER_FAILED_VERIFICATION)
		explain_certificate(handle, out, size);
	else if (code == CURLE_UNSUPPORTED_PROTOCOL)
		snprintf(out, size, "%s", explain_protocol(handle));
	else if (text == NULL)
		snprintf(out, size, "libcurl error %d: %s", (int)code, curl_easy_strerror(code));
	else if (number != 0)
		snprintf(out, size, "%s: %s", text, strerror((int)number));
	else
		snprintf(out, size, "%s", text);
}
