/* SPDX-License-Identifier: Apache-2.0 */
/*
 * audit_lint.c - finds namespaces without a LimitRange, and quotas on resources for which no
 * LimitRange gives a default: there every pod that does not name the resource is refused.
 */
#include <string.h>

#include "audit.h"
#include "policy/ranges.h"

/*
 * The resources that a pod must name where a quota is about them (validationSet in Kubernetes'
 * evaluator of pods), each with the default of a LimitRange that names it for the pod.
 */
static const struct {
	const char *quota;
	const char *defaults;
	const char *resource;
} needs[] = {
	{ "cpu", "defaultRequest", "cpu" },
	{ "memory", "defaultRequest", "memory" },
	{ "requests.cpu", "defaultRequest", "cpu" },
	{ "requests.memory", "defaultRequest", "memory" },
	{ "limits.cpu", "default", "cpu" },
	{ "limits.memory", "default", "memory" },
};

static void
warn(audit_side *side, const char *namespace, const char *rule, const char *message)
{
	const tally_finding finding = { .kind = TALLY_WARNING,
		                        .texts = { namespace, "", "", rule, message } };

	tally_add(&side->found, &finding);
	tally_find_namespace(&side->found, namespace)->counts[TALLY_WARNING]++;
	side->found.counts[TALLY_WARNING]++;
}

/* Does a LimitRange of the namespace give containers this default? */
static bool
has_default(const ranges *all, const char *namespace, const char *defaults, const char *resource)
{
	limen_value item;

	for (guint i = 0; i < all->items->len; i++) {
		limen_value range = g_array_index(all->items, limen_value, i);
		limen_iter iter = limen_iter_start(limen_value_get(limen_value_get(range, "spec"),
		                                                   "limits"));

		while (ranges_is_for(range, namespace) && limen_iter_next(&iter, NULL, &item))
			if (limen_value_is(limen_value_get(item, "type"), "Container") &&
			    limen_value_exists(limen_value_get(limen_value_get(item, defaults),
			                                       resource)))
				return true;
	}
	return false;
}

static void
lint_quotas(audit_side *side, const ranges *all, const tally_namespace *namespace)
{
	for (guint i = 0; namespace->quotas != NULL && i < namespace->quotas->len; i++) {
		const char *quota = g_array_index(namespace->quotas, const char *, i);
		g_autofree char *message = NULL;
		size_t need = 0;

		while (need < G_N_ELEMENTS(needs) && strcmp(needs[need].quota, quota) != 0)
			need++;
		if (need == G_N_ELEMENTS(needs) ||
		    has_default(all, namespace->name, needs[need].defaults, needs[need].resource))
			continue;
		message = g_strdup_printf("a ResourceQuota is about %s, but no LimitRange gives "
		                          "containers a default of it: pods without it are refused",
		                          quota);
		warn(side, namespace->name, "ResourceQuota without a default", message);
	}
}

void
audit_lint(audit_side *side)
{
	GHashTableIter iter;
	gpointer value;
	ranges all;

	if (side->engine == NULL)
		return;
	ranges_of_engine(&all, side->engine);
	g_hash_table_iter_init(&iter, side->found.namespaces);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const tally_namespace *namespace = value;
		bool ranged = false;

		lint_quotas(side, &all, namespace);
		for (guint i = 0; i < all.items->len; i++)
			ranged = ranged || ranges_is_for(g_array_index(all.items, limen_value, i),
			                                 namespace->name);
		if (namespace->pods && !ranged)
			warn(side, namespace->name, "namespace without a LimitRange",
			     "it has pods, but no LimitRange applies to it");
	}
	ranges_clear(&all);
}
