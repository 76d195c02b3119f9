/* SPDX-License-Identifier: Apache-2.0 */
/*
 * admit_turn.c - asks one entry of the admission chain in one of its halves, and
 * makes of its answer a change, a refusal, a warning or an annotation.
 */
#include "policy/policy.h"
#include "refusal.h"
#include "workload.h"
#include "base/utf8.h"

static const char *const phase_words[] = { [PHASE_MUTATE] = "mutate",
	                                   [PHASE_VALIDATE] = "validate" };

typedef limen_verdict admission_method(const void *self, const limen_request *req,
                                       limen_reply *reply);

turn
turn_of(const pipeline *run, size_t index, phase which)
{
	return (turn){ .target = &run->policy->admission.items[index],
		           .rule = &run->policy->admission_rules[index],
		           .phase = which };
}

static admission_method *
method_of(const turn *current)
{
	const module *asks = current->target->instance->module;

	return current->phase == PHASE_MUTATE ? asks->descriptor.admission.mutate
	                                    : asks->descriptor.admission.validate;
}

static const char *
field_or_empty(const limen_request *req, limen_field field)
{
	const char *text = limen_request_field(req, field);

	return text == NULL ? "" : text;
}

/* The field is NULL (unknown) if an object's caller left it out; tasks lack it, so it is "". */
static const char *
field_of_object(const limen_request *req, limen_field field)
{
	return req->subject->is_resource ? limen_request_field(req, field)
	                                 : field_or_empty(req, field);
}

static match_facts
collect_facts(const pipeline *run, const match *rule)
{
	const limen_request *req = &run->request;
	match_facts facts = {
		.operation = field_of_object(req, LIMEN_FIELD_OPERATION),
		.resource = field_of_object(req, LIMEN_FIELD_RESOURCE),
		.kind = field_of_object(req, LIMEN_FIELD_KIND),
		.subresource = field_or_empty(req, LIMEN_FIELD_SUBRESOURCE),
		.namespace = field_or_empty(req, LIMEN_FIELD_NAMESPACE),
		.name = field_or_empty(req, LIMEN_FIELD_NAME),
		.user = field_or_empty(req, LIMEN_FIELD_USER),
		.classified = run->classified,
	};

	facts.groups.items = limen_request_groups(req, &facts.groups.count);
	/* Making the document takes time: leave it out unless the rule reads it. */
	if (match_reads_objects(rule)) {
		facts.objects[0] = limen_request_document(req);
		facts.objects[1] = limen_request_old(req);
	}
	return facts;
}

static outcome
match_now(const pipeline *run, const match *rule)
{
	match_facts facts;

	if (rule->everything)
		return OUTCOME_YES;
	/* Facts are collected anew: earlier entries may have changed, say, the labels. */
	facts = collect_facts(run, rule);
	return match_request(rule, &facts);
}

bool
turn_applies(const pipeline *run, const turn *current)
{
	return match_now(run, &current->rule->match) != OUTCOME_NO;
}

static void
record_left_out(pipeline *run, const turn *current)
{
	arena *memory = &run->decision->arena;
	const match *rule = &current->rule->match;
	limen_step *step = step_begin(run, current->target->where, .kind = LIMEN_STEP_ADMISSION,
	                              .verdict = LIMEN_SKIP, .name = current->target->name,
	                              .phase = phase_words[current->phase]);
	match_facts facts;

	if (step == NULL)
		return;
	facts = collect_facts(run, rule);
	step->reason = match_reason(rule, &facts, memory);
	if (step->reason == NULL)
		run->decision->diagnostics.failed = true;
}

bool
turn_begin(pipeline *run, turn *current)
{
	current->applies = match_now(run, &current->rule->match);
	if (current->applies != OUTCOME_NO)
		return true;
	record_left_out(run, current);
	return false;
}

static bool
warn(limen_decision *decision, const char *name, const char *text)
{
	char *line = arena_printf(&decision->arena, "[%s] %s", name, text);

	utf8_one_line(line);
	return line != NULL && text_list_add(&decision->warnings, &decision->arena, line);
}

