/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_known.c - a listener that keeps what it is told as LimitRanger does, and checks
 * that it is in order and within its caps, and that what is in force can be read.
 */
#include <string.h>

#include "../../plugins/admission/LimitRanger/cluster/cluster.h"
#include "fuzz_kube.h"

/* One that is in force, and what it said when it came to be. */
typedef struct forced {
	cluster_object *object;
	uint64_t hash;
} forced;

static struct {
	cluster_source source;
	cluster_objects objects;
	forced *force;
	size_t force_count;
	int64_t again; /* when another list was wanted last; 0: never */
} run;

static bool
is_stopping(void *data)
{
	(void)data;
	return kube.stopping;
}

static uint64_t
hash_object(const cluster_object *one)
{
	return kube_hash(kube_hash(kube_hash(0, one->namespace), one->name), one->text);
}

static void
begin(void *data)
{
	(void)data;
	kube_note("begin", "");
	kube.broken = false;
	cluster_objects_clear(&run.source.pending);
	run.source.listing = true;
}

static void
check_objects(const cluster_objects *all)
{
	size_t bytes = 0;
	size_t here = 0; /* of one namespace */

	for (size_t i = 0; i < all->count; i++) {
		const cluster_object *one = all->items[i];
		const cluster_object *before = i == 0 ? NULL : all->items[i - 1];
		int order = before == NULL ? -1 : strcmp(before->namespace, one->namespace);

		FUZZ_CHECK(order < 0 || (order == 0 && strcmp(before->name, one->name) < 0));
		FUZZ_CHECK(cluster_objects_gap(all, one->namespace) == NULL);
		FUZZ_CHECK(strlen(one->text) == one->size);
		here = order < 0 ? one->size : here + one->size;
		FUZZ_CHECK(here <= CLUSTER_SPACE_BYTES_MAX);
		bytes += one->size;
	}
	for (size_t i = 0; i < all->gap_count; i++) {
		FUZZ_CHECK(cluster_objects_gap(all, all->gaps[i].namespace) == &all->gaps[i]);
		FUZZ_CHECK(all->gaps[i].why != CLUSTER_OPEN);
	}
	FUZZ_CHECK(all->bytes == bytes && bytes <= CLUSTER_BYTES_MAX + CLUSTER_BYTES_MAX / 8);
}

/* Is it kept, or its namespace closed? */
static bool
is_kept(const cluster_objects *all, const char *namespace, const char *name)
{
	bool found = cluster_objects_gap(all, namespace) != NULL;

	for (size_t i = 0; !found && i < all->count; i++)
		found = strcmp(all->items[i]->namespace, namespace) == 0 &&
		        strcmp(all->items[i]->name, name) == 0;
	return found;
}

/* What decisions read can be read until another state is in force. */
static void
drop_force(void)
{
	for (size_t i = 0; i < run.force_count; i++) {
		FUZZ_CHECK(hash_object(run.force[i].object) == run.force[i].hash);
		cluster_object_unref(run.force[i].object);
	}
	free(run.force);
	run.force = NULL;
	run.force_count = 0;
}

/* As cluster_publish() does. */
static void
publish(void)
{
	cluster_objects *all = &run.objects;
	forced *made;
	size_t used = 0;

	FUZZ_CHECK(cluster_objects_fit(all) && all->bytes <= CLUSTER_BYTES_MAX);
	made = calloc(all->count + 1, sizeof *made);
	FUZZ_CHECK(made != NULL);
	for (size_t i = 0; i < all->count; i++) {
		cluster_object *one = cluster_object_ref(all->items[i]);

		made[used++] = (forced){ one, hash_object(one) };
	}
	drop_force();
	run.force = made;
	run.force_count = used;
}

/* ---- what is told ---- */

static const char *
name_of(limen_value object, const char *key)
{
	const char *text = limen_value_string(
		limen_value_get(limen_value_get(object, "metadata"), key), NULL);

	return text == NULL ? "" : text;
}

static void
note_object(const char *what, limen_value object)
{
	kube_note(what, name_of(object, "namespace"));
	kube_note("of", name_of(object, "name"));
}

static bool
put(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	cluster_objects *to = run.source.listing ? &run.source.pending : &run.objects;
	bool taken = cluster_objects_put(to, &run.objects, object, &run.source, why);

	(void)data;
	check_objects(to);
	FUZZ_CHECK(!taken || is_kept(to, name_of(object, "namespace"), name_of(object, "name")));
	note_object("put", object);
	kube.broken = kube.broken || !taken;
	return taken;
}

static bool
drop(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	bool taken = cluster_objects_drop(&run.objects, object, &run.source, why);

	(void)data;
	check_objects(&run.objects);
	note_object("drop", object);
	return taken;
}

static bool
again(void *data)
{
	bool wanted = cluster_objects_again(&run.objects, &run.source, kube.now);

	(void)data;
	FUZZ_CHECK(!wanted || (run.objects.gap_count > 0 &&
	                       (run.again == 0 || kube.now - run.again >= CLUSTER_AGAIN_AFTER)));
	if (wanted) {
		kube_note("again", "");
		run.again = kube.now;
		kube.again = true;
	}
	return wanted;
}

static bool
commit(void *data, bool listed, char why[KUBE_ERROR_MAX])
{
	(void)data;
	(void)why;
	FUZZ_CHECK(!listed || (kube.listing && !kube.broken));
	if (listed) {
		kube_note("listed", "");
		FUZZ_CHECK(cluster_objects_take(&run.objects, &run.source));
	}
	check_objects(&run.objects);
	publish();
	return true;
}

static void
tell(void *data, const char *error)
{
	(void)data;
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
	                               again, NULL };

void
known_end(void)
{
	drop_force();
	cluster_objects_clear(&run.objects);
	cluster_objects_clear(&run.source.pending);
	memset(&run, 0, sizeof run);
}
