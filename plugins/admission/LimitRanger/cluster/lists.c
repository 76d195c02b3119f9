/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lists.c - lists the LimitRanges of a single namespace in which the watch knows none: it may not
 * have heard of the first one yet.  A list is kept for a while, as in the plugin of Kubernetes.
 *
 * A namespace is listed by one worker at a time, and there are a few workers.  Decisions wait
 * without a thread (limen_request_waker()).
 */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../support/kube/kube_reflector.h"
#include "../limit_ranger.h"

enum { KEPT_MAX = 10000, WORKERS_MAX = 4 };

#define KEPT_FOR ((int64_t)30 * 1000000000)

/* A decision waits for less: an answer that is late for it serves the next one. */
static const kube_times list_times = {
	.connect = 5 * LIMEN_SECOND,
	.answer = 10 * LIMEN_SECOND,
	.line = 10 * LIMEN_SECOND,
};

typedef struct waiter {
	struct waiter *next;
	limen_waker *waker;
} waiter;

/* The list of one namespace, kept or under way. */
struct cluster_list {
	atomic_uint users;
	bool ended;
	int64_t until;        /* limen_host_monotonic(): another list is due */
	cluster_state *state; /* what it has named; NULL: it has failed, or not ended */
	char *error;          /* why it has failed; NULL: for lack of memory */
	waiter *waiters;
	cluster_list *next;     /* of those that are kept, the younger one */
	cluster_list *next_due; /* of those that no worker has begun */
	const char *namespace;  /* in 'bytes' */
	char bytes[];
};

static cluster_list *
ref(cluster_list *list)
{
	atomic_fetch_add(&list->users, 1);
	return list;
}

void
cluster_list_leave(cluster_list *list)
{
	if (list == NULL || atomic_fetch_sub(&list->users, 1) > 1)
		return;
	cluster_state_free(list->state);
	free(list->error);
	free(list);
}

static void
leave(void *list)
{
	cluster_list_leave(list);
}

/* ---- those that are kept; the lock is held ---- */

static int
compare(const void *a, const void *b)
{
	return strcmp(((const cluster_list *)a)->namespace, ((const cluster_list *)b)->namespace);
}

static cluster_list *
find(const cluster_lists *lists, const char *namespace)
{
	const cluster_list key = { .namespace = namespace };
	cluster_list *const *found = tfind(&key, &lists->tree, compare);

	return found == NULL ? NULL : *found;
}

static size_t
count_bytes(const cluster_list *list)
{
	return list->state == NULL ? 0 : list->state->kept.bytes;
}

static void
drop(cluster_lists *lists, cluster_list *list)
{
	cluster_list **link = &lists->oldest;

	while (*link != list)
		link = &(*link)->next;
	*link = list->next;
	if (list->next == NULL)
		lists->end = link;
	tdelete(list, &lists->tree, compare);
	lists->count--;
	lists->bytes -= count_bytes(list);
	cluster_list_leave(list);
}

/* Adds a list that has not begun; false when memory is short. */
static bool
add(cluster_lists *lists, cluster_list *list)
{
	if (tsearch(list, &lists->tree, compare) == NULL)
		return false;
	*lists->end = ref(list);
	lists->end = &list->next;
	lists->count++;
	return true;
}

/* ---- making a list ---- */

/* The inputs of a worker that makes a list. */
typedef struct listing {
	cluster *owner;
	cluster_source source; /* its namespace alone */
	cluster_objects objects;
} listing;

static bool
is_stopping(void *data)
{
	return limen_host_stopping(((const listing *)data)->owner->host);
}

static void
begin_list(void *data)
{
	cluster_objects_clear(&((listing *)data)->objects);
}

static bool
put_object(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	listing *job = data;

	return cluster_objects_put(&job->objects, NULL, object, &job->source, why);
}

static bool
commit(void *data, bool listed, char why[KUBE_ERROR_MAX])
{
	(void)data;
	(void)listed;
	(void)why;
	return true;
}

static void
count(void *data, kube_event event)
{
	(void)event;
	limen_host_counter_add(((const listing *)data)->owner->host, "namespace_lists", 1);
}

/* Ends a list, with its state or else its error, and wakes those that wait. */
static void
end_list(cluster_lists *lists, cluster_list *list, cluster_state *state, const char *error)
{
	waiter *waiters;

	pthread_mutex_lock(&lists->lock);
	list->ended = true;
	list->until = limen_host_monotonic() + KEPT_FOR;
	list->state = state;
	list->error = state == NULL ? strdup(error) : NULL;
	if (find(lists, list->namespace) == list)
		lists->bytes += count_bytes(list);
	waiters = list->waiters;
	list->waiters = NULL;
	pthread_mutex_unlock(&lists->lock);
	cluster_list_leave(list);
	while (waiters != NULL) {
		waiter *next = waiters->next;

		limen_waker_wake(waiters->waker);
		free(waiters);
		waiters = next;
	}
}

static void
make_list(kube_reflector *reflector, kube_watch *watch, cluster_list *list)
{
	listing *job = watch->listener.data;
	char path[sizeof "/api/v1/namespaces//limitranges" + CLUSTER_NAME_MAX];
	cluster_state *state = NULL;
	kube_outcome outcome;

	snprintf(path, sizeof path, "/api/v1/namespaces/%s/limitranges", list->namespace);
	watch->path = path;
	job->source.namespace = list->namespace;
	snprintf(reflector->error, sizeof reflector->error, "%s", limen_result_text(LIMEN_ENOMEM));
	outcome = reflector->session.multi == NULL ? KUBE_BAD : kube_list(reflector);
	if (outcome == KUBE_GOOD)
		state = cluster_state_new(job->owner, &job->objects);
	cluster_objects_clear(&job->objects);
	end_list(&job->owner->lists, list, state, reflector->error);
}

