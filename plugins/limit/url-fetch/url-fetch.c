/* SPDX-License-Identifier: Apache-2.0 */
/*
 * url-fetch.c - the limit that asks a server whether a task is fine (limits.rst,
 * "url-fetch - Get a decision by fetching a URL").
 *
 * It blocks the thread that decides, for 'timeout' at most and never beyond the
 * deadline of the decision.
 */
#include <limen/version.h>
#include <stdlib.h>

#include "url_fetch.h"

/* The timeout for "PT0S", which in pScheduler means none. */
#define LONGEST (300 * LIMEN_SECOND)

static const limen_option options[] = {
	LIMEN_OPT_STRING(struct url_fetch, url, .key = "url", .required = true, .secret = true,
	                 .help = "The URL to fetch; may be empty if there is a url-transform"),
	LIMEN_OPT_TRANSFORM(struct url_fetch, transforms[PART_URL], .key = "url-transform",
	                    .help = "A jq script that makes the URL from .url and .task"),
	LIMEN_OPT_STRINGS(struct url_fetch, schemes, .key = "schemes",
	                  .help = "Allowed schemes of a URL, redirects included: http, https, "
	                          "file"),
	LIMEN_OPT_STRINGS(struct url_fetch, hosts, .key = "hosts",
	                  .help = "Allowed hosts, redirects included: names, *. and a name for "
	                          "all names below it, addresses"),
	LIMEN_OPT_STRING(struct url_fetch, bind, .key = "bind",
	                 .help = "The host name, address or interface to connect from"),
	LIMEN_OPT_BOOL(struct url_fetch, verify_keys, .key = "verify-keys", .fallback = "true",
	               .help = "Whether to verify the identity of an HTTPS server"),
	LIMEN_OPT_BOOL(struct url_fetch, follow_redirects, .key = "follow-redirects",
	               .fallback = "true", .help = "Whether to follow redirects"),
	LIMEN_OPT_OBJECT(struct url_fetch, headers, .key = "headers", .secret = true,
	                 .help = "Headers to send, names and values"),
	LIMEN_OPT_TRANSFORM(struct url_fetch, transforms[PART_HEADERS],
	                    .key = "headers-transform",
	                    .help = "A jq script that changes .headers, with .task beside it"),
	LIMEN_OPT_OBJECT(struct url_fetch, params, .key = "params", .secret = true,
	                 .help = "Parameters for the query of the URL, names and values"),
	LIMEN_OPT_TRANSFORM(struct url_fetch, transforms[PART_PARAMS], .key = "params-transform",
	                    .help = "A jq script that changes .params, with .task beside it"),
	LIMEN_OPT_DURATION(struct url_fetch, timeout, .key = "timeout", .fallback = "PT3S",
	                   .maximum = INT64_MAX,
	                   .help = "Timeout of the fetch; PT0S is five minutes"),
	LIMEN_OPT_BOOL(struct url_fetch, success_only, .key = "success-only", .fallback = "false",
	               .help = "Whether the status alone decides: 200 passes, 404 fails"),
	LIMEN_OPT_BOOL(struct url_fetch, fail_result, .key = "fail-result", .fallback = "false",
	               .help = "Whether the limit passes when there is no valid answer"),
	LIMEN_OPT_INT(struct url_fetch, max_size, .key = "max-size", .fallback = "1048576",
	              .minimum = 1, .maximum = 64 * 1024 * 1024,
	              .help = "Maximum size of an answer in bytes"),
	LIMEN_OPT_STRING(struct url_fetch, ca_file, .key = "ca-file",
	                 .help = "A file of PEM certificates: the only authorities to trust"),
	LIMEN_OPT_STRING(struct url_fetch, proxy, .key = "proxy", .secret = true,
	                 .help = "The URL of the HTTP proxy to use"),
	LIMEN_OPT_DURATION(struct url_fetch, transform_timeout, .key = "transform-timeout",
	                   .minimum = 1000, .maximum = 3600 * LIMEN_SECOND,
	                   .help = "Timeout of each transform"),
	LIMEN_OPT_ENUM(struct url_fetch, sandbox, .key = "sandbox", .choices = jq_sandbox_words,
	               .fallback = "default",
	               .help = "Whether the transforms run in a process of their own"),
	LIMEN_OPT_END
};

