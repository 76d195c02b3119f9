/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate.c - writes answers for proxies: the verdict as the status, what the proxy passes on to the
 * server or to the client as fields, and of refusals a body as in RFC 9457.
 */
#include "gate.h"

#include "../common/json_out.h"
#include "../common/print.h"
#include "profile.h"
#include "rate_fields.h"

/* Longest field made of texts of the policy or of a module: proxies have buffers of 4 KiB. */
#define FIELD_MAX 1000

/* draft-ietf-httpapi-ratelimit-headers, "Problem Types". */
#define QUOTA_EXCEEDED "https://iana.org/assignments/http-problem-types#quota-exceeded"

/* Adds texts joined by ", "; bytes that are not printable ASCII become "?". */
static void
add_texts(http_response *response, const char *name, const char *const *texts, size_t count)
{
	GString *out;
	size_t start;

	if (count == 0)
		return;
	out = http_begin_field(response, name);
	start = out->len;
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			g_string_append(out, ", ");
		print_bytes(out, texts[i], strlen(texts[i]));
	}
	if (out->len > start + FIELD_MAX)
		g_string_truncate(out, start + FIELD_MAX);
	for (size_t i = start; i < out->len; i++)
		if (!g_ascii_isprint(out->str[i]))
			out->str[i] = '?';
	http_end_field(response);
}

static size_t
list_quotas(const limen_decision *decision, const limen_quota *out[LIMEN_QUOTAS_MAX])
{
	size_t count = 0;

	while (count < LIMEN_QUOTAS_MAX &&
	       (out[count] = limen_decision_quota(decision, count)) != NULL)
		count++;
	return count;
}

/*
 * Sets the status of what is no pass, and returns it.  nginx passes on only 401 and 403; its
 * configuration makes the status of X-Limen-Status.
 */
static int
set_status(const http_request *request, int status, http_response *response)
{
	const profile *from = profile_of(request->path);
	char text[8];

	if (status == 500)
		status = 503;
	response->status = status;
	if (status == 503 && response->retry_after == 0)
		response->retry_after = 1;
	if (from == NULL || !from->only_403 || status >= 500)
		return status;
	response->status = 403;
	g_snprintf(text, sizeof(text), "%d", status);
	http_add_field(response, "X-Limen-Status", text);
	return status;
}

static void
begin_problem(http_response *response, int status, const char *detail)
{
	response->content_type = "application/problem+json";
	g_string_truncate(response->body, 0);
	json_write(response->body, "{type:S title:s status:d detail:S",
	           status == 429 ? QUOTA_EXCEEDED : NULL, http_words(status), status, detail);
}

void
gate_fail(const http_request *request, http_response *response, int status, const char *text)
{
	begin_problem(response, set_status(request, status, response), text);
	g_string_append(response->body, "}\n");
}

/* Names the rates that have nothing left, or the limit that refused. */
static void
put_policies(GString *out, const limen_decision *decision, const limen_quota *const *quotas,
             size_t count)
{
	const char *entry = limen_decision_entry(decision);
	bool listed = false;

	json_write(out, "violated-policies:[");
	for (size_t i = 0; i < count; i++) {
		if (quotas[i]->remaining > 0)
			continue;
		json_string(out, quotas[i]->name);
		listed = listed || g_strcmp0(quotas[i]->name, entry) == 0;
	}
	if (entry != NULL && !listed)
		json_string(out, entry);
	g_string_append_c(out, ']');
}

static void
answer_pass(const limen_decision *decision, http_response *response)
{
	size_t count;
	const char *const *names = limen_decision_classifiers(decision, &count);
	char text[32];
	double priority;

	response->content_type = NULL;
	add_texts(response, "X-Limen-Classifiers", names, count);
	if (limen_decision_priority(decision, &priority)) {
		g_ascii_formatd(text, sizeof(text), "%.15g", priority);
		http_add_field(response, "X-Limen-Priority", text);
	}
}

void
gate_answer(const http_request *request, const deciding *item, const limen_decision *decision,
            bool brief, http_response *response)
{
	const limen_quota *quotas[LIMEN_QUOTAS_MAX];
	size_t count = list_quotas(decision, quotas);
	const char *reason = brief ? NULL : limen_decision_reason(decision);
	int status;

	deciding_show_verdict(decision, response);
	rate_fields_add(item->fields, quotas, count, response);
	if (reason != NULL)
		add_texts(response, "X-Limen-Reason", &reason, 1);
	if (response->status == 200) {
		answer_pass(decision, response);
		return;
	}
	status = set_status(request, response->status, response);
	begin_problem(response, status, reason != NULL ? reason : limen_decision_summary(decision));
	if (status == 429)
		put_policies(response->body, decision, quotas, count);
	if (limen_value_exists(limen_request_id(item->request)))
		json_write(response->body, "id:v", limen_request_id(item->request));
	g_string_append(response->body, "}\n");
}
