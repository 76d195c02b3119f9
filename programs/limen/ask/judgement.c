/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judgement.c - finds objects that no entry of the policy looked at: only admission entries ran,
 * and all of them skipped.  Owns the list of known kinds.
 */
#include "judgement.h"

#include <glib.h>
#include <limen/nearest.h>
#include <string.h>

#include "common/auto.h"
#include "common/workload.h"

const char *const judgement_words[JUDGEMENTS] = { "not concerned", "admitted", "not judged",
	                                          "refused", "error" };

/* The kinds of Kubernetes, each with its group.  Of two groups the newer comes first. */
static const char *const known_kinds[] = {
	"v1/Binding", "v1/ComponentStatus", "v1/ConfigMap", "v1/Endpoints", "v1/Event",
	"v1/LimitRange", "v1/List", "v1/Namespace", "v1/Node", "v1/PersistentVolume",
	"v1/PersistentVolumeClaim", "v1/Pod", "v1/PodTemplate", "v1/ReplicationController",
	"v1/ResourceQuota", "v1/Secret", "v1/Service", "v1/ServiceAccount",
	"apps/ControllerRevision", "apps/DaemonSet", "apps/Deployment", "apps/ReplicaSet",
	"apps/Scale", "apps/StatefulSet", "autoscaling/HorizontalPodAutoscaler", "autoscaling/Scale",
	"batch/CronJob", "batch/Job", "policy/Eviction", "policy/PodDisruptionBudget",
	"policy/PodSecurityPolicy", "admissionregistration.k8s.io/MutatingAdmissionPolicy",
	"admissionregistration.k8s.io/MutatingAdmissionPolicyBinding",
	"admissionregistration.k8s.io/MutatingWebhookConfiguration",
	"admissionregistration.k8s.io/ValidatingAdmissionPolicy",
	"admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
	"admissionregistration.k8s.io/ValidatingWebhookConfiguration",
	"apiextensions.k8s.io/CustomResourceDefinition", "apiregistration.k8s.io/APIService",
	"audit.k8s.io/Event", "authentication.k8s.io/SelfSubjectReview",
	"authentication.k8s.io/TokenRequest", "authentication.k8s.io/TokenReview",
	"authorization.k8s.io/LocalSubjectAccessReview",
	"authorization.k8s.io/SelfSubjectAccessReview",
	"authorization.k8s.io/SelfSubjectRulesReview", "authorization.k8s.io/SubjectAccessReview",
	"certificates.k8s.io/CertificateSigningRequest", "certificates.k8s.io/ClusterTrustBundle",
	"certificates.k8s.io/PodCertificateRequest", "coordination.k8s.io/Lease",
	"coordination.k8s.io/LeaseCandidate", "discovery.k8s.io/EndpointSlice",
	"events.k8s.io/Event", "imagepolicy.k8s.io/ImageReview", "networking.k8s.io/IPAddress",
	"networking.k8s.io/Ingress", "networking.k8s.io/IngressClass", "networking.k8s.io/NetworkPolicy",
	"networking.k8s.io/ServiceCIDR", "node.k8s.io/RuntimeClass",
	"rbac.authorization.k8s.io/ClusterRole", "rbac.authorization.k8s.io/ClusterRoleBinding",
	"rbac.authorization.k8s.io/Role", "rbac.authorization.k8s.io/RoleBinding",
	"resource.k8s.io/DeviceClass", "resource.k8s.io/DeviceTaintRule",
	"resource.k8s.io/ResourceClaim", "resource.k8s.io/ResourceClaimParameters",
	"resource.k8s.io/ResourceClaimTemplate", "resource.k8s.io/ResourceClass",
	"resource.k8s.io/ResourceClassParameters", "resource.k8s.io/ResourceSlice",
	"scheduling.k8s.io/PriorityClass", "storage.k8s.io/CSIDriver", "storage.k8s.io/CSINode",
	"storage.k8s.io/CSIStorageCapacity", "storage.k8s.io/StorageClass",
	"storage.k8s.io/VolumeAttachment", "storage.k8s.io/VolumeAttributesClass",
	"extensions/DaemonSet", "extensions/Deployment", "extensions/Ingress",
	"extensions/NetworkPolicy", "extensions/PodSecurityPolicy", "extensions/ReplicaSet",
	"extensions/Scale", NULL
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
find_unseen(limen_engine *engine, const ask_case *item, const limen_decision *decision)
{
	limen_decide_options traced = item->options;
	g_autoptr(limen_decision) again = NULL;
	g_autofree char *failure = NULL;
	g_autofree char *reason = NULL;
	bool seen = false;
	size_t warnings;

	limen_decision_warnings(decision, &warnings);
	if (warnings > 0 || limen_value_count(limen_decision_patch(decision)) > 0)
		return NULL;
	if (!traced.trace && limen_decision_trace(decision, 0) == NULL) {
		bool dry_run = limen_request_is_dry_run(item->request);

		traced.trace = true;
		limen_request_set_dry_run(item->request, true);
		again = ask_decide(&traced, engine, item->request, &failure);
		limen_request_set_dry_run(item->request, dry_run);
	}
	reason = skip_reason(again == NULL ? decision : again, &seen);
	return seen || failure != NULL ? NULL : g_steal_pointer(&reason);
}

/*
 * Returns the kind of Kubernetes that was probably meant, with its group if that is another one.
 * Returns NULL if this one is known, like no other, or of a group that is not of Kubernetes.
 */
static char *
find_meant(const char *full, bool *known)
{
	size_t group = strcspn(full, "/") + 1;
	limen_nearest best = limen_nearest_to(full + group);
	g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func(g_free);
	const char *equal = NULL;

	if (memchr(full, '.', group) != NULL && strstr(full, ".k8s.io/") == NULL)
		return NULL;
	for (size_t i = 0; known_kinds[i] != NULL; i++) {
		const char *kind = strchr(known_kinds[i], '/') + 1;
		bool in_group = strncmp(known_kinds[i], full, group) == 0;
		char *list = g_strconcat(kind, "List", NULL);

		g_ptr_array_add(lists, list);
		if (g_ascii_strcasecmp(kind, full + group) == 0 && (equal == NULL || in_group))
			equal = in_group ? kind : known_kinds[i];
		if (!in_group)
			continue;
		limen_nearest_offer(&best, kind);
		limen_nearest_offer(&best, list);
	}
	*known = g_strcmp0(best.word, full + group) == 0;
	return *known ? NULL : g_strdup(equal == NULL ? best.word : equal);
}

/* Judges an object of a kind that is neither a pod, a claim nor a workload. */
static void
judge_other(judgement *out, const ask_case *item)
{
	const char *group = field(item->request, LIMEN_FIELD_GROUP);
	const char *version = field(item->request, LIMEN_FIELD_VERSION);
	const char *kind = field(item->request, LIMEN_FIELD_KIND);
	g_autofree char *full = g_strconcat(group[0] == '\0' ? version : group, "/", kind, NULL);
	bool known = false;
	g_autofree char *meant = find_meant(full, &known);
	g_autofree char *template = known ? NULL : workload_like(item->source);

	out->kind = JUDGED_NOT;
	if (template != NULL)
		out->reason = g_strdup_printf("limen does not know the pods in %s of kind '%s'",
		                              template, full);
	else if (meant != NULL)
		out->reason = g_strdup_printf("Kubernetes has no kind '%s'", full);
	else if (known && g_str_has_suffix(kind, "List"))
		out->reason = g_strdup_printf("the %s has no 'items'", kind);
	else
		out->kind = JUDGED_NOT_CONCERNED;
	if (out->kind == JUDGED_NOT_CONCERNED)
		out->reason = g_strdup_printf("no entry of the policy is about kind '%s'", full);
	else if (meant != NULL)
		out->hint = g_strdup_printf("did you mean '%s'?", meant);
	else if (template != NULL && strcmp(template, "spec") == 0)
		out->hint = g_strdup("check it as a Pod of apiVersion v1");
	else if (template != NULL)
		out->hint = g_strdup_printf("check %s as the template of a Deployment", template);
}

/* Judges a pod, a claim or a workload; 'skipped' is the reason of the entry that skipped. */
static void
judge_known(judgement *out, const ask_case *item, const char *skipped)
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

/* Judges an admitted object that no entry looked at. */
static void
judge_unseen(judgement *out, limen_engine *engine, const ask_case *item, const char *skipped)
{
	const char *api = limen_value_string(limen_value_get(item->source, "apiVersion"), NULL);
	const char *kind = field(item->request, LIMEN_FIELD_KIND);

	/* The pods of a workload stand for it. */
	if (item->workload)
		out->kind = JUDGED_NOT_CONCERNED;
	else if (item->limited)
		judge_known(out, item, skipped);
	else if (item->review && api != NULL && workload_is(engine, api, kind))
		*out = (judgement){
			.kind = JUDGED_NOT,
			.reason = g_strdup("no entry of the policy looks at its pods"),
			.hint = g_strdup("the API server sends reviews of them: check these"),
		};
	else
		judge_other(out, item);
}

judgement
judge_decision(limen_engine *engine, const ask_case *item, const limen_decision *decision)
{
	judgement out = { .kind = JUDGED_ADMITTED };
	g_autofree char *skipped = NULL;

	if (decision == NULL || limen_decision_code(decision) == 500)
		out.kind = JUDGED_ERROR;
	else if (!limen_decision_admitted(decision))
		out.kind = JUDGED_REFUSED;
	else if (item->object)
		skipped = find_unseen(engine, item, decision);
	if (skipped != NULL)
		judge_unseen(&out, engine, item, skipped);
	return out;
}

case_result
judge(limen_engine *engine, const ask_case *item, bool strict)
{
	static const int statuses[JUDGEMENTS] = { [JUDGED_REFUSED] = STATUS_BAD,
		                                  [JUDGED_ERROR] = STATUS_ERROR };
	case_result out = { .item = item };
	size_t warnings = 0;

	out.decision = ask_decide(&item->options, engine, item->request, &out.why);
	out.judged = judge_decision(engine, item, out.decision);
	if (out.decision != NULL)
		limen_decision_warnings(out.decision, &warnings);
	out.status = statuses[out.judged.kind];
	if (strict && (out.judged.kind == JUDGED_NOT || warnings > 0))
		out.status = status_worse(out.status, STATUS_BAD);
	return out;
}

void
judgement_clear(judgement *self)
{
	g_free(self->reason);
	g_free(self->hint);
}

void
case_result_clear(case_result *self)
{
	limen_decision_free(self->decision);
	judgement_clear(&self->judged);
	g_free(self->why);
}
