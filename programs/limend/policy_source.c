/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_source.h"

#include <stdatomic.h>

#include "../common/policy_url.h"
#include "file_state.h"

struct policy_source {
	char *name;
	bool is_url;
	file_state seen;      /* of the file, before it was read last */
	atomic_bool followed; /* by the engine, which was told the path */
};

policy_source *
policy_source_new(const char *name)
{
	policy_source *made = g_new0(policy_source, 1);

	made->name = g_strdup(name);
	made->is_url = policy_url_is(name);
	return made;
}

void
policy_source_free(policy_source *self)
{
	if (self == NULL)
		return;
	g_free(self->name);
	g_free(self);
}

/* ---- loading ---- */

/* A load that fails has a reason.  A URL, which may hold a password, is not shown. */
static bool
conclude(int result, const char *shown, limen_diag *diag)
{
	if (result != LIMEN_OK && limen_diag_count(diag, LIMEN_PROBLEM) == 0)
		limen_diag_add(diag, LIMEN_PROBLEM, limen_value_none(), "%s: %s", shown,
		               limen_result_text(result));
	return result == LIMEN_OK;
}

static bool
load_url(policy_source *self, limen_engine *engine, const char *url, limen_diag *diag)
{
	policy_text content;
	int result;

	/* Then the engine has what it had, and follows that. */
	if (!policy_url_fetch(url, NULL, NULL, diag, &content))
		return false;
	atomic_store(&self->followed, false);
	result = policy_text_load(engine, &content, diag);
	policy_text_clear(&content);
	return conclude(result, "the policy", diag);
}

static bool
load_path(policy_source *self, limen_engine *engine, limen_diag *diag)
{
	int result;

	atomic_store(&self->followed, true);
	result = limen_engine_load(engine, self->name, diag);
	/* Then it may have forgotten the path. */
	if (result == LIMEN_ENOMEM)
		atomic_store(&self->followed, false);
	return conclude(result, self->name, diag);
}

bool
policy_source_load(policy_source *self, limen_engine *engine, limen_diag *diag)
{
	char *url;
	bool loaded;

	if (self->is_url)
		return load_url(self, engine, self->name, diag);
	/* Looked at first: what changes while it is read is read again. */
	self->seen = file_state_of(self->name);
	url = policy_url_in_file(self->name, diag);
	loaded = url == NULL ? load_path(self, engine, diag) : load_url(self, engine, url, diag);
	g_free(url);
	return loaded;
}

/* ---- a file that holds a URL ---- */

static bool
holds_url(const policy_source *self)
{
	char *url = policy_url_in_file(self->name, NULL);

	g_free(url);
	return url != NULL;
}

bool
policy_source_is_stale(policy_source *self)
{
	file_state now;

	if (self->is_url)
		return false;
	now = file_state_of(self->name);
	if (file_state_equal(&now, &self->seen))
		return false;
	if (!atomic_load(&self->followed) || holds_url(self))
		return true;
	self->seen = now;
	return false;
}

bool
policy_source_takes_over(const policy_source *self)
{
	return atomic_load(&self->followed) && holds_url(self);
}
