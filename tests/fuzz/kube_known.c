/* SPDX-License-Identifier: Apache-2.0 */
/* kube_known.c - a listener that checks what it is told, and what is kept of it. */
#include <string.h>

#include "../../plugins/admission/LimitRanger/cluster.h"
#include "fuzz_kube.h"

/* An object by its name, as this fuzzer remembers it. */
typedef struct known {
	char *name; /* "NAMESPACE/NAME" */
	unsigned long list;
} known;

/* One that is in force, and what it said when it came to be. */
typedef struct forced {
	const cluster_kept *kept;
	uint64_t hash;
} forced;

static struct {
	cluster_source source;
	cluster_objects objects;
	known *model;
	size_t model_count;
	forced *force;
	size_t force_count;
} run;

static bool
is_stopping(void *data)
{
	(void)data;
	return kube.stopping;
}

static char *
join_names(const char *namespace, const char *name)
{
	char *joined = NULL;

	if (asprintf(&joined, "%s/%s", namespace, name) < 0)
		abort();
	return joined;
}

/* Of what is too large there is no more than its name. */
static uint64_t
hash_kept(const cluster_kept *kept)
{
	char *text = kept->unfit == NULL ? limen_value_print(kept->value, 0, NULL)
	                                 : join_names(kept->namespace, kept->name);
	uint64_t made;

	FUZZ_CHECK(text != NULL);
	made = kube_hash(0, text);
	free(text);
	return made;
}

/* What decisions read can be read. */
static void
check_force(void)
{
	for (size_t i = 0; i < run.force_count; i++)
		FUZZ_CHECK(hash_kept(run.force[i].kept) == run.force[i].hash);
}

static void
begin(void *data)
{
	(void)data;
	check_force();
	kube_note("begin", "");
	kube.broken = false;
	run.source.list++;
}

/* NULL: an object that has no name, or a longer one than there are in Kubernetes. */
static char *
make_name(limen_value object)
{
	static const char *const keys[] = { "namespace", "name" };
	limen_value metadata = limen_value_get(object, "metadata");
	const char *parts[2];

	for (int i = 0; i < 2; i++) {
		size_t length = 0;

		parts[i] = limen_value_string(limen_value_get(metadata, keys[i]), &length);
		if (parts[i] == NULL || length == 0 || length > CLUSTER_NAME_MAX ||
		    strlen(parts[i]) != length)
			return NULL;
	}
	return join_names(parts[0], parts[1]);
}

static size_t
find_known(const char *name)
{
	size_t at = 0;

	while (at < run.model_count && strcmp(run.model[at].name, name) != 0)
		at++;
	return at;
}

/* Takes 'name' over. */
static void
learn(char *name)
{
	size_t at = find_known(name);

	if (at < run.model_count) {
		free(name);
	} else {
		run.model = reallocarray(run.model, run.model_count + 1, sizeof *run.model);
		FUZZ_CHECK(run.model != NULL);
		run.model[run.model_count++].name = name;
	}
	run.model[at].list = run.source.list;
}

static void
forget(size_t at)
{
	if (at == run.model_count)
		return;
	free(run.model[at].name);
	run.model[at] = run.model[--run.model_count];
}

static bool
put(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	char *name = make_name(object);
	bool taken = cluster_objects_put(&run.objects, object, &run.source, why);

	(void)data;
	FUZZ_CHECK(taken == (name != NULL));
	kube_note("put", name == NULL ? "" : name);
	if (name != NULL)
		learn(name);
	return taken;
}

static bool
drop(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	char *name = make_name(object);
	bool taken = cluster_objects_drop(&run.objects, object, &run.source, why);

	(void)data;
	FUZZ_CHECK(taken == (name != NULL));
	kube_note("drop", name == NULL ? "" : name);
	if (name != NULL)
		forget(find_known(name));
	free(name);
	return taken;
}

/* They are those that are known, in order, each once. */
static void
check_objects(void)
{
	const cluster_objects *all = &run.objects;
	size_t bytes = 0;

	FUZZ_CHECK(all->count == run.model_count);
	for (size_t i = 0; i < all->count; i++) {
		const cluster_kept *one = all->items[i].kept;
		const cluster_kept *before = i == 0 ? NULL : all->items[i - 1].kept;
		char *name = join_names(one->namespace, one->name);
		int order = i == 0 ? 1 : strcmp(one->namespace, before->namespace);

		FUZZ_CHECK(order > 0 || (order == 0 && strcmp(one->name, before->name) > 0));
		FUZZ_CHECK(find_known(name) < run.model_count);
		FUZZ_CHECK((one->unfit != NULL) == (one->size == 0));
		FUZZ_CHECK(one->size <= CLUSTER_OBJECT_BYTES_MAX);
		bytes += one->size;
		free(name);
	}
	FUZZ_CHECK(all->bytes == bytes && bytes <= CLUSTER_BYTES_MAX);
}

/* As cluster_publish() does. */
static void
publish(void)
{
	cluster_objects *all = &run.objects;

	free(run.force);
	run.force = calloc(all->count + 1, sizeof *run.force);
	FUZZ_CHECK(run.force != NULL);
	run.force_count = all->count;
	for (size_t i = 0; i < all->count; i++)
		run.force[i] = (forced){ all->items[i].kept, hash_kept(all->items[i].kept) };
	cluster_objects_sweep(all);
}

static bool
commit(void *data, bool listed, char why[KUBE_ERROR_MAX])
{
	(void)data;
	(void)why;
	FUZZ_CHECK(!listed || (kube.listing && !kube.broken));
	if (listed) {
		kube_note("listed", "");
		FUZZ_CHECK(cluster_objects_keep_listed(&run.objects, &run.source));
		for (size_t i = run.model_count; i-- > 0;) {
			if (run.model[i].list != run.source.list)
				forget(i);
		}
	}
	check_force();
	check_objects();
	publish();
	return true;
}

static void
tell(void *data, const char *error)
{
	(void)data;
	check_force();
	kube_note("tell", error == NULL ? "" : error);
	FUZZ_CHECK(error == NULL || (*error != '\0' && strlen(error) < KUBE_ERROR_MAX));
	kube.failed = error == NULL ? 0 : kube.now;
}

static void
count(void *data, kube_event event)
{
	static const char *const names[] = { "list", "watch", "change", "restart" };

	(void)data;
	kube_note("count", names[event]);
}

const kube_listener known_listener = { NULL, is_stopping, begin, put, drop, commit, tell, count,
	                               NULL };

void
known_end(void)
{
	check_force();
	check_objects();
	cluster_objects_clear(&run.objects);
	while (run.model_count > 0)
		forget(0);
	free(run.model);
	free(run.force);
	memset(&run, 0, sizeof run);
}
