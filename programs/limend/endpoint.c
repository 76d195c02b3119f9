/* SPDX-License-Identifier: Apache-2.0 */
#include "endpoint.h"

#include <string.h>

#include "metrics.h"

static const endpoint *const endpoints[] = {
	&mutate_endpoint,
	&validate_endpoint,
	&decide_endpoint,
	&batch_endpoint,
	&passed_endpoint,
	&buckets_endpoint,
	&policy_endpoint,
	&metrics_endpoint,
	&livez_endpoint,
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

void
endpoint_answer(service *shared, const http_request *request, http_response *response)
{
	const endpoint *target = endpoint_find(request->path);

	if (target == NULL)
		http_fail(response, 404, "There is nothing at this path");
	else if ((target->methods & (unsigned)request->method) == 0)
		http_fail(response, 405, "This path does not take this method");
	else
		target->answer(shared, request, response);
	metrics_count_response(shared->metrics, request->path, response->status);
}
