/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.h - decides whether a request matches an admission entry: the key "match".
 *
 * Pure: patterns on one side, facts on the other, three values as the answer.  Facts
 * that the caller left out and classifiers that failed make the answer OUTCOME_UNKNOWN,
 * which an entry must treat as "applies".
 */
#ifndef LIMEN_CORE_POLICY_MATCH_H
#define LIMEN_CORE_POLICY_MATCH_H

#include <limen/option.h>
#include <limen/selector.h>

#include "base/arena.h"
#include "compiled.h"
#include "option/option.h"
#include "verdict.h"

/* The facts about one request that rules compare; all texts are borrowed. */
typedef struct match_facts {
	/* NULL: the caller did not say. */
	const char *operation;
	const char *resource;
	const char *kind;
	/* "": there is none. */
	const char *subresource;
	const char *namespace;
	const char *name;
	const char *user;
	limen_strings groups;
	/* The new and the old object; a value of any other type means that there is none. */
	limen_value objects[2];
	const outcome *classified; /* by classifier */
} match_facts;

/* Does 'rule' read the object itself, such as its labels? */
bool match_reads_objects(const match *rule);

/* Is the request with 'facts' one of those 'rule' describes? */
outcome match_request(const match *rule, const match_facts *facts);

/*
 * Returns which key of 'match', or which 'not', leaves the request out, for the trace:
 * match_request() must have returned OUTCOME_NO.  NULL when memory is short.
 */
const char *match_reason(const match *rule, const match_facts *facts, arena *memory);

/*
 * Match the terms that read the object: labels, and the rest.  An update has two
 * objects: one that matches is enough for a rule, but an exception ('exempting') must
 * match both.
 */
outcome match_labels(const match_terms *terms, const match_facts *facts, bool exempting);
outcome match_object(const match_terms *terms, const match_facts *facts, bool exempting);

#endif
