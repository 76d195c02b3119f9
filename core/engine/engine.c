/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.c - loads policies and owns the pointer to the policy in force.
 *
 * The engine owns one pointer to the current policy, and the list of replaced
 * policies that may still be in use (the graveyard).  Every decision holds a
 * reference to its policy.  Loading builds the new policy completely, exchanges the
 * pointer, and frees unused policies of the graveyard: always on a thread that loads
 * or that of background work, so that no decision ever runs a module's close.
 */
#include "engine.h"

#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"
#include "base/sized.h"
#include "base/strbuf.h"
#include "base/thread.h"

#define ENGINE_FLAGS \
	(LIMEN_ENGINE_WITHOUT_POLICY | LIMEN_ENGINE_PASSIVE | LIMEN_ENGINE_WATCH |                \
	 LIMEN_ENGINE_MEMORY_STORES | LIMEN_ENGINE_FOREIGN_TEXTS | \
	 LIMEN_ENGINE_FOREIGN_POLICIES | LIMEN_ENGINE_ENFORCE)

/* How long freeing an engine waits for calls of modules: abandoned ones and background jobs. */
#define PATIENCE_NANOSECONDS (INT64_C(5) * 1000000000)

static const char *const builtin_directory[] = { LIMEN_MODULEDIR };

/* Splits "a:b" in place, in the memory of 'engine'; the built-in directory comes last. */
static bool
set_module_path(limen_engine *engine, const char *text)
{
	char *copy = arena_strdup(&engine->memory, text == NULL ? "" : text);
	size_t most = 2;
	const char **directories;
	char *rest;

	if (copy == NULL)
		return false;
	for (const char *c = copy; *c != '\0'; c++)
		most += *c == ':';
	directories = arena_calloc(&engine->memory, most, sizeof(*directories));
	if (directories == NULL)
		return false;
	for (char *word = strtok_r(copy, ":", &rest); word != NULL; word = strtok_r(NULL, ":", &rest))
		directories[engine->inputs.path.count++] = word;
	directories[engine->inputs.path.count++] = builtin_directory[0];
	engine->inputs.path.directories = directories;
	return true;
}

static bool
set_options(limen_engine *engine, const limen_engine_options *known)
{
	engine->inputs.memory_stores = (known->flags & LIMEN_ENGINE_MEMORY_STORES) != 0;
	engine->inputs.enforce = (known->flags & LIMEN_ENGINE_ENFORCE) != 0;
	engine->flags = known->flags;
	engine->reloaded = known->reloaded;
	engine->reloaded_data = known->reloaded_data;
	engine->services.log = known->log;
	engine->services.log_data = known->log_data;
	engine->services.passive = (known->flags & LIMEN_ENGINE_PASSIVE) != 0;
	if (known->cache_dir != NULL) {
		engine->services.cache_dir = arena_strdup(&engine->memory, known->cache_dir);
		if (engine->services.cache_dir == NULL)
			return false;
	}
	if (known->manifest_namespace != NULL) {
		engine->inputs.namespace = arena_strdup(&engine->memory, known->manifest_namespace);
		if (engine->inputs.namespace == NULL)
			return false;
	}
	return set_module_path(engine, known->module_path);
}

/*
 * Copies the options that are known.  Options of size 0 were not filled in, and a flag or member
 * that is unknown may restrict what a policy may do: an engine without it would do more than its
 * user wants.  False for these.
 */
static bool
read_options(const limen_engine_options *options, limen_engine_options *known)
{
	return options == NULL || (options->size >= offsetof(limen_engine_options, log) &&
	                           sized_copy(known, sizeof(*known), options) &&
	                           (known->flags & ~(unsigned)ENGINE_FLAGS) == 0);
}

limen_engine *
limen_engine_new(const limen_engine_options *options)
{
	limen_engine_options known = { .size = 0 };
	limen_engine *engine;

	if (!read_options(options, &known)) {
		errno = EINVAL;
		return NULL;
	}
	engine = aligned_alloc(alignof(limen_engine), sizeof(*engine));
	if (engine == NULL)
		return NULL;
	memset(engine, 0, sizeof(*engine));
	pthread_mutex_init(&engine->control, NULL);
	pthread_mutex_init(&engine->swap, NULL);
	pthread_mutex_init(&engine->waiting_lock, NULL);
	if (!set_options(engine, &known)) {
		limen_engine_free(engine);
		return NULL;
	}
	engine->inputs.background = background_new(&engine->services);
	engine->workers = pool_new();
	if (engine->inputs.background != NULL)
		engine->host = host_new(engine->inputs.background, "engine", "policies");
	if (engine->host == NULL || engine->workers == NULL) {
		limen_engine_free(engine);
		return NULL;
	}
	host_activate(engine->host);
	return engine;
}

static policy *
hold_counted(limen_engine *engine)
{
	policy *loaded;

	pthread_mutex_lock(&engine->swap);
	loaded = atomic_load(&engine->current);
	if (loaded != NULL)
		policy_ref(loaded);
	pthread_mutex_unlock(&engine->swap);
	return loaded;
}