/* Says in each text which pods of a workload it is about, if it is about such pods. */
static bool
name_pods(const pipeline *run, const item_list *messages)
{
	arena *memory = &run->decision->arena;

	if (run->workload == NULL)
		return true;
	for (text_item *item = messages->first; item != NULL; item = item->next) {
		item->text = arena_printf(memory, "%s: %s", run->workload->current->words, item->text);
		if (item->text == NULL)
			return false;
	}
	return true;
}

/* An observing entry's findings go to the client, or to the audit log, and change nothing. */
static bool
observe(pipeline *run, const turn *current, const item_list *violations)
{
	limen_decision *decision = run->decision;
	const char *name = current->target->name;
	const char *pods = run->workload == NULL ? NULL : run->workload->current->words;
	bool audits = current->rule->enforce == ENFORCE_AUDIT;
	item_list messages;

	if (!text_list_unique(violations, MESSAGE_OFFSET, &decision->arena, &messages) ||
	    !name_pods(run, &messages) ||
	    (current->rule->enforce != ENFORCE_DENY &&
	     !decision_observe(decision, name, audits ? "audit" : "warn", pods, violations)))
		return decision_no_memory(decision);
	if (audits)
		return decision_annotate(decision, name, &messages) || decision_no_memory(decision);
	for (const text_item *item = messages.first; item != NULL; item = item->next)
		if (!warn(decision, name, item->text))
			return decision_no_memory(decision);
	return true;
}

/* Adds a violation to a refusal that has none: its reason, or a fixed text. */
static void
ensure_violation(const turn *current, call *result)
{
	const char *reason = result->reply.reason;

	if (result->reply.violations.count > 0)
		return;
	if (reason != NULL && reason[0] != '\0')
		limen_reply_violation(&result->reply, LIMEN_CLASS_FORBIDDEN, NULL, "%s", reason);
	else
		limen_reply_violation(&result->reply, LIMEN_CLASS_FORBIDDEN, NULL,
		                      "'%s' refuses without a reason", current->target->name);
}

static bool
refuse(pipeline *run, const turn *current, const call *result)
{
	const refusal because = {
		.name = current->target->name,
		.rule = current->rule,
		.violations = &result->reply.violations,
		.certain = current->applies == OUTCOME_YES,
	};

	return refusal_make(run, &because);
}

static bool
settle_refusal(pipeline *run, const turn *current, call *result, effect consequence)
{
	ensure_violation(current, result);
	if (result->reply.violations.count == 0)
		return decision_no_memory(run->decision);
	if (run->workload != NULL && consequence == EFFECT_STOP)
		return workload_refuse(run, current, &result->reply.violations);
	/* A lost violation leaves the code unknown, because its class decides the code. */
	if (consequence == EFFECT_STOP)
		return result->reply.violation_lost ? decision_no_memory(run->decision)
		                                 : refuse(run, current, result);
	return observe(run, current, &result->reply.violations);
}

static bool
settle_error(pipeline *run, const turn *current, const call *result, effect consequence)
{
	const char *text = arena_printf(&run->decision->arena, "cannot tell: %s",
	                                result->reply.reason);
	violation_item found = { .violation = { .message = text } };

	if (text == NULL)
		return decision_no_memory(run->decision);
	/* Pods that a workload would make are decided again when they are made. */
	if (consequence == EFFECT_OBSERVE || run->workload != NULL)
		return observe(run, current, &(item_list){ .first = &found, .count = 1 });
	decision_blame(run->decision, current->target->name);
	decision_refuse(run->decision, 500, "admission entry '%s' %s", current->target->name, text);
	decision_line(run->decision, "", "Admission entry '%s' %s", current->target->name, text);
	return false;
}

/* Counts what an entry says of a request: in its last half, or in that which ends it. */
static inline void
count_turn(const pipeline *run, const turn *current, unsigned result)
{
	if (current->phase == PHASE_VALIDATE || current->ended ||
	    run->phase == LIMEN_PHASE_MUTATE ||
	    current->target->instance->module->descriptor.admission.validate == NULL)
		pipeline_count(run, current->target->rule, result);
}

