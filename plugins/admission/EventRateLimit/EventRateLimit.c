/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EventRateLimit.c - the admission plugin of Kubernetes of that name, as a
 * module: how many events a server, a namespace, a user or a source may send
 * about an object (event-rate-limit, "AdmissionControl plugin").
 *
 * It only validates, so that requests refused before take no tokens.
 */
#include <limen/module.h>
#include <limen/version.h>
#include <stdlib.h>

#include "event_rate_limit.h"

static const char *const api_words[] = { "eventratelimit.admission.k8s.io/v1alpha1", NULL };
static const char *const kind_words[] = { "Configuration", NULL };
static const char *const group_words[] = { "both", "core", NULL };

static const limen_option options[] = {
	LIMEN_OPT_ENUM(struct event_rate_limit, api, .key = "apiVersion", .choices = api_words,
	               .help = "The version, if the data is a Configuration of Kubernetes"),
	LIMEN_OPT_ENUM(struct event_rate_limit, kind, .key = "kind", .choices = kind_words,
	               .help = "The kind, if the data is a Configuration of Kubernetes"),
	LIMEN_OPT_JSON(struct event_rate_limit, limits, .key = "limits",
	               .help = "The limits: objects of type, qps, burst and cacheSize"),
	LIMEN_OPT_JSON(struct event_rate_limit, manifests, .key = "manifests",
	               .help = "Configuration objects",
	               .note = "limen adds Configurations from separate files of the policy"),
	LIMEN_OPT_JSON(struct event_rate_limit, exempt, .key = "exempt",
	               .help = "Events to exempt from all limits: objects of user, group, "
	                       "namespace, reason, type and classifier"),
	LIMEN_OPT_JSON(struct event_rate_limit, overrides, .key = "overrides",
	               .help = "Other rates for single keys: objects with type, keys, qps, burst "
	                       "and cacheSize"),
	LIMEN_OPT_STORE(struct event_rate_limit, store, .key = "store",
	                .help = "Where the buckets are kept"),
	LIMEN_OPT_ENUM(struct event_rate_limit, groups, .key = "groups", .choices = group_words,
	               .fallback = "both",
	               .help = "Limit the events of both API groups, or those of the core group "
	                       "only, as Kubernetes does"),
	LIMEN_OPT_END
};

static void
close_limits(void *self)
{
	event_rate_limit *limits = self;

	free(limits->exceptions.items);
	free(limits->exemptions.items);
}

static void
check_overrides(rate_reader *reader, const event_rate_limit *limits)
{
	for (size_t i = 0; i < limits->exceptions.count; i++) {
		limit_type type = limits->exceptions.items[i].rate.type;

		if (!event_rate_limit_has(limits, type))
			REFUSE(reader, limen_value_at(limits->overrides, i),
			       "overrides[%zu].type: Invalid value: \"%s\": no limit has "
			       "this type", i, limit_type_names[type]);
	}
}

static int
open_tables(event_rate_limit *limits, limen_opening *opening, limen_diag *diag)
{
	const rate_home home = { limits->store, limits->groups == GROUPS_CORE };
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < limits->rate_count; i++)
		result = rate_open(&limits->rates[i], limit_type_names[limits->rates[i].type],
		                   opening, &home, diag);
	if (result == LIMEN_OK)
		result = override_list_open(&limits->exceptions, opening, &home, diag);
	return result;
}

static int
open_limits(void *self, limen_opening *opening, limen_diag *diag)
{
	event_rate_limit *limits = self;
	rate_reader reader = { .diag = diag, .result = LIMEN_OK };

	configuration_read(&reader, limits, opening);
	override_list_read(&reader, &limits->exceptions, limits->overrides);
	if (reader.result == LIMEN_OK)
		check_overrides(&reader, limits);
	exemption_list_read(&reader, &limits->exemptions, limits->exempt, opening);
	if (reader.result == LIMEN_OK)
		reader.result = open_tables(limits, opening, diag);
	if (reader.result != LIMEN_OK)
		close_limits(limits);
	else
		enforce_open(limits, limen_opening_host(opening));
	return reader.result;
}

static limen_verdict
validate_event(const void *self, const limen_request *req, limen_reply *reply)
{
	const event_rate_limit *limits = self;
	limen_verdict verdict;
	event subject;
	size_t exempt;

	/* A dry run stores nothing, so it is neither counted nor refused, as upstream. */
	if (limen_request_is_dry_run(req))
		return LIMEN_SKIP;
	verdict = event_find(&subject, req, limits->groups == GROUPS_CORE, reply);
	if (verdict != LIMEN_PASS)
		return verdict;
	exempt = exemption_list_find(&limits->exemptions, &subject);
	if (exempt == SIZE_MAX)
		return enforce_rates(limits, &subject, reply);
	limen_reply_note(reply, "exempt[%zu]", exempt);
	limen_counter_add(limits->exempted, 1);
	return LIMEN_SKIP;
}

LIMEN_ADMISSION("EventRateLimit",
	.version = LIMEN_VERSION,
	.summary = "How many events may be sent, by server, namespace, user and source",
	.options = options,
	.instance_size = sizeof(struct event_rate_limit),
	.open = open_limits,
	.close = close_limits,
	.validate = validate_event);
