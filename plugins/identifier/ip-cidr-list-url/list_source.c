/* SPDX-License-Identifier: Apache-2.0 */
/* list_source.c - opening, closing, and what can be asked at any time. */
#include <stdlib.h>
#include <string.h>

#include "list_source.h"

/* A list belongs to its URL and to the script that made it. */
static bool
set_key(list_source *source, const list_settings *settings)
{
	const limen_transform *transform = &settings->transform;
	uint64_t key = list_hash(LIST_HASH_START, settings->source, strlen(settings->source) + 1);

	if (transform->script != NULL) {
		size_t length = 0;
		char *args = limen_value_to_json(transform->args, LIMEN_JSON_SORTED, &length);

		if (args == NULL && limen_value_exists(transform->args))
			return false;
		key = list_hash(key, transform->script, strlen(transform->script) + 1);
		key = list_hash(key, args, args == NULL ? 0 : length);
		free(args);
	}
	source->key = key;
	return true;
}

/* ---- the list to begin with ---- */

static network_list *
take_over(const list_source *source, const list_source *before)
{
	network_list *list;
	unsigned turn;

	if (before == NULL || before->key != source->key)
		return NULL;
	list = swap_enter((swap *)&before->lists, &turn);
	if (list != NULL)
		network_list_ref(list);
	swap_leave((swap *)&before->lists, turn);
	return list;
}
/* ---- life ---- */

static int
compile(list_source *source, limen_opening *opening, limen_diag *diag)
{
	const list_settings *settings = source->settings;
	/* pScheduler makes text of every output itself. */
	limen_transform transform = settings->transform;
	jq_setup setup = {
		.in_background = true,
		.timeout = settings->transform_timeout,
		.sandbox = settings->sandbox,
	};

	if (transform.script == NULL)
		return LIMEN_OK;
	transform.output_raw = false;
	return jq_script_open(&setup, &transform, opening, diag, &source->script);
}
static int
prepare(list_source *source, const list_source *before, limen_opening *opening, limen_diag *diag)
{
	int result = compile(source, opening, diag);
	const char *why = NULL;
	network_list *list;
	size_t length;

	if (result == LIMEN_OK && source->settings->ca_file != NULL)
		result = limen_opening_file(opening, source->settings->ca_file,
		                            limen_opening_option(opening, "ca-file"),
		                            &source->ca_pem, &length, diag);
	if (result != LIMEN_OK)
		return result;
	source->shown = http_url_shown(source->settings->source);
	source->client = http_client_new();
	if (source->shown == NULL || source->client == NULL ||
	    !set_key(source, source->settings))
		return LIMEN_ENOMEM;
	source->has_cache = limen_host_cache_path(source->host, "list", source->cache,
	                                          sizeof(source->cache)) == LIMEN_OK;
	list = take_over(source, before);
	if (list == NULL && source->has_cache)
		list = list_cache_read(source->cache, source->key, &why);
	if (why != NULL)
		limen_host_log(source->host, LIMEN_LOG_WARNING,
		               "the cached list in %s is not used: %s", source->cache, why);
	atomic_init(&source->lists.current, list);
	limen_host_set_ready(source->host, list != NULL);
	if (limen_host_after_blocking(source->host, list_update_first(source), list_update_run,
	                              source) != LIMEN_OK)
		return LIMEN_ENOMEM;
	return LIMEN_OK;
}

int
list_source_open(list_source *source, const list_settings *settings, const list_source *before,
                 limen_opening *opening, limen_diag *diag)
{
	int result;

	source->settings = settings;
	source->host = limen_opening_host(opening);
	if (pthread_mutex_init(&source->lock, NULL) != 0)
		return LIMEN_ENOMEM;
	result = prepare(source, before, opening, diag);
	if (result != LIMEN_OK)
		list_source_close(source);
	return result;
}

void
list_source_close(list_source *source)
{
	network_list_unref(atomic_load(&source->lists.current));
	http_client_free(source->client);
	jq_script_close(source->script);
	free(source->shown);
	pthread_mutex_destroy(&source->lock);
}

/* ---- reading ---- */

const network_list *
list_source_enter(const list_source *source, unsigned *turn)
{
	return swap_enter((swap *)&source->lists, turn);
}

void
list_source_leave(const list_source *source, unsigned turn)
{
	swap_leave((swap *)&source->lists, turn);
}

static void
report_list(const network_list *list, limen_builder *build)
{
	int64_t age;

	limen_builder_bool(build, "ready", list != NULL);
	if (list == NULL)
		return;
	age = limen_host_monotonic() - atomic_load(&list->fresh);
	limen_builder_real(build, "age", (double)age / 1e9);
	limen_builder_int(build, "entries", (int64_t)list->count);
	limen_builder_int(build, "skipped", (int64_t)list->skipped);
}

void
list_source_status(const list_source *source, limen_builder *build)
{
	pthread_mutex_t *lock = (pthread_mutex_t *)&source->lock;
	unsigned turn;

	report_list(list_source_enter(source, &turn), build);
	list_source_leave(source, turn);
	pthread_mutex_lock(lock);
	if (source->error[0] != '\0')
		limen_builder_text(build, "error", source->error);
	pthread_mutex_unlock(lock);
}
