/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_pool.c - a client: idle handles of libcurl with the connections they keep open.
 *
 * The handle used last is used next, so that few connections serve a steady
 * load.  More handles than are kept exist only while that many threads fetch.
 */
#include <limen/host.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "http_private.h"

enum {
	IDLE_MAX = 16,
	/* Cap on abandoned lookups; it applies once the process has as many threads. */
	LOOKUPS_MAX = 256
};

/*
 * The resolver of the system gives up after five seconds, twice, for each of three name
 * servers (resolv.conf(5)).
 */
#define LOOKUP_LASTS (INT64_C(30) * 1000000000)

struct http_client {
	pthread_mutex_t lock;
	CURL *idle[IDLE_MAX];
	size_t count;
	int64_t lookups[LOOKUPS_MAX]; /* when each was abandoned; the oldest is at 'next' */
	size_t lookup_count;
	size_t next;
};

http_client *
http_client_new(void)
{
	http_client *client = calloc(1, sizeof(*client));

	if (client != NULL && pthread_mutex_init(&client->lock, NULL) != 0) {
		free(client);
		return NULL;
	}
	return client;
}

/*
 * Frees a handle with SIGPIPE blocked.  Closing a connection may write to it, and libcurl
 * would otherwise change the SIGPIPE action of the whole process meanwhile.
 */
static void
end_handle(CURL *handle)
{
	pipe_guard guard;

	http_pipe_block(&guard);
	curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
	curl_easy_cleanup(handle);
	http_pipe_unblock(&guard);
}

void
http_client_free(http_client *client)
{
	if (client == NULL)
		return;
	for (size_t i = 0; i < client->count; i++)
		end_handle(client->idle[i]);
	pthread_mutex_destroy(&client->lock);
	free(client);
}

/*
 * The first handle starts libcurl, from any thread: its TLS library takes two megabytes.  It is
 * never stopped: modules stay loaded, and others in the process may use it.
 */
CURL *
http_pool_take(http_client *client)
{
	CURL *handle = NULL;

	pthread_mutex_lock(&client->lock);
	if (client->count > 0) {
		client->count--;
		handle = client->idle[client->count];
	}
	pthread_mutex_unlock(&client->lock);
	return handle != NULL ? handle : curl_easy_init();
}

void
http_pool_give(http_client *client, CURL *handle)
{
	bool kept;

	/* The handle still points to memory of the last fetch. */
	curl_easy_reset(handle);
	pthread_mutex_lock(&client->lock);
	kept = client->count < IDLE_MAX;
	if (kept) {
		client->idle[client->count] = handle;
		client->count++;
	}
	pthread_mutex_unlock(&client->lock);
	if (!kept)
		end_handle(handle);
}

void
http_pool_note_lookup(http_client *client)
{
	pthread_mutex_lock(&client->lock);
	client->lookups[client->next] = limen_host_monotonic();
	client->next = (client->next + 1) % LOOKUPS_MAX;
	if (client->lookup_count < LOOKUPS_MAX)
		client->lookup_count++;
	pthread_mutex_unlock(&client->lock);
}

/*
 * The threads are counted too: a lookup that ended late has freed its thread.  Otherwise
 * requests with short timeouts could block all other requests.
 */
bool
http_pool_may_look_up(http_client *client)
{
	struct stat tasks;
	bool may;

	pthread_mutex_lock(&client->lock);
	may = client->lookup_count < LOOKUPS_MAX ||
	      limen_host_monotonic() - client->lookups[client->next] > LOOKUP_LASTS;
	pthread_mutex_unlock(&client->lock);
	/* The link count is 2, and 1 for each subdirectory, which is a thread. */
	return may || stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink < LOOKUPS_MAX + 2;
}