/*
 * Says first that this thread reads the policy, then looks whether it is still in force: who
 * replaced it in between looks at the readers only afterwards.
 */
policy *
engine_hold(limen_engine *engine, policy_reader **reader)
{
	policy_reader *mine = &engine->readers[thread_number() % READERS];
	policy *loaded = atomic_load(&engine->current);
	policy *none = NULL;

	*reader = NULL;
	if (loaded != NULL && atomic_compare_exchange_strong(&mine->policy, &none, loaded)) {
		if (atomic_load(&engine->current) == loaded) {
			*reader = mine;
			return loaded;
		}
		atomic_store(&mine->policy, NULL);
	}
	return hold_counted(engine);
}

void
engine_release(policy *loaded, policy_reader *reader)
{
	if (reader != NULL)
		atomic_store_explicit(&reader->policy, NULL, memory_order_release);
	else if (loaded != NULL)
		policy_unref(loaded);
}

/* Puts 'loaded' (NULL: nothing) in force.  Control lock held. */
static void
publish(limen_engine *engine, policy *loaded)
{
	policy *old;

	pthread_mutex_lock(&engine->swap);
	old = atomic_exchange(&engine->current, loaded);
	pthread_mutex_unlock(&engine->swap);
	if (old == NULL)
		return;
	engine_bury(engine, old);
}

/*
 * Keeps what calls that have not returned can still reach: policies, hosts, and the threads they
 * run on.  The list shows these engines to debuggers and to tools that look for leaks.
 */
static void
leave(limen_engine *engine)
{
	static _Atomic(limen_engine *) left;

	limen_host_log(engine->host, LIMEN_LOG_WARNING,
	               "calls of modules have not returned: their threads and policy stay");
	background_silence(engine->inputs.background);
	engine->next = atomic_exchange(&left, engine);
}

void
limen_engine_free(limen_engine *engine)
{
	int64_t deadline = limen_host_monotonic() + PATIENCE_NANOSECONDS;
	bool returned;

	if (engine == NULL)
		return;
	engine_stop_watching(engine);
	if (engine->inputs.background != NULL)
		background_wind_down(engine->inputs.background);
	if (engine->host != NULL)
		host_stop(engine->host);
	publish(engine, NULL);
	engine_stop_jobs(engine);
	returned = pool_free(engine->workers, deadline);
	if (engine->inputs.background != NULL)
		returned = background_wait_idle(engine->inputs.background, deadline) && returned;
	engine_source_clear(engine);
	arena_free(&engine->inputs.tried.memory);
	free(engine->last_error);
	engine_free_unused(engine);
	if (!returned) {
		leave(engine);
		return;
	}
	host_free(engine->host);
	background_free(engine->inputs.background);
	pthread_mutex_destroy(&engine->control);
	pthread_mutex_destroy(&engine->swap);
	pthread_mutex_destroy(&engine->waiting_lock);
	arena_free(&engine->memory);
	free(engine);
}

/* Background jobs start only once their policy is in force. */
static void
activate(const policy *loaded)
{
	const entry *item;

	for (size_t i = 0; (item = policy_entry(loaded, i)) != NULL; i++)
		host_activate(item->instance->host);
}

static bool
has_blocking(const policy *loaded)
{
	const unsigned blocking = LIMEN_MODULE_BLOCKING | LIMEN_MODULE_WAITING;
	const entry *item;

	for (size_t i = 0; (item = policy_entry(loaded, i)) != NULL; i++)
		if ((item->instance->flags & blocking) != 0)
			return true;
	return false;
}

/* Builds the policy of 'files' and puts it in force.  Control lock held. */
static int
install(limen_engine *engine, conf *files, int result, limen_diag *diag)
{
	policy *loaded;
	bool may_block;
	bool may_hold;

	if (files == NULL)
		return result;
	if (result != LIMEN_OK) {
		int compiled;

		/* The other files' problems are worth knowing too. */
		loaded = policy_compile(files, &engine->inputs, NULL, &compiled, diag);
		if (loaded != NULL)
			policy_each_input(loaded, tried_add, &engine->inputs.tried);
		policy_free(loaded);
		return result;
	}
	loaded = policy_compile(files, &engine->inputs, engine->current, &result, diag);
	if (loaded == NULL)
		return result;
	if (engine->current != NULL) {
		conf_warn_emptied(loaded->files, engine->current->files, diag);
		engine->changed = loaded->is_renewed || engine->last_error != NULL ||
		                  !conf_equal(loaded->files, engine->current->files);
	}
	may_hold = has_blocking(loaded);
	may_block = may_hold || loaded->identifiers.blocking || loaded->admission.blocking;
	/* While both policies may be in use, these are true if they are true for either. */
	if (may_block)
		atomic_store(&engine->may_block, true);
	if (may_hold)
		atomic_store(&engine->may_hold, true);
	publish(engine, loaded);
	atomic_store(&engine->may_block, may_block);
	atomic_store(&engine->may_hold, may_hold);
	activate(loaded);
	engine->loads++;
	engine->loaded_at = limen_host_wall_time();
	return LIMEN_OK;
}

