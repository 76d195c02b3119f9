/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_source.c - loads the policy from files or a URL and remembers what it loaded: the state of
 * the file, the URL, and the SHA-256 hash of a fetched text, so that an unchanged text is not
 * loaded again.
 */
#include "policy_source.h"

#include "../common/auto.h"
#include "../common/policy_url.h"
#include "base/file_state.h"
#include "base/log.h"
#include "policy_cache.h"

struct policy_source {
	char **names;         /* ended by NULL; only a single one is or holds a URL */
	char *cache;          /* directory; NULL: none */
	bool is_url;
	struct stat seen;     /* of the file, before it was read last */
	char *url;            /* where the policy was loaded from last; NULL: files */
	char *taken;          /* hash of the text loaded from 'url'; NULL: the engine refused it */
	atomic_bool followed; /* the engine loaded the path and watches it */
};

policy_source *
policy_source_new(char *const *names, const char *cache)
{
	policy_source *source = g_new0(policy_source, 1);

	source->names = g_strdupv((char **)names);
	source->is_url = policy_url_is(names[0]);
	source->cache = g_strdup(cache);
	return source;
}

void
policy_source_free(policy_source *self)
{
	if (self == NULL)
		return;
	g_strfreev(self->names);
	g_free(self->cache);
	g_free(self->url);
	g_free(self->taken);
	g_free(self);
}

/* ---- loading ---- */

/* Adds a problem if a failed load gave none.  'shown' is never a URL: it may hold a password. */
static bool
conclude(int result, const char *shown, limen_diag *diag)
{
	if (result != LIMEN_OK && limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "%s: %s", shown,
		               limen_result_text(result));
	return result == LIMEN_OK;
}

/* Loads the text; 'taken' becomes its hash if it is good. */
static policy_refresh
load_text(policy_source *self, limen_engine *engine, const policy_text *content, const char *hash,
          limen_diag *diag)
{
	int result;

	g_clear_pointer(&self->taken, g_free);
	result = limen_engine_load_text(engine, content->shown, content->text, content->length,
	                                diag);
	/* Cleared after the load: until then the engine may report that it cannot load the file. */
	atomic_store(&self->followed, false);
	if (result == LIMEN_OK)
		self->taken = g_strdup(hash);
	return conclude(result, "the policy", diag) ? POLICY_REFRESH_LOADED : POLICY_REFRESH_FAILED;
}

static char *
hash_text(const policy_text *content)
{
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)content->text,
	                                   content->length);
}

static bool
is_set(void *data)
{
	return atomic_load((const atomic_bool *)data);
}

/*
 * Fetches the text and loads it, with 'stop' only if it is another than before.  If the fetch
 * fails, the engine keeps its policy and goes on watching that policy's files.
 */
static policy_refresh
load_url(policy_source *self, limen_engine *engine, const atomic_bool *stop, limen_diag *diag)
{
	policy_refresh outcome = POLICY_REFRESH_SAME;
	g_auto(policy_text) content = { .text = NULL };
	g_autofree char *hash = NULL;

	if (!policy_url_fetch(self->url, stop == NULL ? NULL : is_set, (void *)stop, diag, &content))
		return stop != NULL && atomic_load(stop) ? POLICY_REFRESH_STOPPED
		                                         : POLICY_REFRESH_FAILED;
	hash = hash_text(&content);
	if (stop == NULL || g_strcmp0(hash, self->taken) != 0)
		outcome = load_text(self, engine, &content, hash, diag);
	if (outcome == POLICY_REFRESH_LOADED && self->cache != NULL)
		policy_cache_store(self->cache, self->url, &content);
	return outcome;
}

static bool
load_path(policy_source *self, limen_engine *engine, limen_diag *diag)
{
	int result;

	g_clear_pointer(&self->taken, g_free);
	atomic_store(&self->followed, true);
	result = limen_engine_load_files(engine, (const char *const *)self->names,
	                                 g_strv_length(self->names), diag);
	/* Without memory the engine may have forgotten the path. */
	if (result == LIMEN_ENOMEM)
		atomic_store(&self->followed, false);
	return conclude(result, self->names[0], diag);
}

/* Returns the URL that the only file holds, to g_free(), or NULL. */
static char *
find_url(const policy_source *self, limen_diag *diag)
{
	return self->names[1] == NULL ? policy_url_in_file(self->names[0], diag) : NULL;
}

bool
policy_source_load(policy_source *self, limen_engine *engine, limen_diag *diag)
{
	g_free(self->url);
	/* The state is taken first: a file that changes while it is read is read again. */
	if (!self->is_url)
		file_state_changed(self->names[0], &self->seen);
	self->url = self->is_url ? g_strdup(self->names[0]) : find_url(self, diag);
	return self->url == NULL ? load_path(self, engine, diag)
	                         : load_url(self, engine, NULL, diag) == POLICY_REFRESH_LOADED;
}

bool
policy_source_load_kept(policy_source *self, limen_engine *engine)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];
	g_auto(policy_text) content = { .text = NULL };
	limen_time stored;
	g_autoptr(limen_diag) diag = limen_diag_new();
	g_autofree char *hash = NULL;

	if (self->cache == NULL || self->url == NULL ||
	    !policy_cache_read(self->cache, self->url, &content, &stored))
		return false;
	hash = hash_text(&content);
	if (load_text(self, engine, &content, hash, diag) != POLICY_REFRESH_LOADED)
		return false;
	log_time_print(stored, time);
	log_print(LIMEN_LOG_WARNING, NULL,
	          "the policy that was in force at %s is used until its URL gives another one", time);
	return true;
}

/* ---- fetching once more ---- */

bool
policy_source_is_fetched(const policy_source *self)
{
	return self->url != NULL;
}

policy_refresh
policy_source_refresh(policy_source *self, limen_engine *engine, const atomic_bool *stop,
                      limen_diag *diag)
{
	if (self->url != NULL)
		return load_url(self, engine, stop, diag);
	return policy_source_load(self, engine, diag) ? POLICY_REFRESH_LOADED
	                                              : POLICY_REFRESH_FAILED;
}

/* ---- a file that holds a URL ---- */

static bool
holds_url(const policy_source *self)
{
	g_autofree char *url = find_url(self, NULL);

	return url != NULL;
}

bool
policy_source_is_stale(policy_source *self)
{
	struct stat before = self->seen;

	if (self->is_url || !file_state_changed(self->names[0], &self->seen) ||
	    (atomic_load(&self->followed) && !holds_url(self)))
		return false;
	self->seen = before;
	return true;
}

bool
policy_source_takes_over(const policy_source *self)
{
	return atomic_load(&self->followed) && holds_url(self);
}
