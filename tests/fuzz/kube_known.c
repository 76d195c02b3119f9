/* SPDX-License-Identifier: Apache-2.0 */
/* kube_known.c - a listener that checks what it is told, and what is kept of it. */
#include <string.h>

#include "kube_known.h"

/* One that is in force, and what it said when it came to be. */
typedef struct forced {
	const cluster_kept *kept;
	uint64_t hash;
} forced;

static struct {
	cluster_source source;
	cluster_objects objects;
	kube_model model;
	unsigned long list; /* that is under way, or was last */
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

/* Of what has no room there is no more than its name. */
static uint64_t
hash_kept(const cluster_kept *kept)
{
	uint64_t made = kube_hash(kube_hash(0, kept->namespace), kept->name);
	char *text;

	if (kept->unfit != NULL)
		return kube_hash(made, kept->unfit);
	text = limen_value_print(kept->value, 0, NULL);
	FUZZ_CHECK(text != NULL);
	made = kube_hash(made, text);
	free(text);
	return made;
}

/*
 * What decisions read can be read, until another state is in force: what is freed or changed
 * before then is so at its end as well.
 */
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
	kube_note("begin", "");
	kube.broken = false;
	run.list++;
	cluster_objects_begin(&run.objects, &run.source);
}

/* ---- what is kept ---- */

static bool
is_closed(const char *namespace)
{
	const cluster_share *share = cluster_shares_find(&run.objects.shares, namespace);

	return share != NULL && share->collapsed;
}

static void
check_object(const cluster_kept *one, const known *as)
{
	FUZZ_CHECK(one->wanted == as->wanted);
	FUZZ_CHECK(one->size == (one->unfit == NULL ? as->wanted : 0));
	FUZZ_CHECK(one->wanted > 0 || one->unfit != NULL);
	FUZZ_CHECK(one->wanted == 0 || one->unfit == NULL || one->unfit == cluster_crowded);
}

/* Where a namespace is closed what is kept of it may be old. */
static void
check_kept(const cluster_kept *kept)
{
	bool found;
	size_t at = model_find(&run.model, kept->namespace, kept->name, &found);

	FUZZ_CHECK(found);
	if (!is_closed(kept->namespace))
		check_object(kept, &run.model.items[at]);
}

/* In order; and where nothing is missing the namespace is open. */
static void
check_objects(void)
{
	const cluster_objects *all = &run.objects;
	size_t bytes = 0;
	bool found;

	for (size_t i = 0; i < all->count; i++) {
		const cluster_kept *kept = all->items[i].kept;

		FUZZ_CHECK(cluster_objects_find(all, kept->namespace, kept->name, &found) == i);
		check_kept(kept);
		bytes += kept->size;
	}
	FUZZ_CHECK(all->bytes == bytes);
	for (size_t i = 0; i < run.model.count; i++) {
		const known *one = &run.model.items[i];

		cluster_objects_find(all, one->namespace, one->name, &found);
		FUZZ_CHECK(found || is_closed(one->namespace));
	}
}

/* ---- what is in force ---- */

/* What was in force before is not looked at again. */
static uint64_t
hash_once(const cluster_kept *kept, size_t *at)
{
	for (; *at < run.force_count; (*at)++) {
		const cluster_kept *old = run.force[*at].kept;
		int order = strcmp(old->namespace, kept->namespace);

		if (order == 0)
			order = strcmp(old->name, kept->name);
		if (old == kept)
			return run.force[*at].hash;
		if (order >= 0)
			break;
	}
	return hash_kept(kept);
}

/* Of what was in force nothing is missing that has not been said to be gone. */
static void
check_lost(void)
{
	const cluster_objects *all = &run.objects;

	for (size_t i = 0; i < run.force_count; i++) {
		const cluster_kept *old = run.force[i].kept;
		bool there;
		bool found;

		model_find(&run.model, old->namespace, old->name, &there);
		cluster_objects_find(all, old->namespace, old->name, &found);
		FUZZ_CHECK(!there || found || is_closed(old->namespace) || all->full);
	}
}

/* As cluster_publish() does. */
static void
publish(void)
{
	cluster_objects *all = &run.objects;
	forced *made = calloc(all->count + 1, sizeof *made);
	size_t at = 0;

	FUZZ_CHECK(made != NULL);
	check_force();
	check_lost();
	for (size_t i = 0; i < all->count; i++) {
		const cluster_kept *kept = all->items[i].kept;

		made[i] = (forced){ kept, hash_once(kept, &at) };
	}
	free(run.force);
	run.force = made;
	run.force_count = all->count;
	cluster_objects_sweep(all);
}

