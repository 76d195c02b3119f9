/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_policy.c - finds the policy of a test and an engine for it.  Tests of one policy share
 * an engine, unless the policy counts: then each test gets an engine of its own with full
 * buckets.
 */
#include <pthread.h>
#include <string.h>

#include "common/auto.h"
#include "cli/message.h"
#include "common/json_out.h"
#include "policy/policy.h"
#include "policy/problems.h"
#include "tests.h"

/* One policy. */
typedef struct slot {
	pthread_mutex_t lock;
	bool tried;
	bool counts;
	limen_engine *engine; /* NULL: it does not load */
	char *why;
} slot;

struct tests_policies {
	const tests_settings *settings;
	pthread_mutex_t lock;
	GHashTable *slots; /* by policy name */
};

static void
free_slot(gpointer data)
{
	slot *entry = data;

	pthread_mutex_destroy(&entry->lock);
	limen_engine_free(entry->engine);
	g_free(entry->why);
	g_free(entry);
}

tests_policies *
tests_policies_new(const tests_settings *settings)
{
	tests_policies *self = g_new0(tests_policies, 1);

	self->settings = settings;
	pthread_mutex_init(&self->lock, NULL);
	self->slots = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_slot);
	return self;
}

void
tests_policies_free(tests_policies *self)
{
	g_hash_table_destroy(self->slots);
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}

/* ---- names ---- */

/* Returns the parent of a directory "tests", or the default policy. */
static char *
find_nearby(const test_file *file)
{
	g_autofree char *directory = g_path_get_dirname(file->suite.file);
	g_autofree char *absolute = g_canonicalize_filename(directory, NULL);
	g_autofree char *name = g_path_get_basename(absolute);

	if (strcmp(name, "tests") != 0)
		return g_strdup(policy_default());
	if (strcmp(directory, "tests") == 0)
		return g_strdup(".");
	return g_path_get_dirname(g_str_has_suffix(directory, "/tests") ? directory : absolute);
}

char *
tests_policy_path(const test_file *file, const char *path)
{
	g_autofree char *directory = g_path_get_dirname(file->suite.file);

	return g_path_is_absolute(path) || strcmp(directory, ".") == 0
	               ? g_strdup(path)
	               : g_build_filename(directory, path, NULL);
}

/* Returns the path of the policy, or its text, which begins with "{". */
static char *
name_policy(const tests_policies *self, const test_case *test)
{
	limen_value own = tests_find(&test->view, "policy");
	const char *path;
	g_autofree char *found = NULL;

	if (!limen_value_exists(own))
		own = limen_value_get(test->file->root, "policy");
	path = limen_value_string(own, NULL);
	if (path == NULL && limen_value_exists(own)) {
		GString *text = g_string_new(NULL);

		json_value(text, own);
		return g_string_free(text, FALSE);
	}
	if (path != NULL)
		found = tests_policy_path(test->file, path);
	else if (self->settings->policy != NULL)
		found = g_strdup(self->settings->policy);
	else
		found = find_nearby(test->file);
	return found[0] == '{' ? g_strconcat("./", found, NULL) : g_steal_pointer(&found);
}

/* ---- engines ---- */

/* Returns an engine with the policy 'name', or NULL with '*why' to g_free(). */
static limen_engine *
load(const tests_policies *self, const char *name, char **why)
{
	g_autoptr(limen_engine) engine = policy_engine(self->settings->common,
	                                               self->settings->engine_flags);
	g_autoptr(limen_diag) diag = policy_diag();
	bool good;

	if (name[0] == '{')
		good = policy_load_text(engine, name, strlen(name), diag);
	else if (g_strcmp0(name, self->settings->policy) == 0)
		good = policy_load_all(engine, self->settings->policies, diag, why);
	else
		good = policy_load(engine, name, diag, why);
	if (good)
		return g_steal_pointer(&engine);
	if (*why == NULL)
		*why = g_strdup_printf("the policy does not load: %s",
		                       problems_first(diag, "unknown problem"));
	flockfile(stderr);
	problems_print_policy(diag, LIMEN_SEVERITY_PROBLEM);
	funlockfile(stderr);
	return NULL;
}

/* Returns the slot of the policy 'name', which is loaded on first use. */
static const slot *
find_slot(tests_policies *self, const char *name)
{
	slot *found;

	pthread_mutex_lock(&self->lock);
	found = g_hash_table_lookup(self->slots, name);
	if (found == NULL) {
		found = g_new0(slot, 1);
		pthread_mutex_init(&found->lock, NULL);
		g_hash_table_insert(self->slots, g_strdup(name), found);
	}
	pthread_mutex_unlock(&self->lock);
	pthread_mutex_lock(&found->lock);
	if (!found->tried) {
		found->tried = true;
		found->engine = load(self, name, &found->why);
		found->counts = found->engine != NULL && policy_counts(found->engine);
		if (found->engine != NULL && self->settings->cover != NULL)
			tests_cover_policy(self->settings->cover, name, found->engine);
	}
	pthread_mutex_unlock(&found->lock);
	return found;
}

bool
tests_policy_open(tests_policies *self, const test_case *test, test_policy *out, char **why)
{
	const slot *entry;

	*out = (test_policy){ .name = name_policy(self, test) };
	entry = find_slot(self, out->name);
	if (entry->engine == NULL) {
		*why = g_strdup(entry->why);
		return false;
	}
	if (entry->counts && policy_is_stream(out->name)) {
		*why = g_strdup("the policy counts, so each test needs it anew, but this one can be "
		                "read only once");
		return false;
	}
	out->own = entry->counts;
	out->engine = entry->counts ? load(self, out->name, why) : entry->engine;
	return out->engine != NULL;
}

void
tests_policy_close(test_policy *self)
{
	if (self->own)
		limen_engine_free(self->engine);
	g_free(self->name);
}
