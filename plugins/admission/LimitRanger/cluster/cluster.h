/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster.h - the LimitRanges of a live cluster.
 *
 * options.c reads the option "cluster", watch.c follows the API server, objects.c stores
 * the LimitRanges within caps, object.c holds one of them, state.c builds the state that
 * decisions read, lists.c lists namespaces in which none is known, cluster.c opens, closes and
 * answers.
 *
 * Decisions take no lock: they read an immutable state, which a new one replaces.
 */
#ifndef LIMEN_LIMITRANGER_CLUSTER_H
#define LIMEN_LIMITRANGER_CLUSTER_H

#include <limen/host.h>
#include <limen/reply.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../../../support/kube/kube.h"
#include "../../../support/swap.h"
#include "../range/range.h"

#define CLUSTER_NAMESPACES_MAX 16
#define CLUSTER_NAME_MAX 253 /* of Kubernetes: DNS-1123 subdomain */
/*
 * Caps on the bytes of text of one namespace and of all.  A tenant may write as many
 * LimitRanges as the API server takes.  Over the first cap the namespace is dropped, over
 * the second the largest namespaces are.  Requests for a dropped one are errors.
 */
#ifndef CLUSTER_BYTES_MAX /* tests have less */
#define CLUSTER_SPACE_BYTES_MAX ((size_t)256 << 10)
#define CLUSTER_BYTES_MAX       ((size_t)20 << 20)
#endif
/* The least time between two lists that only check for room, in nanoseconds. */
#define CLUSTER_AGAIN_AFTER ((int64_t)60 * 1000000000)
/* Caps of what the status shows: limend reads all of it whenever its metrics are asked for. */
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
 * One LimitRange as it was sent.  States, instances and lists share it; once it has been
 * read it does not change.
 */
typedef struct cluster_object {
	atomic_uint users;
	char *namespace; /* in 'bytes', as are 'name' and 'text' */
	char *name;
	char *text; /* what limen reads of it, as JSON */
	size_t size; /* of 'text' */
	bool read;
	limen_documents *owner;
	range_set set; /* of this LimitRange alone */
	char bytes[];
} cluster_object;

/* Why a namespace is closed: its LimitRanges are dropped and its requests are errors. */
typedef enum cluster_closed {
	CLUSTER_OPEN = 0,
	CLUSTER_LARGE,  /* it has too much text */
	CLUSTER_CROWDED /* all have too much together, and it was one of the largest */
} cluster_closed;

/* A namespace that is closed. */
typedef struct cluster_gap {
	char *namespace;
	cluster_closed why;
	size_t bytes; /* of text that it had */
	bool changed; /* the API server has sent a change since it was closed */
	bool told;    /* the log says that it is closed */
} cluster_gap;

/* The LimitRanges that are kept, and the namespaces that are closed. */
typedef struct cluster_objects {
	cluster_object **items; /* by namespace and name */
	size_t count;
	size_t room;
	size_t bytes; /* of their text */
	cluster_gap *gaps; /* by namespace */
	size_t gap_count;
} cluster_objects;

/* The state that decisions read. */
typedef struct cluster_state {
	range_set set; /* borrowed from 'kept' */
	cluster_objects kept;
} cluster_state;

/* The LimitRanges of one namespace, or of all, and the watch that follows them. */
typedef struct cluster_source {
	cluster *owner;
	const char *namespace; /* NULL: all */
	kube_watch watch;
	char *path;
	bool listing;            /* a list has begun, and not ended as a whole */
	cluster_objects pending; /* what it has named */
	int64_t again;           /* limen_host_monotonic() when one more may be wanted */
	bool synced;         /* a list has ended since the instance was opened */
	bool known;          /* or the instance before it had one */
	atomic_int_least64_t heard; /* limen_host_monotonic() */
	char error[KUBE_ERROR_MAX];
} cluster_source;

/* The lists of single namespaces (lists.c). */
typedef struct cluster_list cluster_list;

typedef struct cluster_lists {
	pthread_mutex_t lock;
	void *tree;            /* those that are kept or under way, of tsearch() */
	cluster_list *oldest;
	cluster_list **end;
	size_t count;
	size_t bytes;          /* of their text */
	cluster_list *due;     /* those that no worker has begun */
	cluster_list **due_end;
	unsigned workers;
} cluster_lists;

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
	atomic_bool asked; /* a decision came since a source failed */
	pthread_mutex_t error_lock; /* never held while anything is waited for */
	cluster_lists lists;
};

/* ---- cluster.c ---- */

/*
 * Reads the option "cluster" and makes '*out', or NULL if it is not wanted;
 * 'before' (may be NULL) is what the entry had.
 */
