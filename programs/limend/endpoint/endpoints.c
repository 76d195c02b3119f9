/* SPDX-License-Identifier: Apache-2.0 */
/* endpoints.c - owns the table of all endpoints and finds an endpoint by its path. */
#include <string.h>

#include "endpoint.h"

static const endpoint *const endpoints[] = {
	&mutate_endpoint,
	&validate_endpoint,
	&decide_endpoint,
	&batch_endpoint,
	&passed_endpoint,
	&buckets_endpoint,
	&policy_endpoint,
	&metrics_endpoint,
	&ui_endpoint,
	&ui_app_endpoint,
	&ui_graph_endpoint,
	&ui_icon_endpoint,
	&ui_style_endpoint,
	&ui_state_endpoint,
	&ui_try_endpoint,
	&livez_endpoint,
	&healthz_endpoint,
	&readyz_endpoint,
	&version_endpoint,
	NULL,
};

const endpoint *
endpoint_find(const char *path)
{
	for (const endpoint *const *one = endpoints; *one != NULL; one++)
		if (strcmp((*one)->path, path) == 0)
			return *one;
	return NULL;
}
