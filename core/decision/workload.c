/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.c - decides about a workload by the pods and claims that it would make.  Nothing is
 * changed or charged, and an error refuses nothing.
 */
#include "workload.h"

#include <string.h>

#include "refusal.h"
#include "templates.h"

/* Pods and claims of one workload that are decided about; a sender may write any number. */
#define PLANNED_MAX 100

/* ---- the objects ---- */

static const char *
field_or(const limen_request *req, limen_field field, const char *fallback)
{
	const char *text = limen_request_field(req, field);

	return text == NULL ? fallback : text;
}

static const char *
find_name(const limen_request *req)
{
	const char *name = field_or(req, LIMEN_FIELD_NAME, "");

	if (name[0] == '\0')
		name = field_or(req, LIMEN_FIELD_GENERATE_NAME, "");
	return name;
}

/* The request with which a controller would create the object of 'found'. */
static void
set_request(planned *item, const limen_template *found, arena *memory)
{
	limen_request *req = &item->request;
	bool pods = strcmp(found->kind, "Pod") == 0;

	/* The user is a controller of Kubernetes, and not who sends the workload. */
	req->group_count = 0;
	req->fields[LIMEN_FIELD_USER] = NULL;
	req->fields[LIMEN_FIELD_OPERATION] = (char *)"CREATE";
	req->fields[LIMEN_FIELD_NAME] = arena_strdup(memory, found->name == NULL ? "" : found->name);
	req->fields[LIMEN_FIELD_GENERATE_NAME] =
		arena_strdup(memory, found->generate_name == NULL ? "" : found->generate_name);
	req->fields[LIMEN_FIELD_GROUP] = (char *)"";
	req->fields[LIMEN_FIELD_VERSION] = (char *)"v1";
	req->fields[LIMEN_FIELD_KIND] = (char *)(pods ? "Pod" : "PersistentVolumeClaim");
	req->fields[LIMEN_FIELD_RESOURCE_GROUP] = (char *)"";
	req->fields[LIMEN_FIELD_RESOURCE_VERSION] = (char *)"v1";
	req->fields[LIMEN_FIELD_RESOURCE] = (char *)(pods ? "pods" : "persistentvolumeclaims");
	/* An API server sets the defaults of pods in pods alone, such as requests that are limits. */
	req->manifest = true;
}

/* Adds the object of a template, unless an update leaves that as it was. */
static void
plan(void *data, const limen_template *found, limen_value old, document *object)
{
	pipeline *run = data;
	workload_state *whole = run->workload;
	arena *memory = &run->decision->arena;
	planned *item = &whole->items[whole->count];

	if (limen_value_type(found->value) != LIMEN_TYPE_OBJECT ||
	    (limen_value_exists(old) && limen_value_equal(found->value, old)))
		return;
	whole->more = whole->count == PLANNED_MAX;
	if (whole->more)
		return;
	*item = (planned){ .request = run->request };
	set_request(item, found, memory);
	item->request.received = document_ref(object);
	item->request.received_type = LIMEN_TYPE_OBJECT;
	item->request.old = NULL;
	item->field = arena_strdup(memory, found->field);
	item->words = arena_printf(memory, "%s of %s",
	                           strcmp(found->kind, "Pod") == 0 ? "pods" : "claims",
	                           find_name(&run->request));
	run->view.failed = run->view.failed || item->field == NULL || item->words == NULL;
	whole->count++;
}

/* Is the workload made by another one, which was decided about? */
static bool
is_made_by_workload(const pipeline *run, limen_value object)
{
	limen_value owner = limen_object_controller(object);
	const char *kind = limen_value_string(limen_value_get(owner, "kind"), NULL);
	const char *api = limen_value_string(limen_value_get(owner, "apiVersion"), NULL);
	const char *slash = api == NULL ? NULL : strchr(api, '/');
	char prefix[256] = "";
	size_t position = 0;

	if (kind == NULL || (slash != NULL && (size_t)(slash - api) >= sizeof(prefix)))
		return false;
	if (slash != NULL)
		*(char *)mempcpy(prefix, api, (size_t)(slash - api)) = '\0';
	return template_next(run->policy, prefix, kind, &position) != NULL;
}

/* Deletions and subresources such as "scale" make no pods of another form. */
static bool
makes_objects(const limen_request *req)
{
	const char *operation = field_or(req, LIMEN_FIELD_OPERATION, "CREATE");

	return field_or(req, LIMEN_FIELD_SUBRESOURCE, "")[0] == '\0' &&
	       (strcmp(operation, "CREATE") == 0 || strcmp(operation, "UPDATE") == 0);
}

