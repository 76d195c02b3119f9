/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judgement.c - finds objects that no entry of the policy looked at: only admission entries ran,
 * and all of them skipped.  Owns the list of known kinds.
 */
#include "judgement.h"

#include <glib.h>
#include <limen/nearest.h>
#include <string.h>

#include "workload.h"

const char *const judgement_words[JUDGEMENTS] = { "not concerned", "admitted", "not judged",
	                                          "refused", "error" };

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

/* Returns the reason of the first entry that skipped; "" if it gave none or no entry ran. */
static char *
skip_reason(const limen_decision *decision, bool *seen)
{
	const limen_trace *entry = limen_decision_trace(decision, 0);
	const char *reason = NULL;

	for (size_t i = 0; entry != NULL; entry = limen_decision_trace(decision, ++i)) {
		*seen = *seen || entry->kind != LIMEN_KIND_ADMISSION || entry->verdict != LIMEN_SKIP;
		reason = reason == NULL ? entry->reason : reason;
	}
	return g_strdup(reason == NULL ? "" : reason);
}

/* Returns skip_reason() if no entry looked at the admitted object, else NULL. */
static char *
find_unseen(const ask_settings *settings, limen_engine *engine, const subject *item,
            const limen_decision *decision)
{
	limen_decide_options traced = settings->decide;
	limen_decision *again = NULL;
	bool seen = false;
	char *failure = NULL;
	char *reason;
	size_t warnings;

	limen_decision_warnings(decision, &warnings);
	if (warnings > 0 || limen_value_count(limen_decision_patch(decision)) > 0)
		return NULL;
	if (!settings->decide.trace && limen_decision_trace(decision, 0) == NULL) {
		bool dry_run = limen_request_is_dry_run(item->request);

		traced.trace = true;
		limen_request_set_dry_run(item->request, true);
		again = ask_decide(&traced, engine, item->request, &failure);
		limen_request_set_dry_run(item->request, dry_run);
	}
	seen = failure != NULL;
	reason = skip_reason(again == NULL ? decision : again, &seen);
	limen_decision_free(again);
	g_free(failure);
	if (seen)
		g_clear_pointer(&reason, g_free);
	return reason;
}

/* Returns the known kind that was probably meant, or NULL if this one is known or like no other. */
static const char *
find_meant(const char *full, bool *known)
{
	const char *slash = strchr(full, '/');
	limen_nearest best = limen_nearest_to(full);

	*known = g_strv_contains(known_kinds, full);
	for (size_t i = 0; !*known && known_kinds[i] != NULL; i++) {
		size_t group = strcspn(known_kinds[i], "/");

		if (g_ascii_strcasecmp(strchr(known_kinds[i], '/'), slash) == 0)
			return strchr(known_kinds[i], '/') + 1;
		if (strncmp(known_kinds[i], full, group + 1) == 0)
			limen_nearest_offer(&best, known_kinds[i]);
	}
	return best.word == NULL ? NULL : strchr(best.word, '/') + 1;
}

/* Judges an object of a kind that is neither a pod, a claim nor a workload. */
static void
judge_other(judgement *out, const subject *item)
{
	const char *group = field(item->request, LIMEN_FIELD_GROUP);
	const char *version = field(item->request, LIMEN_FIELD_VERSION);
	const char *kind = field(item->request, LIMEN_FIELD_KIND);
	g_autofree char *full = g_strconcat(group[0] == '\0' ? version : group, "/", kind, NULL);
	bool known = false;
	/* A group with a dot may have kinds of its own that resemble those of Kubernetes. */
	const char *meant = strchr(group, '.') == NULL ? find_meant(full, &known) : NULL;
	g_autofree char *template = known ? NULL : workload_like(item->source);

	out->kind = template != NULL || meant != NULL ? JUDGED_NOT : JUDGED_NOT_CONCERNED;
	if (template != NULL)
		out->reason = g_strdup_printf("limen does not know the pods in %s of kind '%s'",
		                              template, kind);
	else if (meant != NULL)
		out->reason = g_strdup_printf("Kubernetes has no kind '%s/%s'",
		                              group[0] == '\0' ? version : group, kind);
	else
		out->reason = g_strdup_printf("no entry of the policy is about kind '%s'", kind);
	if (meant != NULL)
		out->hint = g_strdup_printf("did you mean '%s'?", meant);
	else if (template != NULL)
		out->hint = g_strdup_printf("check %s as the template of a Deployment", template);
}

/* Judges a pod, a claim or a workload; 'skipped' is the reason of the entry that skipped. */
static void
judge_known(judgement *out, const subject *item, const char *skipped)
{
	const char *namespace = field(item->request, LIMEN_FIELD_NAMESPACE);

	/* Deletions and the like are nothing to check. */
	if (item->review && skipped[0] == '\0')
		return;
	out->kind = JUDGED_NOT;
	out->reason = g_strdup(skipped[0] == '\0' ? "no entry of the policy looks at it" : skipped);
	if (namespace[0] == '\0' || skipped[0] == '\0')
		return;
	if (item->names_namespace)
		out->hint = g_strdup_printf("add the LimitRanges of namespace '%s' with --policy",
		                            namespace);
	else
		out->hint = g_strdup("name the namespace of the object with --namespace");
}

judgement
judge(const ask_settings *settings, limen_engine *engine, const subject *item,
      const limen_decision *decision)
{
	judgement out = { .kind = JUDGED_ADMITTED };
	char *skipped;

	if (decision == NULL || !limen_decision_admitted(decision)) {
		out.kind = decision == NULL || limen_decision_code(decision) == 500 ? JUDGED_ERROR
		                                                                   : JUDGED_REFUSED;
		return out;
	}
	if (!item->object)
		return out;
	skipped = find_unseen(settings, engine, item, decision);
	/* The pods of a workload stand for it. */
	if (skipped != NULL && item->workload)
		out.kind = JUDGED_NOT_CONCERNED;
	else if (skipped != NULL && item->limited)
		judge_known(&out, item, skipped);
	else if (skipped != NULL)
		judge_other(&out, item);
	g_free(skipped);
	return out;
}

void
judgement_clear(judgement *self)
{
	g_free(self->reason);
	g_free(self->hint);
}