/* hint() works wherever it stands, also where "." is no longer the input. */
static const char prelude[] =
	". as $__urlfetch | "
	"def hint($name): $__urlfetch.__URLFETCH_PRIVATE__.hints[$name]; ";

/* Paths that scripts use by mistake, as pScheduler's own example does. */
static const jq_stranger strangers[] = {
	{ ".task", "which pScheduler 5.2 leaves empty; it has the task in .run, limen in both" },
	{ ".test", "which its input does not have; the task is .task" },
	{ ".type", "which its input does not have; the type of the test is .task.test.type" },
	{ ".spec", "which its input does not have; the test is .task.test" },
	{ ".hints", "which its input does not have; hints come from hint(\"NAME\")" },
	{ NULL, NULL }
};

static int
open_scripts(url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	jq_setup setup = {
		.prelude = prelude,
		.timeout = self->transform_timeout,
		.sandbox = self->sandbox,
		.strangers = strangers,
		.strangers_exist = true
	};
	int result = LIMEN_OK;

	for (int part = 0; part < PARTS; part++) {
		int outcome = LIMEN_OK;

		if (self->transforms[part].script != NULL)
			outcome = jq_script_open(&setup, &self->transforms[part], opening, diag,
			                         &self->scripts[part]);
		if (outcome != LIMEN_OK)
			result = outcome;
	}
	return result;
}

static int
report_field(int result, const char *key, const char *why, limen_opening *opening, limen_diag *diag)
{
	if (result == LIMEN_EINVAL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, key),
		               "%s", why);
	return result;
}

/* Also checks what a transform starts from. */
static int
open_fields(url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	const char *why = "";
	int result = LIMEN_OK;

	if (limen_value_exists(self->headers))
		result = fields_make_headers(jq_from_value(self->headers), &self->fixed_headers,
		                             &why);
	if (report_field(result, "headers", why, opening, diag) != LIMEN_OK)
		return result;
	if (limen_value_exists(self->params))
		result = fields_make_query(jq_from_value(self->params), &self->fixed_query, &why);
	return report_field(result, "params", why, opening, diag);
}
static void
close_fetch(void *data)
{
	url_fetch *self = data;

	for (int part = 0; part < PARTS; part++)
		jq_script_close(self->scripts[part]);
	allowed_clear(self);
	header_lines_clear(&self->fixed_headers);
	buffer_clear(&self->fixed_query);
	http_client_free(self->client);
}

static int
open_parts(url_fetch *self, limen_opening *opening, limen_diag *diag)
{
	bool good = check_options(self, opening, diag);
	size_t length;
	int result = open_scripts(self, opening, diag);
	int fields = open_fields(self, opening, diag);
	int file = self->ca_file == NULL
	                   ? LIMEN_OK
	                   : limen_opening_file(opening, self->ca_file,
	                                        limen_opening_option(opening, "ca-file"),
	                                        &self->ca_pem, &length, diag);
	int allowed = allowed_make(self, opening, diag);

	if (fields != LIMEN_OK)
		result = fields;
	if (file != LIMEN_OK)
		result = file;
	if (allowed != LIMEN_OK)
		result = allowed;
	if (result != LIMEN_OK)
		return result;
	return good ? LIMEN_OK : LIMEN_EINVAL;
}

static int
open_fetch(void *data, limen_opening *opening, limen_diag *diag)
{
	url_fetch *self = data;
	int result = open_parts(self, opening, diag);

	self->host = limen_opening_host(opening);
	if (result == LIMEN_OK) {
		self->answered = limen_host_counter(self->host, "answered");
		self->unanswered = limen_host_counter(self->host, "unanswered");
		self->client = http_client_new();
		if (self->client == NULL)
			result = LIMEN_ENOMEM;
	}
	if (result != LIMEN_OK)
		close_fetch(self);
	return result;
}

