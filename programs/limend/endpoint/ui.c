/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ui.c - the console: GET /ui and its files, GET /ui/state, and POST /ui/try, a dry run that
 * charges nothing.  The page gets everything else from the public paths.  Off unless --ui is set.
 */
#include <limen/version.h>
#include <string.h>

#include "../common/json_out.h"
#include "base/journal.h"
#include "endpoint.h"
#include "http/arguments.h"
#include "question/deciding.h"
#include "service/trust.h"
#include "ui_assets.h"

/* Allows only files of this daemon: no inline scripts or styles, no frames, no forms. */
static const char content_policy[] =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
	"img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static const struct {
	const char *path;
	const char *name;
	const char *type;
} files[] = {
	{ "/ui", "index.html", "text/html; charset=utf-8" },
	{ "/ui/app.js", "app.js", "text/javascript; charset=utf-8" },
	{ "/ui/graph.js", "graph.js", "text/javascript; charset=utf-8" },
	{ "/ui/icon.svg", "icon.svg", "image/svg+xml" },
	{ "/ui/style.css", "style.css", "text/css; charset=utf-8" },
};

static bool
answer_file(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)shared;
	(void)why;
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		const ui_asset *asset = ui_assets;

		if (strcmp(files[i].path, request->path) != 0)
			continue;
		while (asset->name != NULL && strcmp(asset->name, files[i].name) != 0)
			asset++;
		response->content_type = files[i].type;
		response->content_policy = content_policy;
		if (asset->name != NULL)
			g_string_append_len(response->body, (const char *)asset->bytes,
			                    (gssize)asset->length);
	}
	return true;
}

/* Log lines may quote requests, so only trusted peers see them, as with buckets. */
static bool
answer_state(service *shared, const http_request *request, http_response *response, fault *why)
{
	bool trusted = trust_peer(shared->trusted, &request->peer);
	GString *out = response->body;

	(void)why;
	json_write(out, "{version:s playground:b trusted:b draining:b uptime:i", LIMEN_VERSION,
	           shared->ui == UI_PLAYGROUND, trusted, atomic_load(&shared->draining),
	           (limen_host_monotonic() - shared->started) / INT64_C(1000000000));
	json_key(out, "journal");
	if (trusted)
		journal_append(out);
	else
		json_raw(out, "null");
	g_string_append(out, "}\n");
	return true;
}

/* ---- the playground ---- */

/* Runs a dry run.  It is neither counted nor logged, because it decides no real request. */
static bool
answer_try(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const char *const known[] = { "timeout", NULL };
	/* Trusted peers get the full answer even with --messages=short. */
	bool brief = shared->short_messages && !trust_peer(shared->trusted, &request->peer);
	limen_decision *decision = NULL;
	question asked;
	bool good;

	if (shared->ui != UI_PLAYGROUND)
		return fault_set(why, 403, "The playground is off (--ui playground)");
	if (!arguments_check(&request->arguments, known, why))
		return false;
	good = deciding_read(shared, request, &asked, why);
	if (good) {
		limen_request_set_dry_run(asked.request, true);
		asked.options.trace = !brief;
		asked.options.diagnostics = !brief;
		decision = deciding_try(shared, request, &asked, why);
	}
	good = decision != NULL && deciding_append(response->body, &asked, decision, brief, why);
	if (good)
		g_string_append_c(response->body, '\n');
	limen_decision_free(decision);
	question_clear(&asked);
	return good;
}

#define A_FILE .names = NAMES_OWN, .console = true, .answer = answer_file
const endpoint ui_endpoint = { .path = "/ui", .methods = HTTP_GET, A_FILE };
const endpoint ui_app_endpoint = { .path = "/ui/app.js", .methods = HTTP_GET, A_FILE };
const endpoint ui_graph_endpoint = { .path = "/ui/graph.js", .methods = HTTP_GET, A_FILE };
const endpoint ui_icon_endpoint = { .path = "/ui/icon.svg", .methods = HTTP_GET, A_FILE };
const endpoint ui_style_endpoint = { .path = "/ui/style.css", .methods = HTTP_GET, A_FILE };
const endpoint ui_state_endpoint = {
	.path = "/ui/state", .methods = HTTP_GET,
	.names = NAMES_OWN, .console = true, .answer = answer_state
};
const endpoint ui_try_endpoint = {
	.path = "/ui/try", .methods = HTTP_POST, .decides = true,
	.names = NAMES_OWN, .console = true, .answer = answer_try
};
