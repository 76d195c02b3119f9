/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.h - which requests an admission entry is about: the key "match".
 *
 * Pure: patterns on one side, facts on the other, three values as the answer.
 * What the caller did not tell, and a classifier that could not tell, make the
 * answer OUTCOME_UNKNOWN, which an entry has to treat as "applies".
 */
#ifndef LIMEN_CORE_POLICY_MATCH_H
#define LIMEN_CORE_POLICY_MATCH_H

#include <limen/option.h>
#include <limen/selector.h>

#include "compiled.h"
#include "require.h"

/* What is to be known about a request. */
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
	/* The object as it is and as it was; of a type other than object: there is none. */
	limen_value objects[2];
	const outcome *classified; /* by classifier */
} match_facts;

/* Does any of 'patterns', in which "*" stands for anything, match the text? */
bool match_any(const limen_strings *patterns, const char *text, size_t length);

/* Does it matter to the rule what the object itself says? */
bool match_reads_objects(const match *rule);

/* Is the request with 'facts' one of those 'rule' describes? */
outcome match_request(const match *rule, const match_facts *facts);

/*
 * The parts of it that the object itself tells, its labels and the rest: an update
 * has two, of which either may be the one that is meant, but both must be what is
 * 'exempting'.
 */
outcome match_labels(const match_terms *terms, const match_facts *facts, bool exempting);
outcome match_object(const match_terms *terms, const match_facts *facts, bool exempting);

#endif
