/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unseen.c - detects objects of uncovered kinds.  Repeats the decision as a dry run with a trace,
 * and checks that only admission entries ran and that all skipped.  Owns the list of known kinds.
 */
#include "unseen.h"

#include <glib.h>
#include <string.h>

#include "workload.h"

/* Kinds without pods in v1 and in groups without a dot, and the kinds that plugins handle. */
static const char *const known_kinds[] = {
	"v1/Binding", "v1/ComponentStatus", "v1/ConfigMap", "v1/Endpoints", "v1/Event",
	"v1/LimitRange", "v1/Namespace", "v1/Node", "v1/PersistentVolume",
	"v1/PersistentVolumeClaim", "v1/Pod", "v1/ResourceQuota", "v1/Secret", "v1/Service",
	"v1/ServiceAccount", "apps/ControllerRevision", "autoscaling/HorizontalPodAutoscaler",
	"autoscaling/Scale", "extensions/Ingress", "extensions/NetworkPolicy", "policy/Eviction",
	"policy/PodDisruptionBudget", "policy/PodSecurityPolicy", NULL
};

static const char *
field(const limen_request *req, limen_field which)
{
	const char *text = limen_request_field(req, which);

	return text == NULL ? "" : text;
}

/* Returns true for known kinds; groups below k8s.io belong to Kubernetes or are reviewed by it. */
static bool
is_known(const limen_request *req)
{
	const char *group = field(req, LIMEN_FIELD_GROUP);
	const char *version = field(req, LIMEN_FIELD_VERSION);
	const char *kind = field(req, LIMEN_FIELD_KIND);
	char *api = g_strconcat(group, group[0] == '\0' ? "" : "/", version, NULL);
	char *name = g_strconcat(group[0] == '\0' ? version : group, "/", kind, NULL);
	bool known = g_str_has_suffix(group, ".k8s.io") || workload_is(api, kind) ||
	             g_strv_contains(known_kinds, name);

	g_free(api);
	g_free(name);
	return known;
}

/* Returns true unless only admission entries ran and all of them skipped. */
static bool
was_seen(const limen_decision *decision)
{
	const limen_trace *one = limen_decision_trace(decision, 0);

	for (size_t i = 0; one != NULL; one = limen_decision_trace(decision, ++i))
		if (one->kind != LIMEN_KIND_ADMISSION || one->verdict != LIMEN_SKIP)
			return true;
	return false;
}

bool
unseen_is(const ask_settings *settings, limen_engine *engine, const subject *about)
{
	limen_decide_options traced = settings->decide;
	limen_decision *decision;
	char *why = NULL;
	bool unseen;

	if (!about->object || about->workload || is_known(about->request))
		return false;
	traced.trace = true;
	limen_request_set_dry_run(about->request, true);
	decision = ask_decide(&traced, engine, about->request, &why);
	unseen = decision != NULL && limen_decision_admitted(decision) && !was_seen(decision);
	limen_decision_free(decision);
	g_free(why);
	return unseen;
}
