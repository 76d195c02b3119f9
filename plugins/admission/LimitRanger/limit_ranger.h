/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limit_ranger.h - an instance of the module, and its parts: scope.c finds the object of
 * a request, item_scope.c the items that apply to it, defaults.c and patch.c change a pod,
 * api_rules.c completes manifests, enforce.c checks pods and claims.
 */
#ifndef LIMEN_LIMITRANGER_LIMIT_RANGER_H
#define LIMEN_LIMITRANGER_LIMIT_RANGER_H

#include <limen/option.h>
#include <limen/reply.h>
#include <limen/request.h>

#include "cluster/cluster.h"
#include "pod/pod.h"

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

/* The option "updates". */
enum {
	UPDATES_ALL = 0,
	UPDATES_CHANGED = 1
};

typedef struct limit_ranger {
	limen_value manifests;
	limen_strings files;
	const char *namespace;
	int report;
	int defaulting;
	int conflict;
	int mirror_pods;
	int updates;
	int order;
	limen_value cluster_option;
	range_set ranges;
	cluster *cluster; /* NULL: 'ranges' holds all LimitRanges */
} limit_ranger;

/* The object of a request and the LimitRanges of its namespace. */
typedef struct scope {
	bool is_pod; /* else a PersistentVolumeClaim */
	limen_value object;
	limen_value old; /* of an update; or none */
	const limit_range *const *ranges;
	size_t count;
	const char *namespace;
	const char *name; /* of the request; may be NULL */
	cluster *cluster; /* that 'ranges' were taken from, or NULL */
	unsigned turn;
	cluster_list *list; /* that they were taken from; NULL: the watch knows some */
} scope;

/* Adds notes about options and LimitRanges that differ from Kubernetes. */
void notes_add(const limit_ranger *self, limen_opening *opening, limen_diag *diag);

/*
 * LIMEN_PASS: 'out' is filled; scope_leave() is due.  LIMEN_SKIP: LimitRanges do not
 * apply.  LIMEN_ERROR: the kind or the namespace is unknown, or the LimitRanges of the
 * cluster are.
 */
limen_verdict scope_find(scope *out, const limit_ranger *self, const limen_request *req,
                         limen_reply *reply);

/* Is all known that scope_find() needs?  If not, the waker of the request will be called. */
bool scope_ready(const void *self, const limen_request *req);

/* Is the item about objects of this kind? */
bool scope_has_item(const scope *within, const range_item *item);

/* Releases the LimitRanges of a cluster. */
void scope_leave(const scope *within);

/* Returns true if the item applies to the object or may do so; false after the deadline. */
bool item_selects(const range_item *item, const scope *within, deadline *end);

/* Likewise for a container of an object that the item selects. */
bool item_has_container(const range_item *item, const container *one, deadline *end);

/*
 * Cap on the values added to a pod.  Each takes some 30 bytes in the object, with its name
 * and its part of the annotation; etcd accepts 1.5 MiB.
 */
#define ADDITIONS_MAX      50000
#define TOO_MANY_ADDITIONS "LimitRanges give a pod at most 50000 values"

/*
 * Adds the defaults to the containers of 'whole', and stores the last LimitRange that
 * gave any (NULL: none did).  LIMEN_OK, LIMEN_ENOMEM, or LIMEN_ERANGE over the cap or
 * after 'end'.
 */
int container_defaults_collect(const limit_ranger *self, const scope *within, deadline *end,
                               pod *whole, const limit_range **last);

/* Adds a copy of 'one', with its text, at the end.  LIMEN_OK or LIMEN_ENOMEM. */
int addition_append(const limen_request *req, resource_list *list, const resource *one);

/*
 * As container_defaults_collect(), for the values that the API server adds to the pod
 * of a manifest before LimitRanges apply.  LIMEN_ERANGE: only after 'end'.
 */
int api_rules_collect(deadline *end, pod *whole);

/*
 * Rounds what is finer than a thousandth in "resources" of the object 'node',
 * which has the pointer 'pointer'.
 */
void api_rules_round(limen_reply *reply, const requirements *given, limen_value node,
                     const char *pointer);

/* Says where values in "resources" of the object at 'pointer' come from. */
void origin_report(limen_reply *reply, const char *pointer, side where, const resource *named,
                   const char *text);

/* Writes the text of origin_report() about 'one', in at most ORIGIN_MAX bytes. */
#define ORIGIN_MAX 512
void origin_text(const resource *one, side where, char out[ORIGIN_MAX]);
void origin_report_all(limen_reply *reply, const char *pointer, const container *which);

/* Warns of values that the API server will not accept together (kubernetes 2.9). */
void container_defaults_warn(const pod *whole, const limen_request *req, limen_reply *reply);

/*
 * Returns the API server's objection to a container's values of a resource, or NULL;
 * 'added': a LimitRange gave it a value.
 */
const char *container_objection(const container *which, const resource *named, bool added);

/*
 * Turns what was collected into changes of the document; 'last' may be NULL.
 * LIMEN_OK or LIMEN_ENOMEM.
 */
int default_patch_write(const limen_request *req, const pod *whole, const limit_range *last,
                        limen_reply *reply);

/* Adds the text of the annotation about what 'last' gave. */
void annotation_write(text_buffer *out, const pod *whole, const limit_range *last);

/* Does a container keep the bounds of an item? */
bool enforce_defaults(const range_item *item, const container *one);

/*
 * Returns true if a pod with its defaults keeps all bounds: then it need not be read again.
 * False if it does not, or if that is unknown.  It reports nothing, and enforce() reads the object
 * anew: a default without a suffix for its size, as 100000000000000000000000, is 100e21 in the
 * object, and the sums in messages have the notation that is read.
 */
bool enforce_known(const limit_ranger *self, const scope *within, const limen_request *req,
                   const pod *known);

/* Checks the object of a request against LimitRanges. */
limen_verdict enforce(const limit_ranger *self, const scope *within, const limen_request *req,
                      limen_reply *reply);

/*
 * ---- constraint.c, violation.c, former.c: holding a quantity against a bound, and saying in
 * the words of Kubernetes what is wrong with it ----
 */

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

void constraint_usage(const subject *checked, const constraint_row *row, const resource *bound);
void constraint_ratio(const subject *checked, const constraint_row *row, const resource *bound);

/* A value must be there because a default for it is ("defaulting": "require"). */
void constraint_required(const subject *checked, const constraint_row *row, const resource *bound);

/*
 * Counts the violation reported last, of 'bound' in the list 'constraint', and
 * says what the exact message must not (violation.c).
 */
void violation_explain(const subject *checked, const char *constraint, const resource *bound);

/* Says that what 'checked' has of a resource cannot be told. */
void constraint_unknown(const subject *checked, side which, const resource *bound);

#endif
