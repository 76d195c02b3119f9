/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip-cidr-list-url.c - the identifier that looks for the requester in a list of
 * networks that is downloaded and kept up to date (limits.rst,
 * "ip-cidr-list-url").
 */
#include <limen/version.h>
#include <stdlib.h>
#include <string.h>

#include "list_source.h"

struct ip_cidr_list_url {
	list_settings settings;
	limen_strings excluded;
	bool fail_state;
	limen_cidr_set *exclude;
	list_source source;
};

static const limen_option options[] = {
	LIMEN_OPT_URL(struct ip_cidr_list_url, settings.source, .key = "source", .required = true,
	              .help = "Where the list is: an http, https or file URL"),
	LIMEN_OPT_DURATION(struct ip_cidr_list_url, settings.update, .key = "update",
	                   .required = true, .help = "Interval between two downloads"),
	LIMEN_OPT_DURATION(struct ip_cidr_list_url, settings.retry, .key = "retry",
	                   .required = true, .help = "Interval before a failed download is repeated"),
	LIMEN_OPT_TRANSFORM(struct ip_cidr_list_url, settings.transform, .key = "transform",
	                    .help = "A jq script that makes the list from JSON"),
	LIMEN_OPT_STRING(struct ip_cidr_list_url, settings.bind, .key = "bind",
	                 .help = "The interface, address or host name to download from"),
	LIMEN_OPT_STRING(struct ip_cidr_list_url, settings.ca_file, .key = "ca-file",
	                 .help = "A file of PEM certificates: the only authorities to trust"),
	LIMEN_OPT_STRINGS(struct ip_cidr_list_url, excluded, .key = "exclude",
	                  .help = "Addresses and networks that are not identified, although listed"),
	LIMEN_OPT_BOOL(struct ip_cidr_list_url, fail_state, .key = "fail-state",
	               .fallback = "false",
	               .help = "Whether to identify every requester while there is no list"),
	LIMEN_OPT_DURATION(struct ip_cidr_list_url, settings.timeout, .key = "timeout",
	                   .minimum = 1000, .maximum = 86400 * LIMEN_SECOND, .fallback = "PT1M",
	                   .help = "Timeout of a download"),
	LIMEN_OPT_INT(struct ip_cidr_list_url, settings.max_size, .key = "max-size", .minimum = 1,
	              .maximum = 256 << 20, .fallback = "67108864",
	              .help = "Maximum size of a download in bytes"),
	LIMEN_OPT_INT(struct ip_cidr_list_url, settings.minimum_entries, .key = "minimum-entries",
	              .minimum = 0, .maximum = LIST_TEXT_MAX, .fallback = "0",
	              .help = "A download with fewer entries is a failure: the old list stays",
	              .note = "not in pScheduler"),
	LIMEN_OPT_DURATION(struct ip_cidr_list_url, settings.transform_timeout,
	                   .key = "transform-timeout", .minimum = 1000,
	                   .maximum = 3600 * LIMEN_SECOND,
	                   .help = "Timeout of the transform"),
	LIMEN_OPT_ENUM(struct ip_cidr_list_url, settings.sandbox, .key = "sandbox",
	               .choices = jq_sandbox_words,
	               .help = "Whether the transform runs in a separate process"),
	LIMEN_OPT_END
};

/* ---- opening ---- */

/* Not an option of type CIDRs, because host bits are fine here: pScheduler clears them. */
static int
open_exclude(struct ip_cidr_list_url *list, limen_opening *opening, limen_diag *diag)
{
	const limen_strings *texts = &list->excluded;
	limen_value array = limen_opening_option(opening, "exclude");
	limen_network *items = calloc(texts->count + 1, sizeof(*items));
	int result = LIMEN_OK;

	for (size_t i = 0; items != NULL && i < texts->count; i++) {
		const char *text = texts->items[i];

		if (limen_network_parse(text, strlen(text), LIMEN_NETWORK_HOST_BITS, &items[i]) ==
		    LIMEN_OK)
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_at(array, i),
		               "'%s' does not appear to be an IPv4 or IPv6 network", text);
		result = LIMEN_ECONFIG;
	}
	if (items != NULL && result == LIMEN_OK)
		list->exclude = limen_cidr_set_new(items, texts->count, NULL, 0);
	free(items);
	return result == LIMEN_OK && list->exclude == NULL ? LIMEN_ENOMEM : result;
}

