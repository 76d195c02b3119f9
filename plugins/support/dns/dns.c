/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dns.c - resolvers: who shares one, and the way of a question through its
 * cache to its name servers.  The list of resolvers is the one thing that is
 * global: modules do not know of each other.
 */
#include "dns.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "channels.h"
#include "servers.h"

#define SYSTEM_FILE "/etc/resolv.conf"

struct dns_resolver {
	dns_resolver *next;
	size_t uses;
	servers servers;
	char *path; /* of the file with the system's servers */
	cache *cache;
	channels *channels;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static dns_resolver *resolvers; /* guarded by 'lock', and so are their uses */

/* A child of a fork has none of the threads of these resolvers, and makes its own. */
static void
forget_resolvers(void)
{
	pthread_mutex_init(&lock, NULL);
	resolvers = NULL;
}

__attribute__((constructor)) static void
watch_forks(void)
{
	pthread_atfork(NULL, NULL, forget_resolvers);
}

/* ---- opening ---- */

static void
free_resolver(dns_resolver *resolver)
{
	channels_free(resolver->channels);
	cache_free(resolver->cache);
	free(resolver->path);
	free(resolver);
}

static dns_resolver *
make_resolver(const servers *list, const char *path)
{
	dns_resolver *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return NULL;
	made->servers = *list;
	made->path = strdup(path);
	made->cache = cache_new();
	if (made->path != NULL && made->cache != NULL)
		made->channels = channels_new(list, made->path, made->cache);
	if (made->channels != NULL)
		return made;
	free_resolver(made);
	return NULL;
}

static dns_resolver *
find_resolver(const servers *list, const char *path)
{
	for (dns_resolver *self = resolvers; self != NULL; self = self->next)
		if (strcmp(self->servers.text, list->text) == 0 && strcmp(self->path, path) == 0)
			return self;
	return NULL;
}

static int
open_resolver(const servers *list, const char *path, dns_resolver **out)
{
	dns_resolver *found;

	pthread_mutex_lock(&lock);
	found = find_resolver(list, path);
	if (found == NULL) {
		found = make_resolver(list, path);
		if (found != NULL) {
			found->next = resolvers;
			resolvers = found;
		}
	}
	if (found != NULL)
		found->uses++;
	pthread_mutex_unlock(&lock);
	*out = found;
	return found == NULL ? LIMEN_ENOMEM : LIMEN_OK;
}

int
dns_open(const char *server, limen_value where, limen_diag *diag, dns_resolver **out)
{
	servers list = { .count = 0 };
	const char *why = server == NULL ? NULL : servers_read(server, &list);
	int result;

	*out = NULL;
	if (why != NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s", why);
		return LIMEN_ECONFIG;
	}
	result = open_resolver(&list, SYSTEM_FILE, out);
	if (result != LIMEN_OK)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s",
		               limen_result_text(result));
	return result;
}

int
dns_open_file(const char *path, dns_resolver **out)
{
	static const servers none = { .count = 0 };

	return open_resolver(&none, path, out);
}

void
dns_close(dns_resolver *resolver)
{
	dns_resolver **link = &resolvers;

	if (resolver == NULL)
		return;
	pthread_mutex_lock(&lock);
	resolver->uses--;
	if (resolver->uses == 0) {
		while (*link != resolver)
			link = &(*link)->next;
		*link = resolver->next;
		free_resolver(resolver);
	}
	pthread_mutex_unlock(&lock);
}

/* ---- finding ---- */

static const char odd_name[] = "the name cannot be queried";

/* Returns the answer, or NULL if its query is under way, which calls the waker of 'req'. */
static answer *
find(dns_resolver *resolver, const key *question, limen_deadline deadline, const limen_request *req)
{
	answer *found = NULL;

	switch (cache_take(resolver->cache, question, deadline, req, &found)) {
	case CACHE_RECALLED:
		return found;
	case CACHE_CLAIMED:
		if (channels_ask(resolver->channels, question, deadline))
			return NULL;
		/* Without memory or a thread nobody is left to wait for it. */
		cache_settle(resolver->cache, question, NULL, 0);
		return answer_ref(&answer_short);
	case CACHE_JOINED:
		return NULL;
	default:
		return answer_ref(&answer_short);
	}
}

/* NULL: memory is short. */
static const dns_answer *
show(answer *found)
{
	return &(found == NULL ? answer_ref(&answer_short) : found)->shown;
}

const dns_answer *
dns_find(dns_resolver *resolver, dns_type type, const char *name, limen_deadline deadline)
{
	answer *found;
	key question;

	if (!cache_make_key(resolver->cache, type, name, &question))
		return show(answer_failed(odd_name));
	found = find(resolver, &question, deadline, NULL);
	return show(found == NULL ? cache_wait(resolver->cache, &question, deadline) : found);
}

const dns_answer *
dns_look(dns_resolver *resolver, dns_type type, const char *name, const limen_request *req,
         limen_duration timeout, bool blocks)
{
	answer *found;
	key question;

	if (blocks)
		return dns_find(resolver, type, name, limen_request_patience(req, timeout));
	if (!cache_make_key(resolver->cache, type, name, &question))
		return show(answer_failed(odd_name));
	/* No failure serves for ever, and for an answer nobody looks at the exact clock. */
	found = cache_recall(resolver->cache, &question, INT64_MAX);
	if (found == NULL)
		found = find(resolver, &question, limen_request_patience(req, timeout), req);
	return found == NULL ? NULL : &found->shown;
}

void
dns_report(const dns_resolver *resolver, limen_builder *build)
{
	cache_figures figures = cache_count(resolver->cache);
	const channels_figures sent = channels_count(resolver->channels);

	limen_builder_int(build, "questions", sent.questions);
	limen_builder_int(build, "failures", sent.failures);
	limen_builder_int(build, "remembered", (int64_t)figures.entries);
	limen_builder_int(build, "recalled", figures.hits);
	if (sent.error != NULL)
		limen_builder_text(build, "error", sent.error);
}
