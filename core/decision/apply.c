/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply.c - evaluates the applications in order, until one passes or stops
 * the list.
 */
#include "pipeline.h"

#include "module/module.h"
#include "policy/policy.h"
#include "reserve.h"

/* An application that failed, for the refusal's one-line reason. */
typedef struct failure {
	const application *application; /* NULL: none applied */
	size_t number;                  /* from 1 */
	const char *limit;              /* the most telling failed limit; may be NULL */
	const char *reason;
	bool own; /* 'reason' is the limit's own */
	bool by_rates; /* the group that failed would have been met without its rates */
	limen_duration wait; /* until that group may be met; -1: not known, or waiting does not help */
} failure;

/* The outcome of one limit. */
typedef struct limit_result {
	outcome outcome;
	const char *reason; /* if it did not pass; "" if none was given */
	bool own;           /* 'reason' is the limit's own, not that of an inversion */
	bool is_rate;       /* it counts, and what it counts is used up */
	limen_duration wait; /* until it may pass; -1: it did not say */
} limit_result;

static void
run_limit(pipeline *run, const entry *target, call *result)
{
	call_inputs inputs = call_inputs_of(run);

	inputs.observes = run->rehearses || target->observes;
	call_run(result, target, target->instance->module->descriptor.limit.check, &inputs);
	/* A limit that only observes must not make clients wait. */
	if (inputs.observes)
		result->reply.retry_after = -1;
}

/* The reason of a limit that did not pass, in pScheduler's words. */
static const char *
failure_reason(pipeline *run, const entry *target, const call *result)
{
	bool explains = result->outside || (target->instance->flags & LIMEN_MODULE_WHOLE_REASONS) != 0;

	if (result->verdict == LIMEN_ERROR && !explains) {
		const char *text = arena_printf(&run->decision->arena,
		                                "Limit %s threw an exception:\n%s", target->name,
		                                result->reply.reason);

		return text == NULL ? "" : text;
	}
	if (result->verdict == LIMEN_PASS)
		return "Passed but inverted";
	return result->reply.reason == NULL ? "" : result->reply.reason;
}

/* Puts a limit that counts as passed into the trace, where users look for the reason. */
static void
record_skipped(pipeline *run, const entry *target)
{
	call result = { .verdict = LIMEN_SKIP };

	reply_start(&result.reply, &run->decision->arena, &run->request);
	result.reply.reason = "for runs only: a task passes";
	call_record(run, target, LIMEN_KIND_LIMIT, &result);
	call_finish(&result);
}

/* Counts what a limit or an application says; 'observes': it decides nothing. */
static void
count_outcome(const pipeline *run, size_t rule, bool observes, outcome result)
{
	observes = observes || run->rehearses;
	pipeline_count(run, rule, observes && result == OUTCOME_NO ? RULE_WOULD : result);
}

static limit_result
check_limit(pipeline *run, const entry *target)
{
	limit_result result = { .outcome = OUTCOME_YES };
	call answer;

	/* "not evaluated and will be considered to have passed" for a task (run-daterange). */
	if ((target->instance->flags & LIMEN_MODULE_RUNS_ONLY) &&
	    !limen_request_is_run(&run->request)) {
		record_skipped(run, target);
		return result;
	}
	run_limit(run, target, &answer);
	call_record(run, target, LIMEN_KIND_LIMIT, &answer);
	result.outcome = verdict_outcome(LIMEN_KIND_LIMIT, answer.verdict, target->invert);
	count_outcome(run, target->rule, target->observes, result.outcome);
	if (result.outcome != OUTCOME_YES) {
		result.reason = failure_reason(run, target, &answer);
		result.own = answer.verdict != LIMEN_PASS && result.reason[0] != '\0';
		result.is_rate = answer.verdict == LIMEN_FAIL && target->instance->tables != NULL;
		result.wait = answer.reply.retry_after;
	}
	call_finish(&answer);
	return result;
}

/* Records why a rule that only observes would have refused. */
static void
observe(pipeline *run, const char *rule, const char *reason)
{
	limen_decision *decision = run->decision;
	annotation_item item = { .annotation = { rule, reason } };
	violation_item violation = { .violation = { .message = reason } };
	const item_list said = { .first = &item, .count = 1 };
	const item_list found = { .first = &violation, .count = 1 };

	/* Several applications may ask a limit: the same reason is said once. */
	if (rule == NULL || reason == NULL ||
	    !decision_observe(decision, rule, "audit", NULL, &found) ||
	    !decision_take_annotations(decision, &said))
		run->view.failed = true;
}

