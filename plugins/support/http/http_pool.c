/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_pool.c - a client: the start of libcurl, and idle handles with the
 * connections they keep open.
 *
 * The handle used last is used next, so that few connections serve a steady
 * load.  More handles than are kept exist only while that many threads fetch.
 */
#include <pthread.h>
#include <stdlib.h>

#include "http_private.h"

enum { IDLE_MAX = 16 };

struct http_client {
	pthread_mutex_t lock;
	CURL *idle[IDLE_MAX];
	size_t count;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool started;

/*
 * Not before something is fetched, for the library for TLS that it starts takes two
 * megabytes.  Never undone: modules stay loaded, and others in the process may use it.
 */
static void
start_curl(void)
{
	started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

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
 * Closing a connection may write to it.  Left to itself, libcurl would change what
 * the whole process does about SIGPIPE meanwhile.
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

CURL *
http_pool_take(http_client *client)
{
	CURL *handle = NULL;

	pthread_once(&once, start_curl);
	if (!started)
		return NULL;
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

	/* It points to memory of the fetch that is over. */
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
