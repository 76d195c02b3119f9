/* SPDX-License-Identifier: Apache-2.0 */
/*
 * audit_object.c - judges one object of an audit as if it was created again, together with the pods
 * and claims that it would make, and turns the decisions into findings.
 */
#include <string.h>

#include "ask/decision_text.h"
#include "ask/judgement.h"
#include "audit.h"
#include "common/auto.h"
#include "common/controller.h"
#include "common/json_out.h"
#include "common/member.h"
#include "policy/policy.h"
#include "policy/problems.h"

/* State while one object is judged. */
typedef struct judging {
	tally *found;
	const audit_object *object;
	const char *owner;
	bool pod;
	bool mirror; /* of a static pod */
	bool exempt; /* the policy does not look at mirror pods */
	bool kinds[TALLY_KINDS];
} judging;

/* ---- owners ---- */

/*
 * Returns the owner of a pod whose controller is 'controller'.  The name of a ReplicaSet ends in
 * the label "pod-template-hash" of its pods if a Deployment made it.
 */
static char *
find_pod_owner(const char *controller, limen_value metadata)
{
	const char *hash = member_text_or(limen_value_get(metadata, "labels"), "pod-template-hash", "");
	g_autofree char *suffix = g_strconcat("-", hash, NULL);
	const char *name = strchr(controller, '/') + 1;

	if (hash[0] == '\0' || !g_str_has_prefix(controller, "ReplicaSet/") ||
	    !g_str_has_suffix(name, suffix))
		return g_strdup(controller);
	return g_strdup_printf("Deployment/%.*s", (int)(strlen(name) - strlen(suffix)), name);
}

/* ---- what is left out ---- */

tally_left
audit_left_out(const audit_object *object)
{
	limen_value metadata = limen_value_get(object->value, "metadata");
	const char *phase = member_text_or(limen_value_get(object->value, "status"), "phase", "");
	bool pod = strcmp(object->kind, "Pod") == 0;
	bool derived = strcmp(object->kind, "ReplicaSet") == 0 || strcmp(object->kind, "Job") == 0;
	g_autofree char *controller = derived ? controller_name(object->value) : NULL;

	if (limen_value_exists(limen_value_get(metadata, "deletionTimestamp")))
		return TALLY_DELETED;
	if (pod && (strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0))
		return TALLY_FINISHED;
	return controller != NULL ? TALLY_CONTROLLED : TALLY_LEFTS;
}

/* ---- findings ---- */

static void
add(judging *run, tally_kind kind, const char *container, const char *rule, const char *message)
{
	const tally_finding finding = {
		.kind = kind,
		.texts = { run->object->namespace, run->owner, container, rule, message },
		.pods = run->pod,
	};

	run->kinds[kind] = true;
	tally_add(run->found, &finding);
}

/* Returns the name of the container that 'field' is about, "spec.containers[0].resources", or "". */
static const char *
find_container(const ask_case *item, const char *field)
{
	const char *end = field == NULL ? NULL : strchr(field, ']');
	g_autofree char *container = NULL;

	if (end == NULL || strstr(field, "ontainers[") == NULL)
		return "";
	container = g_strndup(field, (size_t)(end - field) + 1);
	return member_text_or(decision_find_field(item, container), "name", "");
}

/* Adds a refusal.  The explanation of a violation ends with the bound that is missed. */
static void
add_refusal(judging *run, const case_result *result)
{
	const limen_violation *violation = limen_decision_violation(result->decision, 0);
	const char *reason = limen_decision_reason(result->decision);

	if (violation == NULL)
		add(run, TALLY_REFUSED, "", limen_decision_entry(result->decision), reason);
	for (size_t i = 1; violation != NULL; i++) {
		const char *detail = violation->detail;
		const char *rule = detail == NULL ? NULL : g_strrstr(detail, "; ");

		add(run, TALLY_REFUSED, find_container(result->item, violation->field),
		    rule == NULL ? limen_decision_entry(result->decision) : rule + strlen("; "),
		    violation->message);
		violation = limen_decision_violation(result->decision, i);
	}
}

