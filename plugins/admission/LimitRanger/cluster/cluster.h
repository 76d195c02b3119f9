/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster.h - the LimitRanges of a live cluster.
 *
 * options.c reads the option "cluster", watch.c keeps up with the
 * API server, objects.c keeps what trim.c leaves of what it said, each
 * in a kept.c, as long as listed.c has seen no list without it, as far as
 * crowd.c has room for their text and collapse.c for as many, gone.c
 * what was replaced, state.c makes of that what decisions read, cluster.c opens, closes
 * and answers.
 *
 * Decisions take no lock: they read a state that never changes, until the next one
 * takes its place.
 */
#ifndef LIMEN_LIMITRANGER_CLUSTER_H
#define LIMEN_LIMITRANGER_CLUSTER_H

#include <limen/host.h>
#include <limen/reply.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../../../support/kube/kube.h"
#include "../../../support/swap.h"
#include "shares.h"
#include "../range/range.h"

#define CLUSTER_NAMESPACES_MAX 16
#ifndef CLUSTER_OBJECTS_MAX /* tests have fewer */
#define CLUSTER_OBJECTS_MAX 50000 /* a namespace of which nothing is kept counts as one */
#endif
#define CLUSTER_NAME_MAX 253 /* of Kubernetes: DNS-1123 subdomain */
/*
 * Of text, what is kept of one and of all, but for those of which no more than the name is
 * kept.  Real ones have some hundred bytes.  What decisions read takes 20 to 45 times as
 * much memory, and is there once: but for what a change replaces, which has a bound as
 * well, and for a reload that changes how LimitRanges are read.  All of it is to fit into
 * what a pod is given (deploy/kubernetes/deployment.yaml).
 */
#ifndef CLUSTER_BYTES_MAX /* tests have less */
#define CLUSTER_OBJECT_BYTES_MAX ((size_t)64 << 10)
#define CLUSTER_BYTES_MAX ((size_t)6 << 20)
#endif
#define CLUSTER_GONE_BYTES_MAX (CLUSTER_BYTES_MAX / 8) /* replaced, and in force still */
/* A tenant whose LimitRanges grow and shrink is worth no more lists than this. */
#define CLUSTER_AGAIN_AFTER ((int64_t)60 * 1000000000)
/* What the status shows, which limend prints and reads for each look at its metrics. */
#define CLUSTER_SHOWN_MAX 1000
#define CLUSTER_SHOWN_BYTES_MAX ((size_t)1 << 20)

struct limit_ranger;
typedef struct cluster cluster;

/* The option "cluster". */
typedef struct cluster_options {
	bool wanted;
	const char *kubeconfig; /* NULL: that of a pod */
	const char *context;
	const char *service_account;
	bool insecure;
	const char *namespaces[CLUSTER_NAMESPACES_MAX];
	size_t namespace_count; /* 0: all */
} cluster_options;

/*
 * What is kept of a LimitRange.  Instances share it, which is why it does not change any
 * more once it has been read.
 */
typedef struct cluster_kept {
	atomic_uint users;
	char *namespace;
	char *name; /* in the memory of 'namespace' */
	limen_documents *owner;
	limen_value value; /* none: there is no more than its name */
	size_t size;       /* of that, as text; 0: there is always room for a name */
	size_t wanted;     /* what 'size' would be if there were room; 0: there never is */
	const char *unfit; /* why there is no more than its name; NULL: all that is read is */
	bool read;
	range_set set; /* if it has been read and can be used: of this LimitRange alone */
	char *problem; /* why it cannot be used, beside 'unfit'; NULL: it can be */
} cluster_kept;

typedef struct cluster_object {
	cluster_kept *kept;
	bool unnamed; /* the list that began last has not named it yet */
	bool brought; /* a list did that has not ended, and there was nothing before */
	bool checked;
	bool in_force; /* the state in force names it */
} cluster_object;

/* By namespace, then name. */
typedef struct cluster_objects {
	cluster_object *items;
	size_t count;
	size_t room;
	size_t bytes;   /* of text */
	size_t unnamed; /* of 'count' */
	bool full;      /* there is one of a namespace that has no place: see collapse.c */
	cluster_shares shares;
	/* Those that were replaced and may still be read. */
	cluster_object *gone;
	size_t gone_count;
	size_t gone_room;
	size_t gone_bytes;
} cluster_objects;