/* ---- what is told ---- */

static void
note_object(const char *what, limen_value object)
{
	known one;
	bool named = model_name(object, &one);

	kube_note(what, named ? one.namespace : "");
	kube_note("of", named ? one.name : "");
}

/*
 * Every namespace has a mark, or one LimitRange that was not gone when the last list began, as
 * far as it has come: none of them can make room.
 */
static bool
is_full(void)
{
	const cluster_shares *shares = &run.objects.shares;
	size_t count = 0;

	for (size_t i = 0; i < shares->count; i++)
		count += shares->items[i]->collapsed ||
		         shares->items[i]->count > shares->items[i]->unnamed;
	return run.objects.full && count >= CLUSTER_OBJECTS_MAX;
}

static void
check_room(void)
{
	const cluster_objects *all = &run.objects;

	FUZZ_CHECK(all->bytes <= CLUSTER_BYTES_MAX);
	FUZZ_CHECK(all->count - all->unnamed + all->shares.collapsed_count <=
	           CLUSTER_OBJECTS_MAX);
	FUZZ_CHECK(all->count <= 2 * CLUSTER_OBJECTS_MAX);
}

static bool
put(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	known one;
	bool taken = cluster_objects_put(&run.objects, object, &run.source, why);
	bool named = model_name(object, &one);

	(void)data;
	FUZZ_CHECK(taken ? named : !named || is_full());
	check_room();
	note_object("put", object);
	if (taken)
		model_learn(&run.model, object, run.list);
	if (!taken && run.objects.full)
		publish();
	kube.broken = kube.broken || !taken;
	return taken;
}

static bool
drop(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	known one;
	bool taken = cluster_objects_drop(&run.objects, object, &run.source, why);
	bool named = model_name(object, &one);
	bool found = false;
	size_t at = named ? model_find(&run.model, one.namespace, one.name, &found) : 0;

	(void)data;
	FUZZ_CHECK(taken == named);
	note_object("drop", object);
	if (found)
		model_forget(&run.model, at);
	return taken;
}

/* ---- who is served ---- */

static bool
again(void *data)
{
	bool early = run.again > 0 && kube.now - run.again < CLUSTER_AGAIN_AFTER;
	bool restored = run.source.restored;
	bool text = turns_text_due(&run.objects) && (restored || !early);
	bool wanted = cluster_objects_again(&run.objects, &run.source, kube.now);

	(void)data;
	FUZZ_CHECK(wanted || !(text || (!early && turns_names_fit(&run.objects))));
	FUZZ_CHECK(!wanted || text || (!early && run.objects.shares.collapsed_count > 0));
	if (wanted) {
		kube_note("again", "");
		run.again = kube.now;
		kube.again = true;
	}
	return wanted;
}

/* After a list whoever is served is so with all there is, and nobody is closed who has nothing. */
static void
check_served(void)
{
	const cluster_objects *all = &run.objects;

	for (size_t i = 0; i < all->count; i++) {
		const cluster_kept *one = all->items[i].kept;
		const cluster_share *share = cluster_shares_find(&all->shares, one->namespace);

		FUZZ_CHECK(share != NULL && !(share->collapsed && share->place > 0));
		FUZZ_CHECK((share->place == 0) == (one->unfit == cluster_crowded) ||
		           one->wanted == 0 || share->collapsed);
	}
	for (size_t i = 0; i < all->shares.count; i++) {
		const cluster_share *share = all->shares.items[i];
		bool found;
		size_t at = model_find(&run.model, share->namespace, "", &found);

		FUZZ_CHECK(at < run.model.count &&
		           strcmp(run.model.items[at].namespace, share->namespace) == 0);
	}
}

/* ---- what has come ---- */

static bool
commit(void *data, bool listed, char why[KUBE_ERROR_MAX])
{
	(void)data;
	(void)why;
	FUZZ_CHECK(!listed || (kube.listing && !kube.broken));
	if (listed) {
		kube_note("listed", "");
		FUZZ_CHECK(cluster_objects_keep_listed(&run.objects, &run.source));
		model_forget_missing(&run.model, run.list);
		check_served();
	}
	check_objects();
	FUZZ_CHECK(run.objects.unnamed == 0 && !run.objects.full);
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
	                               again };

void
known_end(void)
{
	check_force();
	/* What a list brought that has failed may be forgotten. */
	if (!run.source.listing)
		check_objects();
	cluster_objects_clear(&run.objects);
	model_clear(&run.model);
	free(run.force);
	memset(&run, 0, sizeof run);
}
