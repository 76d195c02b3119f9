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
	atomic_int_fast64_t questions; /* sent */
	atomic_int_fast64_t failures;
	const char *_Atomic error; /* the last failure, a static text, or NULL */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static dns_resolver *resolvers; /* guarded by 'lock', and so are their uses */

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
	if (made->path != NULL)
		made->channels = channels_new(list, made->path);
	if (made->channels != NULL && made->cache != NULL)
		return made;
	free_resolver(made);
	return NULL;
}

static dns_resolver *
find_resolver(const servers *list, const char *path)
{
	for (dns_resolver *one = resolvers; one != NULL; one = one->next) {
		if (strcmp(one->servers.text, list->text) == 0 && strcmp(one->path, path) == 0)
			return one;
	}
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

static void
note_failure(dns_resolver *resolver, const answer *found)
{
	if (found == NULL || found->shown.outcome != DNS_FAILED)
		return;
	atomic_fetch_add_explicit(&resolver->failures, 1, memory_order_relaxed);
	atomic_store_explicit(&resolver->error, found->shown.why, memory_order_relaxed);
}

/* Asks the name servers what has been claimed. */
static answer *
ask(dns_resolver *resolver, const key *asked, limen_deadline deadline)
{
	int64_t patience = deadline - limen_host_monotonic();
	answer *found;

	atomic_fetch_add_explicit(&resolver->questions, 1, memory_order_relaxed);
	found = channels_ask(resolver->channels, (dns_type)asked->text[0], key_name(asked), deadline);
	note_failure(resolver, found);
	cache_settle(resolver->cache, asked, found, patience);
	return found;
}

static answer *
find(dns_resolver *resolver, const key *asked, limen_deadline deadline)
{
	answer *found = NULL;

	if (channels_are_stale(resolver->channels))
		cache_clear(resolver->cache);
	switch (cache_take(resolver->cache, asked, deadline, &found)) {
	case CACHE_RECALLED:
		return found;
	case CACHE_CLAIMED:
		return ask(resolver, asked, deadline);
	case CACHE_LATE:
		return answer_failed("no name server answered in time");
	default:
		return NULL;
	}
}

const dns_answer *
dns_find(dns_resolver *resolver, dns_type type, const char *name, limen_deadline deadline,
         dns_manner manner)
{
	key asked;
	answer *found;

	if (!cache_make_key(resolver->cache, type, name, &asked))
		found = answer_failed("the name cannot be queried");
	else if (manner == DNS_REMEMBERED)
		found = cache_recall(resolver->cache, &asked, deadline);
	else
		found = find(resolver, &asked, deadline);
	return found == NULL ? NULL : &found->shown;
}

void
dns_report(const dns_resolver *resolver, limen_builder *build)
{
	cache_figures figures = cache_count(resolver->cache);
	const char *error = atomic_load_explicit(&resolver->error, memory_order_relaxed);

	limen_builder_int(build, "questions", atomic_load(&resolver->questions));
	limen_builder_int(build, "failures", atomic_load(&resolver->failures));
	limen_builder_int(build, "remembered", (int64_t)figures.entries);
	limen_builder_int(build, "recalled", figures.hits);
	if (error != NULL)
		limen_builder_text(build, "error", error);
}
