/* SPDX-License-Identifier: Apache-2.0 */
/* endpoints.c - the table of all endpoints. */
#include "endpoint.h"

#define REVIEW answer_review, .takes = HTTP_JSON, .decides = true
#define CONSOLE .names = NAMES_OWN, .console = true
#define GATE HTTP_GET | HTTP_POST | HTTP_OTHER, answer_gate, .decides = true, .gate = true

const endpoint endpoints[] = {
	{ "/admission/mutate", HTTP_POST, REVIEW, .phase = LIMEN_PHASE_MUTATE },
	{ "/admission/validate", HTTP_POST, REVIEW, .phase = LIMEN_PHASE_VALIDATE },
	{ "/admission/workloads", HTTP_POST, REVIEW, .phase = LIMEN_PHASE_WORKLOAD },
	/* It is lengthy: it loads a policy. */
	{ "/admission/policy", HTTP_POST, answer_policy_review, .takes = HTTP_JSON,
	  .lengthy = true },
	{ "/v1/decide", HTTP_POST, answer_decide, .takes = HTTP_JSON, .decides = true,
	  .names = NAMES_TRUSTED },
	{ "/v1/decide/batch", HTTP_POST, answer_batch, .takes = HTTP_JSON | HTTP_LINES,
	  .decides = true, .lengthy = true, .names = NAMES_TRUSTED },
	{ "/v1/passed", HTTP_GET | HTTP_POST, answer_passed, .takes = HTTP_JSON | HTTP_FORM,
	  .decides = true, .names = NAMES_TRUSTED },
	{ "/v1/gate/forward", GATE },
	{ "/v1/gate/nginx", GATE },
	{ "/v1/gate/envoy", GATE, .prefix = true },
	/* It is lengthy: it reads all buckets, and those of remote stores over the network. */
	{ "/v1/buckets", HTTP_GET, answer_buckets, .lengthy = true, .names = NAMES_OWN,
	  .page = true },
	{ "/v1/buckets/reset", HTTP_POST, answer_reset, .takes = HTTP_JSON, .lengthy = true,
	  .names = NAMES_OWN },
	{ "/v1/recent", HTTP_GET, answer_recent, .lengthy = true, .names = NAMES_OWN, .page = true },
	{ "/v1/policy", HTTP_GET, answer_policy, .names = NAMES_OWN, .page = true },
	{ "/metrics", HTTP_GET, answer_metrics, .health = true, .page = true },
	{ "/", HTTP_GET, answer_ui_start, CONSOLE },
	{ "/ui/", HTTP_GET, answer_ui_start, CONSOLE },
	{ "/ui", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/app.js", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/charts.js", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/decisions.js", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/dom.js", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/graph.js", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/playground.js", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/policy.js", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/look.css", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/style.css", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/icon.svg", HTTP_GET, answer_ui_file, CONSOLE },
	{ "/ui/state", HTTP_GET, answer_ui_state, CONSOLE },
	/* They are lengthy: the one takes many requests, the other loads a policy. */
	{ "/ui/try", HTTP_POST, answer_ui_try, .takes = HTTP_JSON | HTTP_YAML, .decides = true,
	  .lengthy = true, CONSOLE },
	{ "/ui/edit", HTTP_POST, answer_ui_edit, .takes = HTTP_JSON, .decides = true,
	  .lengthy = true, CONSOLE },
	{ "/livez", HTTP_GET, answer_probe, .health = true },
	/* /healthz is an alias of /livez for monitors that expect that path. */
	{ "/healthz", HTTP_GET, answer_probe, .health = true },
	{ "/readyz", HTTP_GET, answer_probe, .health = true },
	{ "/version", HTTP_GET, answer_version, .names = NAMES_ANY },
	{ .path = NULL },
};