/* A LimitRange that cannot be used. */
typedef struct cluster_broken {
	const char *namespace;
	const char *name; /* NULL: there are too many in the namespace */
	const char *problem; /* what is wrong with it, or its namespace */
} cluster_broken;

/* What decisions read, which belongs to what is kept. */
typedef struct cluster_state {
	range_set set;
	cluster_broken *broken; /* by namespace */
	size_t broken_count;
	char *collapsed; /* the namespaces of those that have no name */
	bool full; /* there are LimitRanges in more namespaces than these */
} cluster_state;

/* The LimitRanges of one namespace, or of all, and the watch that follows them. */
typedef struct cluster_source {
	cluster *owner;
	const char *namespace; /* NULL: all */
	kube_watch watch;
	char *path;
	bool listing;        /* a list has begun, and not ended as a whole */
	int64_t again;       /* limen_host_monotonic() when one more may be wanted */
	bool soon;           /* what was wanted last need not wait for that */
	bool restored;       /* a list has made room, or brought names: text need not wait */
	bool synced;         /* a list has ended since the instance was opened */
	bool known;          /* or the instance before it had one */
	atomic_int_least64_t heard; /* limen_host_monotonic() */
	char error[KUBE_ERROR_MAX];
} cluster_source;

struct cluster {
	const struct limit_ranger *ranger;
	limen_host *host;
	limen_value option; /* of the policy; tells whether two are the same */
	cluster_options options;
	kube_target target;
	char missing[KUBE_ERROR_MAX]; /* why there is no target; "": there is one */
	cluster_source *sources;
	size_t source_count;
	pthread_mutex_t lock; /* objects, and all of the sources but their errors */
	cluster_objects objects;
	swap states;
	pthread_mutex_t error_lock; /* never held while anything is waited for */
};

/* ---- cluster.c ---- */

/*
 * Reads the option "cluster" and makes '*out', or NULL if it is not wanted;
 * 'before' (may be NULL) is what the entry had.
 */
int cluster_open(cluster **out, const struct limit_ranger *ranger, const cluster *before,
                 limen_opening *opening, limen_diag *diag);
void cluster_close(cluster *self);

/*
 * LIMEN_PASS: '*out' is good until cluster_leave() with the same turn.  LIMEN_ERROR:
 * what holds for 'namespace' is not known.
 */
limen_verdict cluster_enter(const cluster *self, const char *namespace, const range_set **out,
                            unsigned *turn, limen_reply *reply);
void cluster_leave(const cluster *self, unsigned turn);

void cluster_report(const cluster *self, limen_sink *sink);

/* ---- options.c ---- */

int cluster_options_read(limen_value option, cluster_options *out, limen_diag *diag);

/* Finds out where the cluster is. */
int cluster_find(cluster *self, limen_opening *opening, limen_diag *diag);

/* ---- objects.c; the lock is held ---- */

/* Keeps a copy of what is needed.  False, with 'why': it cannot be kept. */
bool cluster_objects_put(cluster_objects *objects, limen_value object,
                         const cluster_source *source, char why[KUBE_ERROR_MAX]);
bool cluster_objects_drop(cluster_objects *objects, limen_value object,
                          const cluster_source *source, char why[KUBE_ERROR_MAX]);

/* Sets aside what is at 'index', which the caller takes out; NULL: no memory, and it stays. */
cluster_share *cluster_objects_give_up(cluster_objects *objects, size_t index);

/*
 * Adds all of 'from'.  'alike': what was read of them is what 'to' would read, and is not
 * read again.  False when memory is short.
 */
bool cluster_objects_copy(cluster_objects *to, const cluster_objects *from, bool alike);

void cluster_objects_clear(cluster_objects *objects);

/* Returns where the object is, or would be. */
size_t cluster_objects_find(const cluster_objects *objects, const char *namespace,
                            const char *name, bool *found);

/* ---- listed.c; the lock is held ---- */

/* A list of the source begins: it brings the text of those whose turn it is. */
void cluster_objects_begin(cluster_objects *objects, cluster_source *source);