/* Puts file, line and column first: a directory has several files.  malloc()ed. */
static char *
spell_problem(const limen_problem *problem)
{
	strbuf buf = STRBUF_INIT;

	if (problem->file != NULL)
		strbuf_addf(&buf, "%s:", problem->file);
	if (problem->file != NULL && problem->line > 0)
		strbuf_addf(&buf, "%u:", problem->line);
	if (problem->file != NULL && problem->line > 0 && problem->column > 0)
		strbuf_addf(&buf, "%u:", problem->column);
	if (problem->file != NULL)
		strbuf_addc(&buf, ' ');
	strbuf_adds(&buf, problem->text);
	return strbuf_steal(&buf, NULL);
}

/* Remembers the outcome for limen_engine_describe(); the load's entries begin at 'before'. */
static int
conclude(limen_engine *engine, int result, size_t before, const limen_diag *diag)
{
	const limen_problem *problem = NULL;

	for (size_t i = before; result != LIMEN_OK && problem == NULL; i++) {
		const limen_problem *item = limen_diag_get(diag, i);

		if (item == NULL)
			break;
		if (item->severity == LIMEN_SEVERITY_PROBLEM)
			problem = item;
	}
	free(engine->last_error);
	engine->last_error = NULL;
	if (result != LIMEN_OK)
		engine->last_error =
			problem == NULL ? strdup(limen_result_text(result)) : spell_problem(problem);
	engine_sweep(engine);
	return result;
}

/* Loads again what the engine remembers to be its source.  Control lock held. */
static int
load_source(limen_engine *engine, limen_diag *diag)
{
	limen_diag *own = diag == NULL ? limen_diag_new() : diag;
	int result;
	conf *files;
	size_t before;

	engine->changed = true;
	/* Without a list problems would go unnoticed. */
	if (own == NULL)
		return LIMEN_ENOMEM;
	before = limen_diag_count(own, LIMEN_SEVERITY_NOTE);
	tried_clear(&engine->inputs.tried);
	files = engine_source_read(engine, &result, own);
	result = install(engine, files, result, own);
	conclude(engine, result, before, own);
	if (own != diag)
		limen_diag_free(own);
	return result;
}

/* Takes the control lock to load what the caller names. */
static void
begin_load(limen_engine *engine)
{
	pthread_mutex_lock(&engine->control);
	atomic_store(&engine->wants_policy, true);
}

/*
 * Loads the source that was just set, if 'remembered', and releases the control
 * lock.  Watching starts before reading, so that no change in between is missed.
 */
static int
load_and_unlock(limen_engine *engine, bool remembered, bool *changed, limen_diag *diag)
{
	limen_host *stale = NULL;
	limen_host *stale_inputs = NULL;
	int result = LIMEN_ENOMEM;

	if (remembered) {
		stale = engine_watch(engine, diag);
		result = load_source(engine, diag);
	}
	if (result == LIMEN_OK)
		tried_clear(&engine->inputs.tried);
	if (remembered)
		stale_inputs = engine_watch_inputs(engine, result == LIMEN_OK, diag);
	if (changed != NULL)
		*changed = engine->changed;
	pthread_mutex_unlock(&engine->control);
	host_free(stale);
	host_free(stale_inputs);
	return result;
}

int
limen_engine_load(limen_engine *engine, const char *path, limen_diag *diag)
{
	if (engine == NULL)
		return LIMEN_ENOMEM;
	if (path == NULL)
		return LIMEN_EINVAL;
	begin_load(engine);
	return load_and_unlock(engine, engine_source_set_files(engine, &path, 1), NULL, diag);
}

int
limen_engine_load_text(limen_engine *engine, const char *name, const char *text, size_t length,
                       limen_diag *diag)
{
	if (engine == NULL)
		return LIMEN_ENOMEM;
	if (text == NULL)
		return LIMEN_EINVAL;
	begin_load(engine);
	return load_and_unlock(engine, engine_source_set_text(engine, name, text, length),
	                       NULL, diag);
}

int
limen_engine_load_files(limen_engine *engine, const char *const *paths, size_t count,
                        limen_diag *diag)
{
	if (engine == NULL)
		return LIMEN_ENOMEM;
	if (paths == NULL && count > 0)
		return LIMEN_EINVAL;
	begin_load(engine);
	return load_and_unlock(engine, engine_source_set_files(engine, paths, count), NULL, diag);
}

int
engine_reload(limen_engine *engine, bool *changed, limen_diag *diag)
{
	pthread_mutex_lock(&engine->control);
	return load_and_unlock(engine, true, changed, diag);
}

int
limen_engine_reload(limen_engine *engine, limen_diag *diag)
{
	return engine == NULL ? LIMEN_ENOMEM : engine_reload(engine, NULL, diag);
}

bool
limen_engine_wait_ready(limen_engine *engine, limen_duration timeout)
{
	return engine != NULL && background_wait_ready(engine->inputs.background, timeout);
}

bool
limen_engine_may_block(const limen_engine *engine)
{
	return engine != NULL && atomic_load(&engine->may_block);
}

bool
limen_engine_begin_may_block(const limen_engine *engine)
{
	return engine != NULL && atomic_load(&engine->may_hold);
}