/* Returns the next list to make; NULL: there is none, and the worker ends. */
static cluster_list *
take_due(cluster_lists *lists)
{
	cluster_list *list;

	pthread_mutex_lock(&lists->lock);
	list = lists->due;
	if (list == NULL)
		lists->workers--;
	else
		lists->due = list->next_due;
	if (lists->due == NULL)
		lists->due_end = &lists->due;
	pthread_mutex_unlock(&lists->lock);
	return list;
}

static void
work(void *data)
{
	listing job = { .owner = data };
	kube_watch watch = {
		.target = &job.owner->target,
		.times = &list_times,
		.stop_fd = limen_host_stopping_fd(job.owner->host),
		.listener = {
			.data = &job,
			.stopping = is_stopping,
			.begin = begin_list,
			.put = put_object,
			.commit = commit,
			.count = count,
		},
	};
	kube_reflector reflector = { .watch = &watch };
	cluster_list *list;

	(void)kube_session_open(&reflector.session, &watch);
	while ((list = take_due(&job.owner->lists)) != NULL)
		make_list(&reflector, &watch, list);
	kube_session_close(&reflector.session);
}

/* ---- what decisions ask ---- */

static cluster_list *
new_list(const char *namespace)
{
	size_t size = strlen(namespace) + 1;
	cluster_list *list = calloc(1, sizeof *list + size);

	if (list == NULL)
		return NULL;
	atomic_init(&list->users, 1);
	list->namespace = memcpy(list->bytes, namespace, size);
	return list;
}

/* Begins a list in place of 'before' (may be NULL).  NULL when memory is short. */
static cluster_list *
begin(cluster *self, const char *namespace, cluster_list *before)
{
	cluster_lists *lists = &self->lists;
	cluster_list *list = new_list(namespace);

	if (list == NULL)
		return NULL;
	if (before != NULL)
		drop(lists, before);
	while (lists->count >= KEPT_MAX || lists->bytes > CLUSTER_BYTES_MAX)
		drop(lists, lists->oldest);
	if (lists->workers < WORKERS_MAX && limen_host_run(self->host, work, self) == LIMEN_OK)
		lists->workers++;
	if (lists->workers == 0 || !add(lists, list)) {
		cluster_list_leave(list);
		return NULL;
	}
	*lists->due_end = list;
	lists->due_end = &list->next_due;
	return list;
}

/* Has the decision to wait for the list?  It takes the waker once. */
static bool
wait_for(cluster_list *list, const limen_request *req)
{
	waiter *made = list->ended ? NULL : malloc(sizeof *made);

	if (made == NULL)
		return false;
	*made = (waiter){ list->waiters, limen_request_waker(req) };
	if (made->waker == NULL) {
		free(made);
		return false;
	}
	list->waiters = made;
	return true;
}

bool
cluster_list_ready(cluster *self, const char *namespace, const limen_request *req)
{
	cluster_lists *lists = &self->lists;
	cluster_list *list = limen_request_attachment(req, lists);
	bool waits;

	pthread_mutex_lock(&lists->lock);
	if (list != NULL) {
		bool ended = list->ended;

		pthread_mutex_unlock(&lists->lock);
		return ended;
	}
	list = find(lists, namespace);
	if (list == NULL || (list->ended && (list->state == NULL ||
	                                     limen_host_monotonic() >= list->until)))
		list = begin(self, namespace, list);
	waits = list != NULL && wait_for(list, req);
	if (list != NULL)
		ref(list);
	pthread_mutex_unlock(&lists->lock);
	if (list != NULL)
		limen_request_attach(req, lists, list, leave);
	return !waits;
}

cluster_list *
cluster_list_enter(cluster *self, const char *namespace, const limen_request *req,
                   limen_reply *reply)
{
	cluster_lists *lists = &self->lists;
	cluster_list *list = limen_request_attachment(req, lists);

	pthread_mutex_lock(&lists->lock);
	if (list == NULL)
		list = find(lists, namespace);
	if (list != NULL && !list->ended)
		list = NULL;
	if (list != NULL)
		ref(list);
	pthread_mutex_unlock(&lists->lock);
	if (list != NULL && list->state != NULL)
		return list;
	limen_reply_reason(reply, "the LimitRanges of the namespace \"%s\" could not be listed%s%s",
	                   namespace, list == NULL ? " in time" : ": ",
	                   list == NULL          ? ""
	                   : list->error == NULL ? limen_result_text(LIMEN_ENOMEM)
	                                         : list->error);
	cluster_list_leave(list);
	return NULL;
}

const cluster_state *
cluster_list_state(const cluster_list *list)
{
	return list->state;
}

void
cluster_list_forget(cluster *self, const char *namespace)
{
	cluster_lists *lists = &self->lists;
	cluster_list *list;

	pthread_mutex_lock(&lists->lock);
	list = find(lists, namespace);
	if (list != NULL && list->ended)
		drop(lists, list);
	pthread_mutex_unlock(&lists->lock);
}

void
cluster_lists_open(cluster_lists *lists)
{
	pthread_mutex_init(&lists->lock, NULL);
	lists->end = &lists->oldest;
	lists->due_end = &lists->due;
}

void
cluster_lists_close(cluster_lists *lists)
{
	cluster_list *list;

	/* Lists that no worker came to make. */
	lists->workers++;
	while ((list = take_due(lists)) != NULL)
		end_list(lists, list, NULL, "");
	while (lists->oldest != NULL)
		drop(lists, lists->oldest);
	pthread_mutex_destroy(&lists->lock);
}