bool
workload_prepare(pipeline *run)
{
	const limen_request *req = &run->request;
	arena *memory = &run->decision->arena;
	limen_value object = limen_request_document(req);

	if (!makes_objects(req) || is_made_by_workload(run, object))
		return true;
	run->workload = arena_calloc(memory, 1, sizeof(*run->workload));
	if (run->workload == NULL)
		return false;
	run->workload->run = run;
	run->workload->items = arena_calloc(memory, PLANNED_MAX + 1, sizeof(planned));
	/* Hints are of the workload: requests that share them must not make them of pods. */
	return run->workload->items != NULL &&
	       request_make_hints(&run->request) != LIMEN_ENOMEM &&
	       templates_each(run->policy, field_or(req, LIMEN_FIELD_GROUP, ""),
	                      field_or(req, LIMEN_FIELD_KIND, ""), object, limen_request_old(req),
	                      plan, run, NULL) != LIMEN_ENOMEM;
}

void
workload_drop(pipeline *run)
{
	for (size_t i = 0; run->workload != NULL && i < run->workload->count; i++)
		document_unref(run->workload->items[i].request.received);
}

/* ---- deciding ---- */

/* Decides about one object beside the decision about the workload. */
static bool
decide(pipeline *run, const planned *item, bool (*chain)(pipeline *apart))
{
	pipeline apart;
	bool good;

	run->workload->current = item;
	pipeline_fork(run, &apart, run->view.arena, NULL);
	apart.request = item->request;
	apart.request.view = &apart.view;
	apart.phase = LIMEN_PHASE_BOTH;
	apart.view.uncharged = true;
	good = chain(&apart);
	run->view.failed = run->view.failed || apart.view.failed;
	view_finish(&apart.view);
	return good;
}

bool
workload_admit(pipeline *run, bool (*chain)(pipeline *apart))
{
	workload_state *whole = run->workload;
	bool good = true;

	for (size_t i = 0; good && whole != NULL && i < whole->count; i++)
		good = decide(run, &whole->items[i], chain);
	if (good && whole != NULL && whole->more &&
	    !text_list_add(&run->decision->warnings, &run->decision->arena,
	                   "only the first 100 templates are decided about"))
		return decision_no_memory(run->decision);
	return good;
}

bool
workload_excuses(pipeline *run)
{
	limen_decision *decision = run->decision;
	const char *text;

	if (run->phase != LIMEN_PHASE_WORKLOAD || decision->code != 500 || run->view.failed)
		return false;
	text = arena_printf(&decision->arena, "cannot tell whether pods of %s would be admitted: %s",
	                    find_name(&run->request), decision->reason);
	decision->violations = (item_list){ .count = 0 };
	decision->reason = "no admission entry refuses it";
	return text_list_add(&decision->warnings, &decision->arena, text);
}

/* Puts the workload into a violation of an object that it would make. */
static bool
reword(const planned *item, limen_violation *violation, arena *memory)
{
	violation->message = arena_printf(memory, "%s would be refused: %s", item->words,
	                                  violation->message);
	violation->field = arena_printf(memory, "%s%s%s", item->field,
	                                violation->field == NULL ? "" : ".",
	                                violation->field == NULL ? "" : violation->field);
	return violation->message != NULL && violation->field != NULL;
}

/* Adds the violations to the audit annotation of the entry, with the namespace and the fields. */
static bool
annotate(const pipeline *apart, const char *key, const item_list *violations)
{
	limen_decision *decision = apart->decision;
	const char *namespace = field_or(&apart->request, LIMEN_FIELD_NAMESPACE, "");
	item_list texts = { .count = 0 };

	for (const violation_item *item = violations->first; item != NULL; item = item->next) {
		const limen_violation *found = &item->violation;
		const char *text = arena_printf(&decision->arena, "namespace %s, %s: %s%s%s", namespace,
		                                found->field, found->message,
		                                found->detail == NULL ? "" : "; ",
		                                found->detail == NULL ? "" : found->detail);

		if (!text_list_add(&texts, &decision->arena, text))
			return false;
	}
	return decision_annotate(decision, key, &texts);
}

bool
workload_refuse(pipeline *apart, const turn *current, const item_list *violations)
{
	workload_state *whole = apart->workload;
	limen_decision *decision = apart->decision;
	const char *name = current->target->name;
	const refusal because = { .name = name, .rule = current->rule, .violations = violations,
		                  .certain = current->applies == OUTCOME_YES };
	item_list messages;
	bool good = true;

	for (violation_item *item = violations->first; good && item != NULL; item = item->next)
		good = reword(whole->current, &item->violation, &decision->arena);
	if (!good || !annotate(apart, name, violations) ||
	    !text_list_unique(violations, MESSAGE_OFFSET, &decision->arena, &messages))
		return decision_no_memory(decision);
	if (current->rule->refuses_workloads)
		return refusal_make(whole->run, &because);
	item_list_append(&decision->warnings, &messages);
	return decision_observe(decision, name, "warn", NULL, violations) ||
	       decision_no_memory(decision);
}
