/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constraint.h - holding one quantity against one bound, and saying in the words
 * of Kubernetes what is wrong with it.
 */
#ifndef LIMEN_LIMITRANGER_CONSTRAINT_H
#define LIMEN_LIMITRANGER_CONSTRAINT_H

#include "../limit_ranger.h"

/* An object as it was before something, by the names of its containers. */
typedef struct former {
	pod pod;                   /* without containers: there is nothing to compare with */
	const container **by_name; /* its containers, sorted */
} former;

/*
 * Reads 'document', a pod or else a claim, which may be none.  What cannot be read counts as none, so
 * that everything is checked.  Returns LIMEN_OK or LIMEN_ENOMEM; former_clear()
 * is due in both cases.
 */
int former_read(former *out, const limen_request *req, limen_value document, bool is_pod);
void former_clear(former *before);

/* Returns the container of the same name, or NULL if there was none. */
const container *former_container(const former *before, const container *now);

/* The checks of one request so far. */
typedef struct enforcement {
	const limit_ranger *self;
	const scope *about;
	const limen_request *request;
	limen_reply *reply;
	size_t violations;
	bool silent; /* report nothing more: there is no reply, or it says that there is more */
	deadline end;
	int result; /* anything but LIMEN_OK: the checks could not be finished */
	text_buffer text; /* the one being written */
	former *received; /* the pod as it came, with what it was given noted; NULL: not read yet */
} enforcement;

/* The owner of the checked resources: a container, or the pod or claim as a whole. */
typedef struct subject {
	enforcement *run;
	const limit_range *range;
	const range_item *item;
	const container *container; /* NULL: the whole */
	const resource *values[SIDE_COUNT]; /* of the resource; NULL: none */
} subject;

/* A list that bounds something. */
typedef struct constraint_row {
	size_t list;
	side first; /* which must be there, and is reported first */
	/* Checks one bound; 'bound' is the resource and the enforced value. */
	void (*check)(const subject *about, const struct constraint_row *row, const resource *bound);
} constraint_row;

void constraint_usage(const subject *about, const constraint_row *row, const resource *bound);
void constraint_ratio(const subject *about, const constraint_row *row, const resource *bound);

/* A value must be there because a default for it is ("defaulting": "require"). */
void constraint_required(const subject *about, const constraint_row *row, const resource *bound);

/*
 * Counts the violation reported last, of 'bound' in the list 'constraint', and
 * says what the exact message must not (violation.c).
 */
void violation_explain(const subject *about, const char *constraint, const resource *bound);

/* Says that what 'about' has of a resource cannot be told. */
void constraint_unknown(const subject *about, side which, const resource *bound);

#endif