/* Appends what stands at 'pointer' of a document, in JSON if it is no text. */
static void
append_value(GString *out, limen_value document, const char *pointer)
{
	limen_path *path = NULL;
	limen_value value;

	if (limen_path_new(pointer, strlen(pointer), &path) == LIMEN_ENOMEM)
		g_error("out of memory");
	value = limen_value_find(document, path);
	limen_path_free(path);
	if (limen_value_type(value) == LIMEN_TYPE_STRING)
		g_string_append(out, limen_value_string(value, NULL));
	else
		json_value(out, value);
}

/* Changes of one container by one rule, as they are collected. */
typedef struct changes {
	const char *container;
	const char *rule; /* NULL: there is none yet */
	GString *message; /* "limits.cpu becomes 500m, limits.memory 512Mi" */
} changes;

static void
flush_changes(judging *run, changes *collected)
{
	if (collected->rule != NULL)
		add(run, TALLY_CHANGED, collected->container, collected->rule,
		    collected->message->str);
	g_string_truncate(collected->message, 0);
}

/* Returns the name of the container that 'pointer', "/spec/containers/0/resources", is in, or "". */
static const char *
find_pointed(const ask_case *item, const char *pointer)
{
	g_auto(GStrv) steps = g_strsplit(pointer, "/", 5);
	g_autofree char *field = NULL;

	if (g_strv_length(steps) < 5)
		return "";
	field = g_strdup_printf("%s.%s[%s]", steps[1], steps[2], steps[3]);
	return find_container(item, field);
}

/* Adds a value that the policy would fill in. */
static void
add_origin(judging *run, const case_result *result, const limen_origin *origin, changes *collected)
{
	const char *container = find_pointed(result->item, origin->pointer);
	const char *resource = strstr(origin->pointer, "/resources/");
	g_autoptr(GString) name = g_string_new(resource == NULL ? origin->pointer
	                                                        : resource + strlen("/resources/"));
	/* The default and the default request of a LimitRange are told together. */
	const char *range = strstr(origin->text, "LimitRange");
	const char *rule = range == NULL ? origin->text : range;
	bool more;

	if (g_strcmp0(collected->rule, rule) != 0 ||
	    strcmp(collected->container, container) != 0)
		flush_changes(run, collected);
	more = collected->message->len > 0;
	collected->container = container;
	collected->rule = rule;
	g_string_replace(name, "/", ".", 0);
	g_string_replace(name, "~1", "/", 0);
	g_string_append_printf(collected->message, "%s%s %s", more ? ", " : "", name->str,
	                       more ? "" : "becomes ");
	append_value(collected->message, limen_decision_rewritten(result->decision),
	             origin->pointer);
}

/* Adds what the policy would fill in.  An API server itself copies limits to requests. */
static void
add_changes(judging *run, const case_result *result)
{
	const limen_origin *origin = limen_decision_origin(result->decision, 0);
	changes collected = { .message = g_string_new(NULL) };

	for (size_t i = 1; origin != NULL; i++) {
		if (strcmp(origin->text, "copied from the limit") != 0)
			add_origin(run, result, origin, &collected);
		origin = limen_decision_origin(result->decision, i);
	}
	flush_changes(run, &collected);
	g_string_free(collected.message, TRUE);
}

/*
 * Adds what no admission refuses, but the API server itself, which checks a pod with its defaults
 * before it asks for its validation.  LimitRanger warns of that.  Returns false if there is none.
 */
static bool
add_invalid(judging *run, const limen_decision *decision)
{
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		const char *end = strstr(warnings[i], "; the API server will answer 422");
		g_autofree char *message = end == NULL ? NULL
		                                       : g_strndup(warnings[i], (size_t)(end - warnings[i]));

		if (message != NULL)
			add(run, TALLY_REFUSED, "", "validation by the API server", message);
		found = found || message != NULL;
	}
	return found;
}