/* 'one' of 'objects' is marked as 'from', the same of another set, is. */
void cluster_objects_mark_as(cluster_objects *objects, cluster_object *one,
                             const cluster_object *from);

/* It names 'one' of 'share'. */
void cluster_objects_name(cluster_objects *objects, cluster_share *share, cluster_object *one);

/* It has ended as a whole: drops those of the source that it did not name. */
bool cluster_objects_keep_listed(cluster_objects *objects, cluster_source *source);

/* ---- crowd.c; the lock is held ---- */

extern const char cluster_crowded[]; /* why one is unfit whose namespace is not served */

/*
 * Makes room for 'wanted' bytes of 'share' in the place of 'before' (may be NULL): as long as
 * there is none, and 'share' is served, the namespace that wants most loses what is kept of
 * it.  False when memory is short.
 */
bool cluster_objects_fit(cluster_objects *objects, const cluster_share *share,
                         const cluster_object *before, size_t wanted);

/* Is it the turn of one that only another list of the source can bring? */
bool cluster_objects_again(cluster_objects *objects, cluster_source *source, int64_t now);

/* ---- collapse.c; the lock is held ---- */

/*
 * Makes room for one more of 'share' that is named ('known': it is kept already): if there is
 * none, nothing is kept any more of the namespace that has most, which may be that of 'share'.
 * False, with 'why': there is none.
 */
bool cluster_collapse(cluster_objects *objects, const cluster_share *share, bool known,
                      char why[KUBE_ERROR_MAX]);

/* Is nothing of it to be kept? */
bool cluster_collapse_holds(const cluster_share *share);

/* One of 'namespace' of which nothing is kept is gone. */
void cluster_collapse_drop(cluster_objects *objects, const char *namespace);

/* A list of the source begins, has ended as a whole, or is wanted. */
void cluster_collapse_begin(cluster_objects *objects, const cluster_source *source);
void cluster_collapse_end(cluster_objects *objects, cluster_source *source);
bool cluster_collapse_turn(const cluster_objects *objects, const cluster_source *source);

/* Has the same namespaces collapsed, before anything is added.  False when memory is short. */
bool cluster_collapse_copy(cluster_objects *to, const cluster_objects *from);

/* ---- gone.c; the lock is held ---- */

/* Puts one aside if the state in force names it, or else frees it.  False when memory is short. */
bool cluster_gone_add(cluster_objects *objects, const cluster_object *one);
bool cluster_gone_reserve(cluster_objects *objects, size_t more); /* with this it is not */

/* A state that names all there are is in force: frees those that were replaced. */
void cluster_objects_sweep(cluster_objects *objects);

/* ---- trim.c ---- */

/* Returns what is kept of 'object' as text that the caller frees, or NULL when memory is short. */
char *cluster_trim(limen_value object, size_t *length);

/* ---- kept.c ---- */

/*
 * Of its name alone if it is unfit, or else of its text; 'length' is what it wants.  NULL when
 * memory is short.
 */
cluster_kept *cluster_kept_new(const char *namespace, const char *name, const char *unfit,
                               const char *text, size_t length);
cluster_kept *cluster_kept_share(cluster_kept *kept);
cluster_kept *cluster_kept_renew(const cluster_kept *kept); /* of its text, not read; or NULL */
void cluster_kept_release(cluster_kept *kept); /* NULL is fine */

/* Is it what cluster_kept_new() would make of this? */
bool cluster_kept_is(const cluster_kept *kept, const char *unfit, const char *text,
                     size_t length);

/* Why it cannot be used, or NULL. */
const char *cluster_kept_problem(const cluster_kept *kept);

/* ---- state.c; the lock is held ---- */

/* Puts in force what is known.  False when memory is short. */
bool cluster_publish(cluster *self);
void cluster_state_free(cluster_state *state); /* NULL is fine */

/* ---- watch.c ---- */

/* Starts to follow all sources.  LIMEN_OK or LIMEN_ENOMEM. */
int cluster_follow(cluster *self);

/* Notes what is wrong with a source; NULL: nothing. */
void cluster_note(cluster_source *source, const char *error);

#endif
