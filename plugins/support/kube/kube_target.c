/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_target.c - the API server of a pod (Kubernetes, "Accessing the API from
 * within a Pod"), and what both sorts of target share.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kube.h"

void
kube_target_clear(kube_target *target)
{
	free(target->server);
	free(target->authority);
	free(target->authority_file);
	free(target->certificate);
	free(target->certificate_file);
	free(target->key);
	free(target->key_file);
	free(target->token);
	free(target->token_file);
	free(target->proxy);
	*target = (kube_target){ .server = NULL };
}
/* An IPv6 address needs brackets in a URL. */
static bool
write_target(kube_target *out, const char *host, const char *port, const char *directory)
{
	bool brackets = strchr(host, ':') != NULL;

	if (asprintf(&out->server, "https://%s%s%s:%s", brackets ? "[" : "", host,
	             brackets ? "]" : "", port) < 0)
		out->server = NULL;
	if (asprintf(&out->authority_file, "%s/ca.crt", directory) < 0)
		out->authority_file = NULL;
	if (asprintf(&out->token_file, "%s/token", directory) < 0)
		out->token_file = NULL;
	return out->server != NULL && out->authority_file != NULL && out->token_file != NULL;
}

int
kube_target_of_pod(const char *directory, kube_target *out, char why[KUBE_ERROR_MAX])
{
	const char *host = getenv("KUBERNETES_SERVICE_HOST");
	const char *port = getenv("KUBERNETES_SERVICE_PORT");
	/* Letters of names and of addresses, and nothing that would end the host of a URL. */
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	                              "0123456789.-:";

	*out = (kube_target){ .server = NULL };
	if (host == NULL || port == NULL || *host == '\0' || host[strspn(host, letters)] != '\0' ||
	    *port == '\0' || strlen(port) > 5 || port[strspn(port, "0123456789")] != '\0') {
		kube_text_fail(why, "this process does not run in a pod: KUBERNETES_SERVICE_HOST "
		                    "and "
		                    "KUBERNETES_SERVICE_PORT do not name an API server");
		return LIMEN_ENOENT;
	}
	if (write_target(out, host, port, directory))
		return LIMEN_OK;
	kube_target_clear(out);
	return LIMEN_ENOMEM;
}
