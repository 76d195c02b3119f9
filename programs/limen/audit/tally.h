/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tally.h - what an audit has found: counts for each namespace, and findings, in each of which
 * all pods of one owner stand that a rule treats alike.
 */
#ifndef LIMEN_PROGRAM_TALLY_H
#define LIMEN_PROGRAM_TALLY_H

#include <glib.h>
#include <stdbool.h>

/* The outcome for an object, worst first. */
typedef enum tally_kind {
	TALLY_REFUSED,
	TALLY_CHANGED,  /* it would get other resources than it has */
	TALLY_UNJUDGED, /* no entry of the policy looked at it */
	TALLY_WARNING,  /* about the namespace itself */
	TALLY_KINDS
} tally_kind;

/* "refused", "changed", "not judged", "warning"; and as members of JSON. */
extern const char *const tally_words[TALLY_KINDS];
extern const char *const tally_members[TALLY_KINDS];

/* The texts of a finding; "" if there is none. */
typedef enum tally_text {
	TALLY_NAMESPACE,
	TALLY_OWNER,     /* "Deployment/web" */
	TALLY_CONTAINER,
	TALLY_RULE,      /* which rule is missed or changes the object */
	TALLY_MESSAGE,
	TALLY_TEXTS
} tally_text;

/* The texts' names in JSON. */
extern const char *const tally_text_names[TALLY_TEXTS];

typedef struct tally_finding {
	tally_kind kind;
	const char *texts[TALLY_TEXTS];
	size_t pods; /* that exist; 0: only a template, or a claim */
	bool known;  /* the other side of the comparison has it, too */
} tally_finding;

typedef struct tally_namespace {
	const char *name;
	size_t objects;
	size_t counts[TALLY_KINDS];
	bool pods;     /* it has some */
	GArray *quotas; /* texts: resources that a ResourceQuota is about; NULL: none */
} tally_namespace;

/* Objects that are left out of the audit. */
typedef enum tally_left {
	TALLY_FINISHED,
	TALLY_MIRRORS,
	TALLY_DELETED,
	TALLY_CONTROLLED, /* ReplicaSets and Jobs whose controller is judged */
	TALLY_LEFTS
} tally_left;

extern const char *const tally_left_words[TALLY_LEFTS];

typedef struct tally {
	GStringChunk *texts;
	GHashTable *namespaces; /* by name */
	GHashTable *findings;   /* a set of tally_finding, by kind and texts */
	GHashTable *owners;     /* "NAMESPACE/KIND/NAME" of an object to "KIND/NAME" of its controller */
	size_t objects;
	size_t counts[TALLY_KINDS];
	size_t left[TALLY_LEFTS];
	/* Since tally_finish(), worst first: */
	GPtrArray *sorted_namespaces;
	GPtrArray *sorted_findings;
	GPtrArray *rules; /* findings that stand for the rules that refuse; 'pods' of each is the sum */
} tally;

void tally_start(tally *self);
void tally_clear(tally *self);

tally_namespace *tally_find_namespace(tally *self, const char *name);

/* Counts an object of 'namespace' as the worst of the kinds in 'found'. */
void tally_count(tally *self, const char *namespace, const bool found[TALLY_KINDS]);

/* Adds a finding of so many pods, or adds the pods to the one with these texts, which are copied. */
void tally_add(tally *self, const tally_finding *finding);

/* Notes the controller of an object, such as the CronJob of a Job. */
void tally_set_owner(tally *self, const char *namespace, const char *object,
                     const char *controller);

/*
 * Ends the counting.  Replaces owners by their controllers, so that the findings of a CronJob's Jobs
 * become one, and sorts everything.
 */
void tally_finish(tally *self);

/* Marks each finding of 'self' that 'other' has, too. */
void tally_compare(tally *self, const tally *other);

#endif
