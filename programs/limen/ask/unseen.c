/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unseen.c - warns of objects of uncovered kinds.  Repeats the decision as a dry run with a trace,
 * and checks that only admission entries ran and that all skipped.  Owns the list of known kinds.
 */
#include "unseen.h"

#include <glib.h>
#include <string.h>

#include "cli/message.h"

/* Kinds in v1 and in groups without a dot. */
static const char *const known_kinds[] = {
	"v1/Binding", "v1/ComponentStatus", "v1/ConfigMap", "v1/Endpoints", "v1/Event",
	"v1/LimitRange", "v1/Namespace", "v1/Node", "v1/PersistentVolume",
	"v1/PersistentVolumeClaim", "v1/Pod", "v1/PodTemplate", "v1/ReplicationController",
	"v1/ResourceQuota", "v1/Secret", "v1/Service", "v1/ServiceAccount",
	"apps/ControllerRevision", "apps/DaemonSet", "apps/Deployment", "apps/ReplicaSet",
	"apps/StatefulSet", "autoscaling/HorizontalPodAutoscaler", "autoscaling/Scale",
	"batch/CronJob", "batch/Job", "extensions/DaemonSet", "extensions/Deployment",
	"extensions/Ingress", "extensions/NetworkPolicy", "extensions/ReplicaSet",
	"policy/Eviction", "policy/PodDisruptionBudget", "policy/PodSecurityPolicy", NULL
};

static const char *
field(const limen_request *req, limen_field which)
{
	const char *text = limen_request_field(req, which);

	return text == NULL ? "" : text;
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

/* Decides once more, as a dry run with a trace; returns true if no entry had an opinion. */
static bool
is_unseen(const ask_settings *settings, limen_engine *engine, const subject *about)
{
	limen_decide_options traced = settings->decide;
	limen_decision *decision;
	char *why = NULL;
	bool unseen;

	traced.trace = true;
	limen_request_set_dry_run(about->request, true);
	decision = ask_decide(&traced, engine, about->request, &why);
	unseen = decision != NULL && limen_decision_admitted(decision) && !was_seen(decision);
	limen_decision_free(decision);
	g_free(why);
	return unseen;
}

void
unseen_warn(const ask_settings *settings, limen_engine *engine, const subject *about,
            const char *name)
{
	const char *group = field(about->request, LIMEN_FIELD_GROUP);
	const char *version = field(about->request, LIMEN_FIELD_VERSION);
	const char *kind = field(about->request, LIMEN_FIELD_KIND);
	g_autofree char *full = g_strconcat(group[0] == '\0' ? version : group, "/", kind, NULL);
	const char *meant;
	size_t i = 0;

	/* Groups below k8s.io belong to Kubernetes or are reviewed by it. */
	if (!about->object || about->workload || g_str_has_suffix(group, ".k8s.io") ||
	    g_strv_contains(known_kinds, full) || !is_unseen(settings, engine, about))
		return;
	while (known_kinds[i] != NULL && g_ascii_strcasecmp(known_kinds[i], full) != 0)
		i++;
	meant = known_kinds[i];
	message_error("%s: warning: no entry of the policy matches kind '%s'%s%s%s: %s", name,
	              kind, meant == NULL ? "" : " (did you mean '",
	              meant == NULL ? "" : strchr(meant, '/') + 1, meant == NULL ? "" : "'?)",
	              about->label);
}