/* Evaluates the limits of a group that decide nothing. */
static void
check_observing(pipeline *run, const group *target)
{
	for (size_t i = 0; i < target->observing.count; i++) {
		const entry *limit = &run->policy->limits.items[target->observing.items[i]];
		limit_result result = check_limit(run, limit);

		if (result.outcome != OUTCOME_YES)
			observe(run, limit->name, result.own ? result.reason : "failed");
	}
}

/* A limit with its own reason replaces one that passed but is inverted. */
static void
note_failure(failure *why, const entry *target, const limit_result *result)
{
	if (why->limit != NULL && (why->own || !result->own))
		return;
	why->limit = target->name;
	why->reason = result->reason;
	why->own = result->own;
}

static void
blame_group(const pipeline *run, const group *target, const limit_result *results,
            const tally *count, failure *why)
{
	for (size_t i = 0; i < target->limits.count; i++)
		if (require_misses(target->require, count, results[i].outcome))
			note_failure(why, &run->policy->limits.items[target->limits.items[i]],
			             &results[i]);
}

/* Would the group be met if its rates had passed? */
static bool
fails_by_rates(const group *target, const limit_result *results)
{
	tally count = { 0, 0, 0 };

	for (size_t i = 0; i < target->limits.count; i++)
		tally_add(&count, results[i].is_rate ? OUTCOME_YES : results[i].outcome);
	return require_outcome(target->require, &count) == OUTCOME_YES;
}

/*
 * How long must a client wait for a group that failed?  Until the last of its limits may pass, or
 * the first where one is enough.
 */
static limen_duration
find_wait(const group *target, const limit_result *results)
{
	limen_duration wait = -1;

	for (size_t i = 0; i < target->limits.count; i++) {
		limen_duration own = results[i].outcome == OUTCOME_YES ? -1 : results[i].wait;

		if (wait < 0 || (own >= 0 && (own > wait) != (target->require == REQUIRE_ANY)))
			wait = own;
	}
	return wait;
}

/* Writes the report lines of a group in which a limit did not pass. */
static void
tell_group(pipeline *run, const group *target, size_t number, const limit_result *results)
{
	for (size_t i = 0; i < target->limits.count; i++) {
		const entry *limit = &run->policy->limits.items[target->limits.items[i]];

		if (results[i].outcome == OUTCOME_YES)
			wording_passed(&run->decision->diagnostics, number, limit->name);
		else
			decision_line(run->decision, "  ", "Group %zu: Limit '%s' failed: %s",
			              number, limit->name, results[i].reason);
	}
}

static void
tell(pipeline *run, const phrase *lines)
{
	if (run->decision->wants_diagnostics)
		account_lines(&run->decision->diagnostics, lines->text, lines->length);
}

/* All limits of a group are evaluated, whatever the first ones say. */
static outcome
check_group(pipeline *run, const group *target, size_t number, failure *why)
{
	size_t total = target->limits.count;
	limit_result *results = arena_alloc(&run->decision->arena, total * sizeof(*results));
	tally count = { 0, 0, 0 };
	outcome met;

	if (results == NULL)
		return OUTCOME_UNKNOWN;
	for (size_t i = 0; i < total; i++) {
		const entry *limit = &run->policy->limits.items[target->limits.items[i]];

		results[i] = check_limit(run, limit);
		tally_add(&count, results[i].outcome);
	}
	check_observing(run, target);
	met = require_outcome(target->require, &count);
	if (count.yes == total) {
		tell(run, &target->all_passed);
		return met;
	}
	if (met != OUTCOME_YES)
		blame_group(run, target, results, &count, why);
	why->by_rates = met == OUTCOME_NO && fails_by_rates(target, results);
	why->wait = why->by_rates || met == OUTCOME_UNKNOWN ? find_wait(target, results) : -1;
	if (!run->decision->wants_diagnostics)
		return met;
	tell_group(run, target, number, results);
	wording_group(&run->decision->diagnostics, target, number, &count, met);
	return met;
}

/* Does 'target' apply to who is asking? */
static outcome
membership(const pipeline *run, const application *target)
{
	if (target->classifier == CLASSIFIER_ANYONE)
		return OUTCOME_YES;
	return run->classified[target->classifier];
}

