/* SPDX-License-Identifier: Apache-2.0 */
/*
 * endpoint.c - passes a request to its endpoint, or answers 404 or 405.
 */
#include "endpoint.h"

#include "origin.h"

void
endpoint_answer(service *shared, const endpoint *target, const http_request *request,
                http_response *response)
{
	fault why = { .status = 0 };
	bool good;

	if (target == NULL || (target->console && shared->ui == UI_OFF))
		good = fault_set(&why, 404, "This path does not exist");
	else if ((target->methods & (unsigned)request->method) == 0)
		good = origin_check(shared->hosts, target, request, &why) &&
		       fault_set(&why, 405, "This path does not allow this method");
	else
		good = origin_check(shared->hosts, target, request, &why) &&
		       target->answer(shared, request, response, &why);
	if (!good)
		http_fail(response, why.status, "%s", why.text);
	fault_clear(&why);
}
