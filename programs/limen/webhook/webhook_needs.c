/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook_needs.c - finds the webhooks that a policy needs: whether an entry may match pods, claims
 * or events, and whether it may refuse them.  Entries that are off are not described, and exceptions
 * ("not") are not looked at.
 */
#include "webhook.h"
#include "common/member.h"

#include <limen/string_match.h>
#include <string.h>

#include "common/auto.h"
#include "policy/policy.h"

/* A kind of object that API servers send. */
typedef struct sent {
	const char *kind;
	const char *resource;
	const char *subresource;
} sent;

static const sent limited[] = {
	{ "Pod", "pods", "" },
	{ "Pod", "pods", "resize" },
	{ "PersistentVolumeClaim", "persistentvolumeclaims", "" },
};

static const sent events[] = { { "Event", "events", "" } };

/* Compares a pattern such as "pods" or "pods/resize" with a resource. */
static bool
matches_resource(const char *pattern, const sent *object)
{
	const char *slash = strchr(pattern, '/');
	g_autofree char *resource = slash == NULL ? g_strdup(pattern)
	                                          : g_strndup(pattern, (gsize)(slash - pattern));

	return limen_glob_match(resource, object->resource, strlen(object->resource)) &&
	       limen_glob_match(slash == NULL ? "" : slash + 1, object->subresource,
	                        strlen(object->subresource));
}

/* Returns true if a pattern of 'key' matches; an absent list matches everything. */
static bool
matches(limen_value entry, const char *key, const sent *object)
{
	limen_value patterns = limen_value_get(entry, key);
	limen_iter iter = limen_iter_start(patterns);
	limen_value pattern;

	while (limen_iter_next(&iter, NULL, &pattern)) {
		const char *text = limen_value_string(pattern, NULL);

		if (text == NULL)
			continue;
		if (g_str_equal(key, "kinds")
		            ? limen_glob_match(text, object->kind, strlen(object->kind))
		            : matches_resource(text, object))
			return true;
	}
	return !limen_value_exists(patterns);
}

static bool
may_match(limen_value entry, const sent *objects, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (matches(entry, "kinds", &objects[i]) &&
		    matches(entry, "resources", &objects[i]))
			return true;
	return false;
}

static void
add_entry(webhook_needs *needs, limen_value entry)
{
	bool refuses = g_strcmp0(member_text(entry, "enforce"), "deny") == 0;
	bool counts_events = g_strcmp0(member_text(entry, "type"), "EventRateLimit") == 0;
	webhook_need need = refuses ? NEED_TO_REFUSE : NEED_TO_OBSERVE;

	if (counts_events && may_match(entry, events, G_N_ELEMENTS(events)))
		needs->events = MAX(needs->events, need);
	if (!counts_events && may_match(entry, limited, G_N_ELEMENTS(limited))) {
		needs->limits = MAX(needs->limits, need);
		needs->workloads = true;
		needs->changes = needs->changes || refuses;
	}
}

/* Returns the resource of a kind as kubectl guesses it (UnsafeGuessKindToResource), to g_free(). */
static char *
guess_resource(const char *kind)
{
	g_autofree char *single = g_ascii_strdown(kind, -1);
	size_t length = strlen(single);

	if (g_str_has_suffix(single, "s"))
		return g_strconcat(single, "es", NULL);
	if (!g_str_has_suffix(single, "y"))
		return g_strconcat(single, "s", NULL);
	return g_strdup_printf("%.*sies", (int)length - 1, single);
}

/* Adds a rule for each kind of workload that the policy names; a kind may have several templates. */
static void
add_templates(webhook_needs *needs, limen_value policy)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	limen_iter iter = limen_iter_start(limen_value_get(policy, "templates"));
	limen_value template;

	while (limen_iter_next(&iter, NULL, &template)) {
		const char *group = member_text(template, "group");
		g_autofree char *resource = guess_resource(member_text(template, "kind"));

		if (g_hash_table_add(seen, g_strconcat(group, "/", resource, NULL)))
			webhook_append_workload_rule(needs->workload_rules, group, resource);
	}
}

static void
add_policy(webhook_needs *needs, limen_value policy)
{
	limen_iter iter = limen_iter_start(limen_value_get(policy, "admission"));
	int64_t applications = 0;
	limen_value entry;

	while (limen_iter_next(&iter, NULL, &entry))
		add_entry(needs, entry);
	add_templates(needs, policy);
	/* Applications decide every object that is sent; pods are what people write them for. */
	if (member_is_true(policy, "applications-on-objects") &&
	    limen_value_int(limen_value_get(policy, "applications"), &applications) &&
	    applications > 0)
		needs->limits = NEED_TO_REFUSE;
}

bool
webhook_needs_read(const common_options *common, char **paths, webhook_needs *out)
{
	g_autoptr(limen_engine) engine = policy_engine(common, LIMEN_ENGINE_PASSIVE);
	g_autoptr(limen_documents) described = NULL;

	*out = (webhook_needs){ .workload_rules = out->workload_rules };
	if (!policy_open(engine, paths))
		return false;
	described = policy_describe(engine);
	add_policy(out, limen_documents_get(described, 0));
	return true;
}
