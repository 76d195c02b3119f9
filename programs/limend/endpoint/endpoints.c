/* SPDX-License-Identifier: Apache-2.0 */
/* endpoints.c - owns the table of all endpoints and finds an endpoint by its path. */
#include <string.h>

#include "endpoint.h"

#define CONSOLE .names = NAMES_OWN, .console = true

static const endpoint endpoints[] = {
	{ "/admission/mutate", HTTP_POST, answer_review, .decides = true },
	{ "/admission/validate", HTTP_POST, answer_review, .decides = true },
	{ "/v1/decide", HTTP_POST, answer_decide, .decides = true, .names = NAMES_TRUSTED },
	{ "/v1/decide/batch", HTTP_POST, answer_batch, .decides = true, .lengthy = true,
	  .names = NAMES_TRUSTED },
	{ "/v1/passed", HTTP_GET | HTTP_POST, answer_passed, .decides = true,
	  .names = NAMES_TRUSTED },
	/* It is lengthy: it reads all buckets, and those of remote stores over the network. */
	{ "/v1/buckets", HTTP_GET, answer_buckets, .lengthy = true, .names = NAMES_OWN },
	{ "/v1/policy", HTTP_GET, answer_policy, .names = NAMES_OWN },
	{ "/metrics", HTTP_GET, answer_metrics, .health = true },
	{ "/ui", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/app.js", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/graph.js", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/icon.svg", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/style.css", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/state", HTTP_GET, answer_ui_state, CONSOLE },
	{ "/ui/try", HTTP_POST, answer_ui_try, .decides = true, CONSOLE },
	{ "/livez", HTTP_GET, answer_probe, .health = true },
	/* /healthz is an alias of /livez for monitors that expect that path. */
	{ "/healthz", HTTP_GET, answer_probe, .health = true },
	{ "/readyz", HTTP_GET, answer_probe, .health = true },
	{ "/version", HTTP_GET, answer_version, .names = NAMES_ANY },
};

const endpoint *
endpoint_find(const char *path)
{
	for (size_t i = 0; i < G_N_ELEMENTS(endpoints); i++)
		if (strcmp(endpoints[i].path, path) == 0)
			return &endpoints[i];
	return NULL;
}
