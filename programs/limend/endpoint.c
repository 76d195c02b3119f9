/* SPDX-License-Identifier: Apache-2.0 */
#include "endpoint.h"

#include "metrics.h"
#include "origin.h"

void
endpoint_answer(service *shared, const http_request *request, http_response *response)
{
	const endpoint *target = endpoint_find(request->path);

	if (target == NULL || (target->console && shared->ui == UI_OFF))
		http_fail(response, 404, "There is nothing at this path");
	else if (!origin_check(shared, target, request, response))
		; /* it has answered */
	else if ((target->methods & (unsigned)request->method) == 0)
		http_fail(response, 405, "This path does not take this method");
	else
		target->answer(shared, request, response);
	metrics_count_response(shared->metrics, request->path, response->status);
}