int cluster_open(cluster **out, const struct limit_ranger *ranger, cluster *before,
                 limen_opening *opening, limen_diag *diag);
void cluster_close(cluster *self);

/*
 * LIMEN_PASS: '*out' is valid until cluster_leave() with the same turn.  LIMEN_ERROR: the
 * LimitRanges of 'namespace' are not known.
 */
limen_verdict cluster_enter(cluster *self, const char *namespace, const range_set **out,
                            unsigned *turn, limen_reply *reply);
void cluster_leave(cluster *self, unsigned turn);

/*
 * Is all known that cluster_enter() and cluster_list_enter() need?  If not, a list of the
 * namespace has begun, and the waker of the request is called when it has ended.
 */
bool cluster_ready(cluster *self, const char *namespace, const limen_request *req);

/* Is 'namespace' kept in a state?  If not, 'reply' says why. */
bool cluster_state_has(cluster *self, const cluster_state *state, const char *namespace,
                       limen_reply *reply);

void cluster_report(cluster *self, limen_builder *build);

/* ---- options.c ---- */

int cluster_options_read(limen_value option, cluster_options *out, limen_diag *diag);

/* Finds the URL and the credentials of the API server. */
int cluster_find(cluster *self, limen_opening *opening, limen_diag *diag);

/* ---- object.c ---- */

/*
 * Returns the answer of the API server without texts that limen does not read; NULL when
 * memory is short.
 */
char *cluster_trim(limen_value object, size_t *length);

cluster_object *cluster_object_new(const char *namespace, const char *name, const char *text,
                                   size_t size);
cluster_object *cluster_object_ref(cluster_object *item);
void cluster_object_unref(cluster_object *one); /* NULL is fine */

/* ---- objects.c; the lock is held, but for what is in a state ---- */

/* Returns the namespace if it is closed, or NULL. */
cluster_gap *cluster_objects_gap(const cluster_objects *objects, const char *namespace);

/* Closes the largest namespaces until the rest fits.  False when memory is short. */
bool cluster_objects_fit(cluster_objects *objects);

/*
 * Stores a copy of an object.  'source' is NULL for any namespace; an equal object of 'known'
 * (may be NULL) is shared instead.  Returns false, with 'why', if it cannot be stored.
 */
bool cluster_objects_put(cluster_objects *objects, const cluster_objects *known,
                         limen_value object, const cluster_source *source,
                         char why[KUBE_ERROR_MAX]);
bool cluster_objects_drop(cluster_objects *objects, limen_value object,
                          const cluster_source *source, char why[KUBE_ERROR_MAX]);

/* Replaces the LimitRanges of a source by those of its list, which has ended. */
bool cluster_objects_take(cluster_objects *objects, cluster_source *source);

/* May another list of the source open a namespace that is closed? */
bool cluster_objects_again(const cluster_objects *objects, cluster_source *source, int64_t now);

/*
 * Makes 'to', which is empty, a copy of 'from'.  'alike': what was read of them is what 'to'
 * would read, and is not read again.  False when memory is short.
 */
bool cluster_objects_copy(cluster_objects *to, const cluster_objects *from, bool alike);

void cluster_objects_clear(cluster_objects *objects);

/* ---- state.c; the lock is held ---- */

/* Returns the text that follows the name of a closed namespace in messages. */
const char *cluster_gap_text(cluster_closed why);

/* Makes the known LimitRanges the state that decisions read; false when memory is short. */
bool cluster_publish(cluster *self);
void cluster_state_free(cluster_state *state); /* NULL is fine */

/* Makes a state of 'objects', which it takes over; NULL when memory is short. */
cluster_state *cluster_state_new(const cluster *self, cluster_objects *objects);

/* ---- lists.c ---- */

void cluster_lists_open(cluster_lists *lists);
void cluster_lists_close(cluster_lists *lists);

/* As cluster_ready(), for a namespace in which the watch knows no LimitRange. */
bool cluster_list_ready(cluster *self, const char *namespace, const limen_request *req);

/*
 * Returns the list that cluster_list_ready() found, until cluster_list_leave(); NULL, with a
 * reason: it has failed or not ended.
 */
cluster_list *cluster_list_enter(cluster *self, const char *namespace, const limen_request *req,
                                 limen_reply *reply);
const cluster_state *cluster_list_state(const cluster_list *list);
void cluster_list_leave(cluster_list *list); /* NULL is fine */

/* The watch knows more of the namespace than its list. */
void cluster_list_forget(cluster *self, const char *namespace);

/* ---- watch.c ---- */

/* Starts to follow all sources.  LIMEN_OK or LIMEN_ENOMEM. */
int cluster_follow(cluster *self);

#endif
