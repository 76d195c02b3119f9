/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ui.c - the console: GET / (which leads to /ui), GET /ui and its files, and GET /ui/state; try.c has
 * the playground.  The page gets everything else from the public paths.  Off unless --ui is set.
 */
#include <limen/version.h>
#include <stdlib.h>
#include <string.h>

#include "../common/auto.h"
#include "../common/json_out.h"
#include "base/log.h"
#include "endpoint.h"
#include "http/arguments.h"
#include "ui_assets.h"

/* Allows only files of this daemon: no inline scripts or styles, no frames, no forms. */
static const char content_policy[] =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
	"img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static const char *
type_of(const char *name)
{
	if (g_str_has_suffix(name, ".js"))
		return "text/javascript; charset=utf-8";
	if (g_str_has_suffix(name, ".css"))
		return "text/css; charset=utf-8";
	return g_str_has_suffix(name, ".svg") ? "image/svg+xml" : "text/html; charset=utf-8";
}

/* The location is relative, because a proxy may serve limend below a path. */
bool
answer_ui_start(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)shared;
	(void)why;
	response->status = 302;
	response->content_type = "text/plain; charset=utf-8";
	http_add_field(response, "Location", strcmp(request->path, "/") == 0 ? "ui" : "../ui");
	return true;
}

bool
answer_ui_file(service *shared, const http_request *request, http_response *response, fault *why)
{
	const char *name = strcmp(request->path, "/ui") == 0 ? "index.html"
	                                                     : request->path + strlen("/ui/");

	(void)shared;
	(void)why;
	response->content_type = type_of(name);
	for (const ui_asset *asset = ui_assets; asset->name != NULL; asset++)
		if (strcmp(asset->name, name) == 0)
			g_string_append_len(response->body, (const char *)asset->bytes,
			                    (gssize)asset->length);
	http_add_field(response, "Content-Security-Policy", content_policy);
	http_add_field(response, "Referrer-Policy", "no-referrer");
	return true;
}

/* Log lines may quote requests, so only trusted peers see them, as with buckets. */
bool
answer_ui_state(service *shared, const http_request *request, http_response *response, fault *why)
{
	bool trusted = request->peer.trusted;
	GString *out = response->body;

	(void)why;
	json_write(out, "{version:s playground:b trusted:b draining:b uptime:i", LIMEN_VERSION,
	           endpoint_ui(shared, request) == UI_PLAYGROUND, trusted, atomic_load(&shared->draining),
	           (limen_host_monotonic() - shared->started) / INT64_C(1000000000));
	json_write(out, "replica:{name:s in-cluster:b}", g_get_host_name(),
	           getenv("KUBERNETES_SERVICE_HOST") != NULL);
	json_key(out, "history");
	if (shared->decider.history != NULL)
		history_write(shared->decider.history, out);
	else
		json_raw(out, NULL);
	json_key(out, "journal");
	if (trusted)
		log_append_recent(out);
	else
		json_raw(out, NULL);
	g_string_append(out, "}\n");
	return true;
}
