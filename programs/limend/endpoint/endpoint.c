/* SPDX-License-Identifier: Apache-2.0 */
/*
 * endpoint.c - finds the endpoint of a request and passes the request to it, or answers 404, 405 or
 * 415.
 */
#include "endpoint.h"

#include "../common/json_out.h"
#include "gate/gate.h"
#include "origin.h"

/* Cap of several answers, in bytes. */
#define ANSWERS_MOST ((size_t)64 << 20)

size_t
endpoint_row(const char *target)
{
	for (size_t i = 0; endpoints[i].path != NULL; i++) {
		const char *path = endpoints[i].path;
		const char *rest = target;

		for (; *path != '\0' && *path == *rest; path++)
			rest++;
		if (*path == '\0' && (*rest == '\0' || *rest == '?' ||
		                      (*rest == '/' && endpoints[i].prefix)))
			return i;
	}
	return HTTP_NO_ROW;
}

const endpoint *
endpoint_of(const http_request *request)
{
	return request->row == HTTP_NO_ROW ? NULL : &endpoints[request->row];
}

ui_mode
endpoint_ui(const service *shared, const http_request *request)
{
	return request->peer.console ? UI_PLAYGROUND : shared->ui;
}

bool
endpoint_has_room(const GString *out, fault *why)
{
	return out->len <= ANSWERS_MOST ||
	       fault_set(why, 413, "The answers before this one have more than %zu bytes together",
	                 ANSWERS_MOST);
}

void
endpoint_append_error(GString *out, const fault *why)
{
	json_write(out, "error:{code:d reason:s message:s}", why->status, http_words(why->status),
	           why->text);
}

metrics *
endpoint_metrics(size_t wanted, size_t namespaces)
{
	g_autoptr(GArray) paths = g_array_new(FALSE, FALSE, sizeof(metrics_path));

	for (const endpoint *row = endpoints; row->path != NULL; row++) {
		metrics_path counted = { .path = row->console ? NULL : row->path,
			                 .decides = row->decides && !row->console };

		g_array_append_val(paths, counted);
	}
	return metrics_new(wanted, namespaces, (const metrics_path *)(void *)paths->data, paths->len);
}

static bool
answer(service *shared, const http_request *request, http_response *response, fault *why)
{
	const endpoint *target = endpoint_of(request);

	if (target == NULL)
		return fault_set(why, 404, "This path does not exist");
	if (target->console && endpoint_ui(shared, request) == UI_OFF)
		return fault_set(why, 404, "The console is off; the option --ui turns it on");
	if (!target->gate && !origin_check(shared->hosts, target, request, why))
		return false;
	if ((target->methods & (unsigned)request->method) == 0)
		return fault_set(why, 405, "This path does not allow this method");
	/* Pages of other origins cannot send JSON without a preflight request (CORS). */
	if (request->method == HTTP_POST && target->takes != 0 &&
	    !http_check_type(request, target->takes, why))
		return false;
	return target->answer(shared, request, response, why);
}

void
endpoint_fail(const http_request *request, http_response *response, int status, const char *text)
{
	const endpoint *target = endpoint_of(request);

	if (target != NULL && target->gate)
		gate_fail(request, response, status, text);
	else
		http_fail(response, status, text);
}

void
endpoint_answer(service *shared, const http_request *request, http_response *response)
{
	g_auto(fault) why = { .status = 0 };

	/* A decision that waits has no answer yet. */
	if (!answer(shared, request, response, &why) && !deciding_waits(request))
		endpoint_fail(request, response, why.status, why.text);
}