static const char *
asked_by(const pipeline *run, const application *target)
{
	return target->classifier == CLASSIFIER_ANYONE
	               ? NULL
	               : run->policy->classifiers[target->classifier].name;
}

/* Records the step as an error, or as skipped if the application does not apply. */
static limen_step *
begin_application(pipeline *run, const application *target, size_t number, outcome member)
{
	run->application = (unsigned)number;
	return step_begin(run, target->where, .kind = LIMEN_STEP_APPLICATION,
	                  .verdict = member == OUTCOME_NO ? LIMEN_SKIP : LIMEN_ERROR,
	                  .inverted = target->invert, .stops = target->stop_on_failure,
	                  .observes = target->observes,
	                  .name = target->description, .classifier = asked_by(run, target),
	                  .application = run->application);
}

static outcome
check_groups(pipeline *run, const application *target, failure *why)
{
	outcome met = OUTCOME_YES;

	run->view.asking = asked_by(run, target);
	for (size_t i = 0; i < target->group_count && met == OUTCOME_YES; i++) {
		limen_step *step;

		run->group = (unsigned)i + 1;
		step = step_begin(run, target->where, .kind = LIMEN_STEP_GROUP,
		                  .require = require_words[target->groups[i].require],
		                  .application = run->application, .group = run->group);
		met = check_group(run, &target->groups[i], i + 1, why);
		step_end(step, met);
	}
	run->view.asking = NULL;
	return met;
}

static outcome
check_application(pipeline *run, const application *target, failure *why)
{
	outcome met;

	tell(run, &target->heading);
	if (membership(run, target) == OUTCOME_UNKNOWN)
		decision_line(run->decision, "  ", "Cannot tell whether classifier '%s' is met",
		              run->policy->classifiers[target->classifier].name);
	met = check_groups(run, target, why);
	why->by_rates = why->by_rates && !target->invert && membership(run, target) == OUTCOME_YES;
	if (met == OUTCOME_NO && !why->by_rates)
		why->wait = -1;
	run->limited = run->limited || why->by_rates;
	met = outcome_invert(met, target->invert);
	tell(run, met == OUTCOME_YES ? &target->passes : &target->fails);
	return met;
}

static const char *
label(const pipeline *run, const failure *why)
{
	const char *text = why->application->description;

	if (text != NULL)
		return arena_printf(&run->decision->arena, "application '%s'", text);
	return arena_printf(&run->decision->arena, "application %zu", why->number);
}

/* Returns which limit failed, and why; NULL: none did, or memory is short. */
static const char *
describe_limit(const pipeline *run, const failure *why)
{
	bool has_reason = why->reason != NULL && why->reason[0] != '\0';

	return why->limit == NULL ? NULL
	                          : arena_printf(&run->decision->arena, "limit '%s' failed%s%s",
	                                         why->limit, has_reason ? ": " : "",
	                                         has_reason ? why->reason : "");
}

static void
give_reason(pipeline *run, const failure *why)
{
	const char *limit = describe_limit(run, why);

	int code = verdict_code(run->uncertain, run->limited);

	/* A failed identifier is the reason: which applications apply is unknown. */
	if (run->unsure != NULL &&
	    identify_blame(run, &run->policy->classifiers[run->unsure->classifier].identifiers))
		return;
	if (why->limit != NULL)
		decision_blame(run->decision, why->limit);
	if (why->application == NULL)
		decision_refuse(run->decision, code, "no application applies to the requester");
	else if (limit == NULL)
		decision_refuse(run->decision, code, "%s fails", label(run, why));
	else
		decision_refuse(run->decision, code, "%s fails: %s", label(run, why), limit);
}

static bool
refuse(pipeline *run, const failure *why)
{
	give_reason(run, why);
	decision_say(run->decision, "Proposal does not meet limits");
	if (run->request.subject->has_priority)
		prioritize_default(run);
	return false;
}

static bool
accept(pipeline *run, const application *target)
{
	const phrase *reason = &target->admits;

	run->decision->reason = arena_strndup(&run->decision->arena, reason->text, reason->length);
	if (run->decision->reason == NULL)
		return decision_no_memory(run->decision);
	decision_say(run->decision, "Passed one application.  Stopping.");
	decision_say(run->decision, "Proposal meets limits");
	return true;
}

/*
 * Evaluates one application.  If it is unknown whether an application with
 * stop-on-failure applies, it is evaluated all the same and stops the list unless it
 * passes: a failed identifier must not bypass it.  Passing then does not admit.
 */