static void
add_result(judging *run, const case_result *result)
{
	g_autofree char *unseen = g_strjoin("; ", result->judged.reason, result->judged.hint, NULL);

	if (result->judged.kind == JUDGED_REFUSED)
		add_refusal(run, result);
	else if (add_invalid(run, result->decision))
		return;
	else if (result->judged.kind == JUDGED_NOT && run->mirror)
		run->exempt = true;
	else if (result->judged.kind == JUDGED_NOT)
		add(run, TALLY_UNJUDGED, "", "", unseen);
	else
		add_changes(run, result);
}

/* Judges the object and what it makes.  Returns false with '*why' to g_free(). */
static bool
judge_cases(const audit *run, limen_engine *engine, judging *to, bool *concerned, char **why)
{
	g_autoptr(limen_diag) diag = policy_diag();
	const audit_object *object = to->object;
	g_autoptr(GPtrArray) cases = cases_of_object(&run->ask, engine, object->value,
	                                             object->api, object->kind, diag, why);

	if (cases == NULL && *why == NULL)
		*why = g_strdup(problems_first(diag, "unusable object"));
	for (guint i = 0; *why == NULL && i < cases->len; i++) {
		const ask_case *item = g_ptr_array_index(cases, i);
		case_result result;

		/* A kubelet would create it again. */
		if (to->mirror && limen_request_add_group(item->request, "system:nodes") != LIMEN_OK)
			g_error("out of memory");
		result = judge(engine, item, false);
		*concerned = *concerned || result.judged.kind != JUDGED_NOT_CONCERNED || item->workload;
		if (result.judged.kind == JUDGED_ERROR)
			*why = g_strdup(result.why != NULL ? result.why
			                                   : limen_decision_reason(result.decision));
		else
			add_result(to, &result);
		case_result_clear(&result);
	}
	return *why == NULL;
}

/* Notes what the checks of whole namespaces need. */
static void
note(tally *found, const audit_object *object)
{
	tally_namespace *namespace;
	limen_iter iter;
	limen_value key;

	if (strcmp(object->kind, "ResourceQuota") != 0 || strcmp(object->api, "v1") != 0)
		return;
	namespace = tally_find_namespace(found, object->namespace);
	if (namespace->quotas == NULL)
		namespace->quotas = g_array_new(FALSE, FALSE, sizeof(const char *));
	iter = limen_iter_start(limen_value_get(limen_value_get(object->value, "spec"), "hard"));
	while (limen_iter_next(&iter, &key, NULL)) {
		const char *text = limen_value_string(key, NULL);

		if (text == NULL)
			continue;
		text = g_string_chunk_insert_const(found->texts, text);
		g_array_append_val(namespace->quotas, text);
	}
}

bool
audit_judge(const audit *run, audit_side *side, const audit_object *object, char **why)
{
	limen_value metadata = limen_value_get(object->value, "metadata");
	g_autofree char *controller = controller_name(object->value);
	g_autofree char *own = g_strconcat(object->kind, "/", object->name, NULL);
	bool pod = strcmp(object->kind, "Pod") == 0 && strcmp(object->api, "v1") == 0;
	g_autofree char *owner = pod && controller != NULL ? find_pod_owner(controller, metadata)
	                                                   : g_strdup(own);
	tally_left left = audit_left_out(object);
	limen_value annotations = limen_value_get(metadata, "annotations");
	judging to = {
		.found = &side->found,
		.object = object,
		.owner = owner,
		.pod = pod,
		.mirror = pod && limen_value_exists(limen_value_get(annotations,
		                                                    "kubernetes.io/config.mirror")),
	};
	bool concerned = false;

	if (controller != NULL && !pod)
		tally_set_owner(&side->found, object->namespace, own, controller);
	note(&side->found, object);
	if (left < TALLY_LEFTS) {
		side->found.left[left]++;
		return true;
	}
	if (!judge_cases(run, side->engine, &to, &concerned, why))
		return false;
	if (to.exempt) {
		side->found.left[TALLY_MIRRORS]++;
		return true;
	}
	if (pod)
		tally_find_namespace(&side->found, object->namespace)->pods = true;
	if (concerned)
		tally_count(&side->found, object->namespace, to.kinds);
	return true;
}
