/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limit_ranger.h - an instance of the module, and the parts it hands a request
 * to: scope.c says whether it is one of ours, container_defaults.c and
 * default_patch.c change a pod, api_rules.c what manifests lack, enforce.c and
 * claim.c check pods and claims.
 */
#ifndef LIMEN_LIMITRANGER_LIMIT_RANGER_H
#define LIMEN_LIMITRANGER_LIMIT_RANGER_H

#include <limen/reply.h>
#include <limen/request.h>

#include "pod.h"
#include "range.h"

/* The option "report". */
enum {
	REPORT_FIRST = 0,
	REPORT_ALL = 1
};

/* The option "default-conflict". */
enum {
	CONFLICT_UPSTREAM = 0,
	CONFLICT_RAISE = 1,
	CONFLICT_SKIP = 2
};

/* The option "mirror-pods". */
enum {
	MIRROR_UPSTREAM = 0,
	MIRROR_EXEMPT = 1
};

typedef struct limit_ranger {
	limen_value manifests;
	const char *namespace;
	int report;
	int defaulting;
	int conflict;
	int mirror_pods;
	int order;
	range_set ranges;
} limit_ranger;

/* What of a request is to be looked at. */
typedef struct scope {
	bool is_pod; /* else a PersistentVolumeClaim */
	limen_value object;
	limen_value old; /* what to compare with, or none */
	const limit_range *ranges;
	size_t count;
} scope;

/*
 * LIMEN_PASS: 'out' is filled.  LIMEN_SKIP: nothing to do with LimitRanges.
 * LIMEN_ERROR: nobody said what the object is, or where.
 */
limen_verdict scope_find(scope *out, const limit_ranger *self, const limen_request *req,
                         limen_reply *reply);

/*
 * Notes in the containers of 'whole' what they are given, and stores the
 * LimitRange that gave something last (NULL: none did).  LIMEN_OK or LIMEN_ENOMEM.
 */
int container_defaults_collect(const limit_ranger *self, const scope *about,
                               const limen_request *req, pod *whole, const limit_range **last);

/* Returns 'quantity' as text in memory of the request, or NULL when that is short. */
char *addition_print(const limen_request *req, const limen_quantity *quantity);

/* Adds a copy of 'one' to 'list', with its text.  LIMEN_OK or LIMEN_ENOMEM. */
int addition_append(const limen_request *req, additions *list, const addition *one);

/*
 * As container_defaults_collect(), of what the API server gives the pod of a
 * manifest before it asks for LimitRanges.
 */
int api_rules_collect(const limen_request *req, pod *whole);

/*
 * Rounds what is finer than a thousandth in "resources" of the object 'node',
 * which has the pointer 'pointer'.  LIMEN_OK or LIMEN_ENOMEM.
 */
int api_rules_round(const limen_request *req, limen_reply *reply, const requirements *given,
                    limen_value node, const char *pointer);

/* Says where values in "resources" of the object at 'pointer' come from. */
void origin_report(limen_reply *reply, const char *pointer, side where, const resource *named,
                   const char *text);
void origin_report_all(limen_reply *reply, const char *pointer,
                       const additions added[SIDE_COUNT]);

/* Warns of values that the API server will not accept together (kubernetes 2.9). */
void container_defaults_warn(const pod *whole, bool manifest, limen_reply *reply);

/* Returns what a container has, given or added, or NULL. */
const limen_quantity *container_value(const container *which, side from, const resource *named);

/*
 * Turns what was collected into changes of the document; 'last' may be NULL.
 * LIMEN_OK or LIMEN_ENOMEM.
 */
int default_patch_write(const limen_request *req, const pod *whole, const limit_range *last,
                        limen_reply *reply);

/*
 * Returns the JSON text of the annotation about what 'last' gave, which the
 * caller frees, or NULL when memory is short.
 */
char *annotation_text(const pod *whole, const limit_range *last);

limen_verdict enforce_pod(const limit_ranger *self, const scope *about, const limen_request *req,
                          limen_reply *reply);
limen_verdict enforce_claim(const limit_ranger *self, const scope *about,
                            const limen_request *req, limen_reply *reply);

#endif