static effect
weigh(pipeline *run, const application *target, outcome member, failure *why)
{
	struct reservation *mark = run->decision->reservations;
	limen_step *step = begin_application(run, target, why->number, member);
	outcome met;
	effect consequence;

	run->uncertain = run->uncertain || member == OUTCOME_UNKNOWN;
	if (member == OUTCOME_UNKNOWN && run->unsure == NULL)
		run->unsure = target;
	if (!application_is_asked(target, member))
		return EFFECT_NEXT;
	met = check_application(run, target, why);
	/* If the limits pass, the step ends unknown unless the application certainly applies. */
	step_end(step, met == OUTCOME_YES ? member : met);
	count_outcome(run, target->rule, false, outcome_both(member, met));
	consequence = application_effect(target, member, met);
	if (consequence == EFFECT_ADMIT)
		return consequence;
	/* Later applications may ask the same limits, so their tokens are given back. */
	if (run->decision->reservations != mark)
		store_give_back(run->decision, mark, view_bucket_time(&run->view));
	if (met != OUTCOME_YES)
		why->application = target;
	run->uncertain = run->uncertain || met == OUTCOME_UNKNOWN;
	return consequence;
}

/*
 * Evaluates an application that only observes, in a copy of the pipeline: of what it finds, the
 * decision keeps the trace and an annotation.  Where it would admit, its takes stay.
 */
static void
rehearse(pipeline *run, const application *target, size_t number)
{
	limen_decision *decision = run->decision;
	struct reservation *mark = decision->reservations;
	bool wants_diagnostics = decision->wants_diagnostics;
	failure why = { .application = target, .number = number };
	outcome member = membership(run, target);
	limen_step *step = begin_application(run, target, number, member);
	revision *newest = run->view.newest;
	pipeline apart;
	outcome met;

	if (!application_is_asked(target, member))
		return;
	pipeline_fork(run, &apart, run->view.arena, newest == NULL ? NULL : revision_ref(newest));
	apart.rehearses = true;
	decision->wants_diagnostics = false;
	met = check_application(&apart, target, &why);
	decision->wants_diagnostics = wants_diagnostics;
	count_outcome(run, target->rule, true, met);
	step_end(step, met == OUTCOME_YES ? member : met);
	if (met != OUTCOME_YES || member != OUTCOME_YES)
		store_give_back(decision, mark, view_bucket_time(&run->view));
	/* The rest stays charged, however the request ends. */
	for (reservation *taken = decision->reservations; taken != mark; taken = taken->next)
		taken->rehearsed = true;
	if (met != OUTCOME_YES)
		observe(run, label(run, &why), why.limit == NULL ? "fails" : describe_limit(run, &why));
	run->view.failed = run->view.failed || apart.view.failed;
	view_finish(&apart.view);
}

/* Applications are alternatives: the client may pass as soon as the first of them lets it. */
static void
note_wait(limen_decision *decision, const failure *why)
{
	if (why->wait >= 0 && (decision->retry_after < 0 || why->wait < decision->retry_after))
		decision->retry_after = why->wait;
}

static bool
tells_more(const failure *later, const failure *first)
{
	return (first->limit != NULL && !first->own && later->own) ||
	       (later->by_rates && !first->by_rates);
}

bool
apply(pipeline *run)
{
	/*
	 * The first failed application is reported, because the list goes from the particular
	 * to the general, unless a later one has a reason from the limit itself, or failed by
	 * its rates, which the code then says.
	 */
	failure first = { .application = NULL };
	bool applied = false;

	for (size_t i = 0; i < run->policy->application_count; i++) {
		const application *target = &run->policy->applications[i];
		outcome member = membership(run, target);
		failure why = { .number = i + 1, .wait = -1 };
		effect consequence;

		if (target->observes) {
			rehearse(run, target, i + 1);
			continue;
		}
		consequence = weigh(run, target, member, &why);
		applied = applied || member == OUTCOME_YES;
		if (consequence == EFFECT_ADMIT)
			return accept(run, target);
		note_wait(run->decision, &why);
		if (consequence == EFFECT_STOP) {
			decision_say(run->decision, "Failed; stop forced");
			return refuse(run, &why);
		}
		if (first.application == NULL || tells_more(&why, &first))
			first = why;
	}
	if (!applied)
		decision_say(run->decision, "");
	return refuse(run, &first);
}
