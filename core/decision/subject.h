/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subject.h - the kinds of requests, a row each: how the value is read, which stages decide it, and
 * what is special in its answers.  The table is in pipeline.c.
 */
#ifndef LIMEN_CORE_DECISION_SUBJECT_H
#define LIMEN_CORE_DECISION_SUBJECT_H

#include <limen/request.h>

struct pipeline;

/* A stage returns false when the decision is settled. */
typedef bool stage_method(struct pipeline *run);

typedef struct stage {
	stage_method *run; /* NULL ends a list */
	bool (*is_wanted)(const struct pipeline *run); /* by the policy; NULL: always */
} stage;

typedef struct subject_row {
	limen_subject id;
	unsigned read_flags;    /* READ_* of texts */
	const stage *stages;    /* in order; a request that passes all is admitted */
	unsigned types;         /* bits by limen_type: values that can be decided */
	unsigned deleted_types; /* the same for the operation DELETE */
	int unfit_code;         /* of other values */
	const char *unfit;      /* the reason */
	bool unfit_names_type;  /* it ends with the type */
	bool needs_identification; /* without identifiers or classifiers it is refused */
	bool has_report;           /* the diagnostics of pScheduler */
	bool has_priority;
	bool has_phases;       /* changed and checked by a call each */
	bool is_resource;      /* of Kubernetes: fields may be unknown, reasons are in its words */
	bool tells_quotas;     /* what is left of rates */
	bool needs_document;   /* the caller goes on with the rewritten document */
} subject_row;

/* Returns the row of 'id', or NULL if there is none. */
const subject_row *subject_find(limen_subject id);

#endif