/* Operators learn when a server stops answering and when it does again, not of each try. */
static void
note_answer(const url_fetch *self, const web_request *request, const http_answer *answer,
            bool missing)
{
	bool before = atomic_exchange((atomic_bool *)(uintptr_t)&self->failing, missing);
	char *shown = missing != before ? web_request_show(self, request) : NULL;
	char status[32];

	snprintf(status, sizeof(status), "status %ld", answer->status);
	limen_counter_add(missing ? self->unanswered : self->answered, 1);
	if (shown != NULL && missing)
		limen_host_log(self->host, LIMEN_LOG_WARNING, "no answer from %s: %s", shown,
		               answer->transport_failed ? answer->error : status);
	else if (shown != NULL)
		limen_host_log(self->host, LIMEN_LOG_INFO, "%s answers again", shown);
	free(shown);
}

/*
 * Returns LIMEN_ERROR after the deadline of the decision.  fail-result applies to a server
 * that does not answer, not to a caller that does not wait.
 */
static limen_verdict
give_up(limen_reply *reply)
{
	limen_reply_reason(reply, "the deadline of the decision has passed");
	return LIMEN_ERROR;
}

static limen_verdict
ask(const url_fetch *self, const limen_request *req, const web_request *sent, limen_reply *reply)
{
	const http_request request = {
		.url = sent->full_url.text,
		.headers = sent->headers->lines,
		.header_count = sent->headers->count,
		.allowed = self->allowed.scheme_count + self->allowed.host_count > 0
		                   ? &self->allowed
		                   : NULL,
		.bind = self->bind,
		.proxy = self->proxy,
		.ca_pem = self->ca_pem,
		.insecure = !self->verify_keys,
		.no_redirects = !self->follow_redirects,
		/* A file is read only if the policy itself says so, whatever a transform makes. */
		.allow_file = http_url_has_scheme(self->url, "file"),
		.cut_body = self->success_only,
		.timeout = self->timeout > 0 ? self->timeout : LONGEST,
		.deadline = limen_request_deadline(req),
		.max_body = (size_t)self->max_size
	};
	http_answer answer;
	limen_verdict verdict;
	bool missing;

	if (http_get(self->client, &request, &answer) != LIMEN_OK) {
		limen_reply_reason(reply, "%s", limen_result_text(LIMEN_ENOMEM));
		return LIMEN_ERROR;
	}
	if (answer.transport_failed && (answer.late || limen_request_time_left(req) == 0)) {
		http_answer_clear(&answer);
		return give_up(reply);
	}
	/* Nor does fail-result apply to what limen itself lacks. */
	if (answer.crowded) {
		limen_reply_reason(reply, "%s", answer.error);
		http_answer_clear(&answer);
		return LIMEN_ERROR;
	}
	verdict = answer_read(self, sent, &answer, reply, &missing);
	note_answer(self, sent, &answer, missing);
	http_answer_clear(&answer);
	return verdict;
}

static limen_verdict
check(const void *data, const limen_request *req, limen_reply *reply)
{
	const url_fetch *self = data;
	limen_verdict verdict;
	web_request request;
	char *why;
	int result = web_request_make(self, req, &request, &why);

	if (result == LIMEN_OK) {
		verdict = ask(self, req, &request, reply);
		web_request_clear(&request);
		return verdict;
	}
	if (result != LIMEN_EINVAL) {
		limen_reply_reason(reply, "%s", limen_result_text(result));
		return LIMEN_ERROR;
	}
	/* Nothing was asked. */
	if (limen_request_time_left(req) == 0) {
		verdict = give_up(reply);
	} else {
		limen_reply_reason(reply, "%s", why);
		verdict = answer_missing(self);
	}
	free(why);
	return verdict;
}

LIMEN_LIMIT("url-fetch",
	.flags = LIMEN_MODULE_BLOCKING | LIMEN_MODULE_WHOLE_REASONS,
	.version = LIMEN_VERSION,
	.summary = "Passes tasks that a server allows",
	.options = options,
	.instance_size = sizeof(struct url_fetch),
	.open = open_fetch,
	.close = close_fetch,
	.check = check);