/* Returns how a finding counts.  Pods that a workload would make are only warned of, mostly. */
static unsigned
finding_of(const pipeline *run, const turn *current, const call *result, effect consequence)
{
	if (result->verdict == LIMEN_ERROR)
		return OUTCOME_UNKNOWN;
	return consequence == EFFECT_STOP &&
	                       (run->workload == NULL || current->rule->refuses_workloads)
	               ? OUTCOME_NO
	               : RULE_WOULD;
}

static bool
settle(pipeline *run, turn *current, call *result)
{
	bool ignores = current->rule->ignore_errors;
	effect consequence = admission_effect(current->rule->enforce, ignores, result->verdict);

	if (consequence == EFFECT_NEXT) {
		count_turn(run, current, OUTCOME_YES);
		return true;
	}
	current->ended = admission_effect(ENFORCE_DENY, ignores, result->verdict) == EFFECT_STOP;
	count_turn(run, current, finding_of(run, current, result, consequence));
	if (result->verdict == LIMEN_FAIL)
		return settle_refusal(run, current, result, consequence);
	return settle_error(run, current, result, consequence);
}

static void
fail(call *result, const char *why)
{
	result->verdict = LIMEN_ERROR;
	result->reply.reason = why;
}

/* The changes of an entry that only observes apply to its own copy alone. */
static bool
may_change(const pipeline *run, const turn *current, const call *result)
{
	return current->phase == PHASE_MUTATE && result->verdict == LIMEN_PASS &&
	       (current->rule->enforce == ENFORCE_DENY || run->rehearses);
}

static void
take_changes(pipeline *run, const turn *current, call *result)
{
	revision *revised;
	bool failed;

	if (!may_change(run, current, result))
		return;
	revised = reply_take_revision(&result->reply, &failed);
	if (failed) {
		fail(result, limen_result_text(LIMEN_ENOMEM));
	} else if (revised != NULL &&
	           limen_value_type(limen_request_document(&run->request)) != LIMEN_TYPE_OBJECT) {
		fail(result, "the module changes an object, but the request has none");
		revision_unref(revised);
	} else if (revised != NULL && !revision_is_object(revised)) {
		fail(result, "the module's result is not an object");
		revision_unref(revised);
	} else if (revised != NULL) {
		view_set_revision(&run->view, revised);
		if (!run->rehearses)
			item_list_append(&run->decision->origins, &result->reply.origins);
	}
	if (result->verdict == LIMEN_PASS)
		view_adopt_attachments(&run->view, &result->reply.attachments);
}

static void
run_method(pipeline *run, const turn *current, call *result)
{
	call_inputs inputs = call_inputs_of(run);

	inputs.may = current->phase == PHASE_MUTATE ? REPLY_MAY_CHANGE | REPLY_MAY_VIOLATE
	                                          : REPLY_MAY_VIOLATE;
	inputs.wants_origins = run->decision->wants_origins;
	inputs.observes = current->rule->enforce != ENFORCE_DENY;
	call_run(result, current->target, method_of(current), &inputs);
}

bool
turn_has_method(const turn *current)
{
	return method_of(current) != NULL;
}

void
turn_change(pipeline *run, const turn *current)
{
	call result;

	run_method(run, current, &result);
	take_changes(run, current, &result);
	call_finish(&result);
}

bool
turn_ask(pipeline *run, turn *current)
{
	call result;
	bool good;

	run_method(run, current, &result);
	result.phase = phase_words[current->phase];
	take_changes(run, current, &result);
	/* An entry that only observes must not make clients wait. */
	if (current->rule->enforce != ENFORCE_DENY)
		result.reply.retry_after = -1;
	if (run->workload == NULL)
		call_record(run, current->target, LIMEN_KIND_ADMISSION, &result);
	good = settle(run, current, &result);
	/* A warning that pods of a workload would be refused stands before what explains it. */
	if (run->workload != NULL)
		call_record(run, current->target, LIMEN_KIND_ADMISSION, &result);
	call_finish(&result);
	return good;
}
