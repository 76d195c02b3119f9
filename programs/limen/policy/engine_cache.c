/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_cache.c - caches engines in a hash table with a list in the order of use, for eviction of
 * the least recently used.  The key is a path, or the JSON text of a policy with sorted members.
 */
#include "engine_cache.h"

#include "common/auto.h"
#include "policy.h"

typedef struct slot {
	cached_engine cached;
	char *key;  /* "F" and the paths, or "V" and JSON text with sorted members */
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

/*
 * Returns the slot of 'key', which is taken over.  If '*is_new', nothing is loaded yet; 'flags'
 * are added to those of its engine then.
 */
static slot *
find(engine_cache *cache, char *key, unsigned flags, bool *is_new)
{
	slot *found = g_hash_table_lookup(cache->slots, key);

	*is_new = found == NULL;
	if (found != NULL) {
		g_queue_unlink(&cache->recent, &found->link);
		g_queue_push_head_link(&cache->recent, &found->link);
		g_free(key);
		return found;
	}
	found = g_new0(slot, 1);
	if (g_hash_table_size(cache->slots) >= ENGINE_CACHE_MAX) {
		slot *oldest = g_queue_pop_tail_link(&cache->recent)->data;

		g_hash_table_remove(cache->slots, oldest->key);
	}
	found->key = key;
	found->link.data = found;
	found->cached.engine = policy_engine_for(cache->common, cache->flags | flags,
	                                         cache->namespace);
	found->cached.diag = policy_diag();
	g_hash_table_insert(cache->slots, found->key, found);
	g_queue_push_head_link(&cache->recent, &found->link);
	return found;
}

static const cached_engine *
keep(slot *found, bool loaded)
{
	if (!loaded) {
		limen_engine_free(found->cached.engine);
		found->cached.engine = NULL;
	}
	return &found->cached;
}

const cached_engine *
engine_cache_paths(engine_cache *cache, char *const *paths, bool foreign)
{
	g_autofree char *names = policy_names(paths);
	bool is_new;
	slot *found = find(cache, g_strconcat("F", names, NULL),
	                   foreign ? LIMEN_ENGINE_FOREIGN_POLICIES : 0, &is_new);

	if (!is_new)
		return &found->cached;
	found->cached.from_file = true;
	return keep(found, policy_load_all(found->cached.engine, paths, found->cached.diag,
	                                   &found->cached.why));
}

const cached_engine *
engine_cache_value(engine_cache *cache, limen_value value)
{
	g_auto(heap_text) sorted = limen_value_to_json(value, LIMEN_JSON_SORTED, NULL);
	g_auto(heap_text) text = NULL;
	size_t length = 0;
	bool is_new;
	slot *found = find(cache, g_strconcat("V", sorted, NULL), LIMEN_ENGINE_FOREIGN_POLICIES,
	                   &is_new);

	if (!is_new)
		return &found->cached;
	text = limen_value_to_json(value, 0, &length);
	return keep(found, text != NULL && policy_load_text(found->cached.engine, text, length,
	                                                    found->cached.diag));
}
