/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_identity.c - certificates and tokens, read afresh for each request: tokens
 * of service accounts are replaced every hour.  They never appear in a message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kube_session.h"

enum { PEM_MAX = 1 << 20, TOKEN_MAX = 1 << 16 };

#define SET(handle, option, value) (curl_easy_setopt(handle, option, value) == CURLE_OK)

/* Copies 'text', or reads 'file'; neither is fine. */
static bool
read_pem(const char *text, const char *file, char **out, char why[KUBE_ERROR_MAX])
{
	if (text == NULL && file == NULL)
		return true;
	*out = text != NULL ? strdup(text) : kube_text_read(file, PEM_MAX, why);
	if (*out == NULL && text != NULL)
		kube_text_fail(why, "%s", limen_result_text(LIMEN_ENOMEM));
	return *out != NULL;
}

static bool
add_header(kube_identity *identity, const char *line, char why[KUBE_ERROR_MAX])
{
	struct curl_slist *longer =
		line == NULL ? NULL : curl_slist_append(identity->headers, line);

	if (longer == NULL)
		return kube_text_fail(why, "%s", limen_result_text(LIMEN_ENOMEM));
	identity->headers = longer;
	return true;
}

static bool
add_token(kube_identity *identity, char *token, const char *from, char why[KUBE_ERROR_MAX])
{
	char *line = NULL;
	bool added;

	if (!kube_text_is_token(token))
		return kube_text_fail(why, "%s holds no token", from);
	if (asprintf(&line, "Authorization: Bearer %s", token) < 0)
		line = NULL;
	added = add_header(identity, line, why);
	free(line);
	return added;
}

static bool
read_token(const kube_target *target, kube_identity *identity, char why[KUBE_ERROR_MAX])
{
	const char *file = target->token_file;
	char *token = NULL;
	bool added;

	if (file == NULL && target->token == NULL)
		return true;
	token = file != NULL ? kube_text_read(file, TOKEN_MAX, why) : strdup(target->token);
	if (token == NULL)
		return file == NULL ? kube_text_fail(why, "%s", limen_result_text(LIMEN_ENOMEM))
		                    : false;
	added = add_token(identity, token, file != NULL ? file : "the kubeconfig", why);
	free(token);
	return added;
}

bool
kube_identity_read(const kube_target *target, kube_identity *out, char why[KUBE_ERROR_MAX])
{
	*out = (kube_identity){ .headers = NULL };
	if (add_header(out, "Accept: application/json", why) && read_token(target, out, why) &&
	    read_pem(target->authority, target->authority_file, &out->authority, why) &&
	    read_pem(target->certificate, target->certificate_file, &out->certificate, why) &&
	    read_pem(target->key, target->key_file, &out->key, why))
		return true;
	kube_identity_clear(out);
	return false;
}

static bool
set_blob(CURL *handle, CURLoption option, char *text)
{
	struct curl_blob blob = { .data = text, .flags = CURL_BLOB_COPY };

	if (text == NULL)
		return true;
	blob.len = strlen(text);
	return SET(handle, option, &blob);
}

bool
kube_identity_set(const kube_target *target, const kube_identity *identity, CURL *handle)
{
	if (!SET(handle, CURLOPT_SSL_VERIFYPEER, target->insecure ? 0L : 1L) ||
	    !SET(handle, CURLOPT_SSL_VERIFYHOST, target->insecure ? 0L : 2L) ||
	    !SET(handle, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) ||
	    !SET(handle, CURLOPT_HTTPHEADER, identity->headers))
		return false;
	/* The authorities of the system must not vouch for a cluster that has its own. */
	if (identity->authority != NULL && !SET(handle, CURLOPT_CAPATH, NULL))
		return false;
	return set_blob(handle, CURLOPT_CAINFO_BLOB, identity->authority) &&
	       set_blob(handle, CURLOPT_SSLCERT_BLOB, identity->certificate) &&
	       set_blob(handle, CURLOPT_SSLKEY_BLOB, identity->key);
}

void
kube_identity_clear(kube_identity *identity)
{
	free(identity->authority);
	free(identity->certificate);
	if (identity->key != NULL)
		explicit_bzero(identity->key, strlen(identity->key));
	free(identity->key);
	curl_slist_free_all(identity->headers);
	*identity = (kube_identity){ .headers = NULL };
}