/* Reports what the rows of the table cannot say. */
static int
check_options(const list_settings *settings, limen_opening *opening, limen_diag *diag)
{
	int result = LIMEN_OK;

	if (!http_url_has_scheme(settings->source, "http") &&
	    !http_url_has_scheme(settings->source, "https") &&
	    !http_url_has_scheme(settings->source, "file")) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM,
		               limen_opening_option(opening, "source"),
		               "'%s' is not an http, https or file URL", settings->source);
		result = LIMEN_ECONFIG;
	}
	if (settings->bind != NULL && !http_bind_valid(settings->bind)) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, "bind"),
		               "'%s' is neither the name nor the address of a host",
		               settings->bind);
		result = LIMEN_ECONFIG;
	}
	return result;
}

static void
note_differences(const char *source, limen_value where, limen_opening *opening, limen_diag *diag)
{
	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_data(opening),
	               "pScheduler 5.2 downloads the list while it loads the file and while it "
	               "decides; limen does in the background");
	if (http_url_has_scheme(source, "https"))
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, where,
		               "pScheduler 5.2 does not verify the server; limen does");
}

static int
open_list(void *self, limen_opening *opening, limen_diag *diag)
{
	struct ip_cidr_list_url *list = self;
	const struct ip_cidr_list_url *before = limen_opening_predecessor(opening);
	limen_value where = limen_opening_option(opening, "source");
	int result = check_options(&list->settings, opening, diag);
	int excluded = open_exclude(list, opening, diag);

	if (result == LIMEN_OK)
		result = excluded;
	if (result == LIMEN_OK)
		result = list_source_open(&list->source, &list->settings,
		                          before == NULL ? NULL : &before->source, opening, diag);
	if (result != LIMEN_OK) {
		limen_cidr_set_free(list->exclude);
		return result;
	}
	note_differences(list->settings.source, where, opening, diag);
	return LIMEN_OK;
}

static void
close_list(void *self)
{
	struct ip_cidr_list_url *list = self;

	list_source_close(&list->source);
	limen_cidr_set_free(list->exclude);
}

static void
report_status(const void *self, limen_builder *build)
{
	list_source_status(&((const struct ip_cidr_list_url *)self)->source, build);
}

/* ---- deciding ---- */

/* Reads the hint "requester"; a number or an object counts as missing. */
static limen_verdict
read_requester(const limen_request *req, limen_reply *reply, limen_network *out)
{
	limen_value hint = limen_value_get(limen_request_hints(req), "requester");
	size_t length = 0;
	const char *text = limen_value_string(hint, &length);
	char *printed;

	if (!limen_value_exists(hint)) {
		if (limen_reply_wants_bounds(reply))
			limen_reply_note(reply, "hint 'requester' is not given");
		return LIMEN_SKIP;
	}
	if (text != NULL && loose_network_parse(text, length, out))
		return LIMEN_PASS;
	printed = text == NULL ? limen_value_to_json(hint, 0, &length) : NULL;
	if (text == NULL)
		text = printed;
	limen_reply_reason(reply, "Invalid IP '%s'", text == NULL ? "" : text);
	free(printed);
	return LIMEN_ERROR;
}

static limen_verdict
look_up(const struct ip_cidr_list_url *list, const network_list *networks,
        const limen_request *req, limen_reply *reply)
{
	limen_network requester;
	limen_verdict verdict;

	/* Comes first, so that it holds for requests without an address, too. */
	if (networks == NULL || networks->count == 0)
		return list->fail_state ? LIMEN_PASS : LIMEN_FAIL;
	verdict = read_requester(req, reply, &requester);
	if (verdict != LIMEN_PASS)
		return verdict;
	if (!limen_cidr_set_covers(networks->set, &requester) ||
	    limen_cidr_set_covers(list->exclude, &requester))
		return LIMEN_FAIL;
	return LIMEN_PASS;
}

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct ip_cidr_list_url *list = self;
	unsigned turn;
	const network_list *networks = list_source_enter(&list->source, &turn);
	limen_verdict verdict = look_up(list, networks, req, reply);

	list_source_leave(&list->source, turn);
	return verdict;
}

LIMEN_IDENTIFIER("ip-cidr-list-url",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters whose address is in a downloaded list",
	.options = options,
	.instance_size = sizeof(struct ip_cidr_list_url),
	.open = open_list,
	.close = close_list,
	.status = report_status,
	.identify = identify);
