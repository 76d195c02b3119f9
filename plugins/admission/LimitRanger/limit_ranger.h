/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limit_ranger.h - an instance of the module, and the parts it hands a request
 * to: scope.c says whether it is one of ours, item_scope.c which items are about
 * it, defaults.c and patch.c change a pod, api_rules.c what manifests lack, enforce.c
 * checks pods and claims.
 */
#ifndef LIMEN_LIMITRANGER_LIMIT_RANGER_H
#define LIMEN_LIMITRANGER_LIMIT_RANGER_H

#include <limen/option.h>
#include <limen/reply.h>
#include <limen/request.h>

#include "cluster/cluster.h"
#include "pod/pod.h"
#include "range/range.h"
#include "pod/text.h"

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
	limen_strings files;
	const char *namespace;
	int report;
	int defaulting;
	int conflict;
	int mirror_pods;
	int order;
	limen_value cluster_option;
	range_set ranges;
	cluster *cluster; /* NULL: 'ranges' are all there are */
} limit_ranger;

/* What of a request is to be looked at. */
typedef struct scope {
	bool is_pod; /* else a PersistentVolumeClaim */
	limen_value object;
	limen_value old; /* what to compare with, or none */
	const limit_range *const *ranges;
	size_t count;
	const char *namespace;
	const char *name; /* of the request; may be NULL */
	const cluster *cluster; /* that 'ranges' were taken from, or NULL */
	unsigned turn;
} scope;

/* Notes what of the options and the LimitRanges is not as in Kubernetes. */
void notes_add(const limit_ranger *self, limen_opening *opening, limen_diag *diag);

/*
 * LIMEN_PASS: 'out' is filled, and to be left.  LIMEN_SKIP: nothing to do with
 * LimitRanges.  LIMEN_ERROR: nobody said what the object is, or where, or what the
 * cluster holds for it.
 */
limen_verdict scope_find(scope *out, const limit_ranger *self, const limen_request *req,
                         limen_reply *reply);

/* Is the item about objects of this kind? */
bool scope_has_item(const scope *about, const range_item *item);

/* The LimitRanges of a cluster may change from now on. */
void scope_leave(const scope *about);

/* Is the item about the object?  What cannot be told is not left out.  False if time is over. */
bool item_selects(const range_item *item, const scope *about, deadline *end);

/* Likewise, about this container of an object that it selects? */
bool item_has_container(const range_item *item, const container *one, deadline *end);

/*
 * How much a pod is given at most: with their names and the annotation that tells of them
 * values take some 30 bytes each in the object, of which etcd takes 1.5 MiB.
 */
#define ADDITIONS_MAX      50000
#define TOO_MANY_ADDITIONS "LimitRanges give a pod at most 50000 values"

/*
 * Notes in the containers of 'whole' what they are given, and stores the
 * LimitRange that gave something last (NULL: none did).  LIMEN_OK, LIMEN_ENOMEM, or
 * LIMEN_ERANGE if that is too much, or 'end' has passed.
 */
int container_defaults_collect(const limit_ranger *self, const scope *about, deadline *end,
                               pod *whole, const limit_range **last);

/* Adds a copy of 'one', with its text, at the end.  LIMEN_OK or LIMEN_ENOMEM. */
int addition_append(const limen_request *req, additions *list, const addition *one);

/*
 * As container_defaults_collect(), of what the API server gives the pod of a
 * manifest before it asks for LimitRanges.
 */
int api_rules_collect(const limen_request *req, pod *whole);

/*
 * Rounds what is finer than a thousandth in "resources" of the object 'node',
 * which has the pointer 'pointer'.
 */
void api_rules_round(limen_reply *reply, const requirements *given, limen_value node,
                     const char *pointer);

/* Says where values in "resources" of the object at 'pointer' come from. */
void origin_report(limen_reply *reply, const char *pointer, side where, const resource *named,
                   const char *text);

/* What origin_report() says of 'one', in at most ORIGIN_MAX bytes. */
#define ORIGIN_MAX 512
void origin_text(const addition *one, side where, char out[ORIGIN_MAX]);
void origin_report_all(limen_reply *reply, const char *pointer, const container *which);

/* Warns of values that the API server will not accept together (kubernetes 2.9). */
void container_defaults_warn(const pod *whole, const limen_request *req, limen_reply *reply);

/*
 * Returns what the API server will object to in what a container has of a resource, or NULL;
 * 'added': a LimitRange gave it a value.
 */
const char *container_objection(const container *which, const resource *named, bool added);

/*
 * Turns what was collected into changes of the document; 'last' may be NULL.
 * LIMEN_OK or LIMEN_ENOMEM.
 */
int default_patch_write(const limen_request *req, const pod *whole, const limit_range *last,
                        limen_reply *reply);

/* Adds the text of the annotation about what 'last' gave, escaped as JSON unless 'out' is plain. */
void annotation_write(json_text *out, const pod *whole, const limit_range *last);

/* Does such an account in 'document' name this value of a container? */
bool annotation_names(limen_value document, const container *which, side from,
                      const resource *named);

/* Does a container keep the bounds of an item? */
bool enforce_defaults(const range_item *item, const container *one);

/*
 * Does a pod with what it was given keep all bounds?  Most do, and then it need not be read
 * again.  False where that cannot be told.
 */
bool enforce_known(const limit_ranger *self, const scope *about, const limen_request *req,
                   const pod *known);

/* Holds the object of a request against LimitRanges. */
limen_verdict enforce(const limit_ranger *self, const scope *about, const limen_request *req,
                      limen_reply *reply);

#endif
