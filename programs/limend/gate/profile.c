/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profile.c - the table of profiles, and reading a question by one of them.  All clients of a proxy
 * may send these fields, too; the pages in docs/gateways tell how each proxy overwrites them.
 */
#include "profile.h"

#include <string.h>

#include "forwarded.h"

static const profile profiles[] = {
	{ .path = "/v1/gate/forward", .method = "X-Forwarded-Method", .uri = "X-Forwarded-Uri",
	  .host = "X-Forwarded-Host", .client = "X-Forwarded-For", .list = true },
	{ .path = "/v1/gate/nginx", .method = "X-Original-Method", .uri = "X-Original-URI",
	  .client = "X-Real-IP", .only_403 = true },
	{ .path = "/v1/gate/envoy", .client = "X-Forwarded-For", .list = true },
};

const profile *
profile_of(const char *path)
{
	for (size_t i = 0; i < G_N_ELEMENTS(profiles); i++)
		if (strcmp(profiles[i].path, path) == 0)
			return &profiles[i];
	return NULL;
}

/* Reads a field; without a name, takes what the request itself has.  Stores "" for a missing field. */
static bool
read_own(const http_request *request, const char *name, const char *own, const char **out,
         fault *why)
{
	*out = own;
	if (name != NULL && !http_field(request, name, out, why))
		return false;
	if (*out == NULL)
		*out = "";
	return true;
}

static bool
read_line(const profile *from, const http_request *request, client_request *out, fault *why)
{
	if (!read_own(request, from->method, request->verb, &out->method, why) ||
	    !read_own(request, from->uri, request->rest, &out->uri, why))
		return false;
	if (!http_is_token(out->method, strlen(out->method)))
		return fault_set(why, 400, "%s has no method of a request",
		                 from->method == NULL ? "The request" : from->method);
	if (out->uri[0] != '/' && strcmp(out->uri, "*") != 0)
		return fault_set(why, 400, "%s has no URI of a request, which begins with '/'",
		                 from->uri == NULL ? from->path : from->uri);
	return true;
}

static bool
read_host(const profile *from, const http_request *request, client_request *out, fault *why)
{
	const char *given = NULL;

	if (from->host != NULL && !http_field(request, from->host, &given, why))
		return false;
	out->host = given != NULL ? given : request->host;
	return true;
}

static bool
read_client(const profile *from, const http_request *request, const limen_cidr_set *proxies,
            client_request *out, fault *why)
{
	const char *text = NULL;
	limen_network client = { .prefix = 0 };
	forwarded found;

	if (from->list) {
		found = forwarded_client(&request->fields, from->client, proxies, &client.address);
	} else {
		if (!http_field(request, from->client, &text, why))
			return false;
		found = text == NULL                                      ? FORWARDED_NONE
		        : forwarded_parse(text, strlen(text), &client.address) ? FORWARDED_FOUND
		                                                          : FORWARDED_WRONG;
	}
	if (found == FORWARDED_WRONG)
		return fault_set(why, 400, "The field %s has no address of the client",
		                 from->client);
	out->client[0] = '\0';
	if (found == FORWARDED_FOUND)
		limen_network_print(&client, out->client);
	out->client[strcspn(out->client, "/")] = '\0';
	return true;
}

bool
profile_read(const profile *from, const http_request *request, const limen_cidr_set *proxies,
             client_request *out, fault *why)
{
	return read_line(from, request, out, why) && read_host(from, request, out, why) &&
	       read_client(from, request, proxies, out, why);
}
