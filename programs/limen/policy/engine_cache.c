/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_cache.c - caches engines in a hash table with a list in the order of use, for eviction of
 * the least recently used.  The key is a path, or the JSON text of a policy with sorted members.
 */
#include "engine_cache.h"

#include <stdlib.h>

#include "policy.h"

typedef struct slot {
	cached_engine cached;
	char *key;  /* "F" and a path, or "V" and JSON text with sorted members */
	GList link; /* in 'recent' */
} slot;

struct engine_cache {
	const common_options *common;
	unsigned flags; /* for new engines */
	const char *namespace;
	GHashTable *slots; /* by key */
	GQueue recent;     /* most recently used at the head */
};

static void
free_slot(gpointer data)
{
	slot *old = data;

	limen_engine_free(old->cached.engine);
	limen_diag_free(old->cached.diag);
	g_free(old->cached.why);
	g_free(old->key);
	g_free(old);
}

engine_cache *
engine_cache_new(const common_options *common, unsigned flags, const char *namespace)
{
	engine_cache *cache = g_new0(engine_cache, 1);

	cache->common = common;
	cache->flags = flags;
	cache->namespace = namespace;
	cache->slots = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_slot);
	g_queue_init(&cache->recent);
	return cache;
}

void
engine_cache_free(engine_cache *cache)
{
	g_hash_table_destroy(cache->slots);
	g_free(cache);
}

static slot *
find(engine_cache *cache, const char *key)
{
	slot *found = g_hash_table_lookup(cache->slots, key);

	if (found == NULL)
		return NULL;
	g_queue_unlink(&cache->recent, &found->link);
	g_queue_push_head_link(&cache->recent, &found->link);
	return found;
}

/* Adds an empty slot; takes 'key' over.  'flags' are added to those of its engine. */
static slot *
add(engine_cache *cache, char *key, unsigned flags)
{
	slot *fresh = g_new0(slot, 1);

	if (g_hash_table_size(cache->slots) >= ENGINE_CACHE_MAX) {
		slot *oldest = g_queue_pop_tail_link(&cache->recent)->data;

		g_hash_table_remove(cache->slots, oldest->key);
	}
	fresh->key = key;
	fresh->link.data = fresh;
	fresh->cached.engine = policy_engine_for(cache->common, cache->flags | flags,
	                                         cache->namespace);
	fresh->cached.diag = policy_diag();
	g_hash_table_insert(cache->slots, fresh->key, fresh);
	g_queue_push_head_link(&cache->recent, &fresh->link);
	return fresh;
}

static const cached_engine *
keep(slot *fresh, bool loaded)
{
	if (!loaded) {
		limen_engine_free(fresh->cached.engine);
		fresh->cached.engine = NULL;
	}
	return &fresh->cached;
}

const cached_engine *
engine_cache_path(engine_cache *cache, const char *path, bool foreign)
{
	char *key = g_strconcat("F", path, NULL);
	slot *known = find(cache, key);
	slot *fresh;

	if (known != NULL) {
		g_free(key);
		return &known->cached;
	}
	fresh = add(cache, key, foreign ? LIMEN_ENGINE_FOREIGN_POLICIES : 0);
	fresh->cached.from_file = true;
	return keep(fresh, policy_load(fresh->cached.engine, path, fresh->cached.diag,
	                               &fresh->cached.why));
}

/*
 * Returns 'prefix' and the value as JSON: the cache key if 'flags' sorts it, else the policy
 * text.
 */
static char *
print_value(limen_value value, unsigned flags, const char *prefix)
{
	char *json = limen_value_to_json(value, flags, NULL);
	char *text = g_strconcat(prefix, json == NULL ? "" : json, NULL);

	free(json);
	return text;
}

const cached_engine *
engine_cache_value(engine_cache *cache, limen_value value)
{
	char *key = print_value(value, LIMEN_JSON_SORTED, "V");
	slot *known = find(cache, key);
	slot *fresh;
	size_t length = 0;
	char *text;
	bool loaded;

	if (known != NULL) {
		g_free(key);
		return &known->cached;
	}
	fresh = add(cache, key, LIMEN_ENGINE_FOREIGN_POLICIES);
	text = limen_value_to_json(value, 0, &length);
	loaded = text != NULL && policy_load_text(fresh->cached.engine, text, length,
	                                          fresh->cached.diag);
	free(text);
	return keep(fresh, loaded);
}
