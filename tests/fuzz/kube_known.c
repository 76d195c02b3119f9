/* SPDX-License-Identifier: Apache-2.0 */
/* kube_known.c - a listener that checks what it is told, and what is kept of it. */
#include <string.h>

#include "../../plugins/admission/LimitRanger/cluster.h"
#include "fuzz_kube.h"

/* An object, as this fuzzer remembers it. */
typedef struct known {
	char *namespace;
	char *name;
	size_t wanted; /* bytes */
	unsigned long list;
} known;

/* What a namespace wants. */
typedef struct wish {
	const char *namespace;
	size_t wanted;
	bool crowded; /* there is no more than a name of something that fits */
} wish;

/* One that is in force, and what it said when it came to be. */
typedef struct forced {
	const cluster_kept *kept;
	uint64_t hash;
} forced;

static struct {
	cluster_source source;
	cluster_objects objects;
	known *model; /* in order */
	size_t model_count;
	size_t model_room;
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
	cluster_objects_begin(&run.objects, &run.source);
}

/* ---- what is to be known ---- */

/* NULL: it has none, or a longer one than there are in Kubernetes. */
static const char *
get_name(limen_value object, const char *key)
{
	size_t length = 0;
	const char *text = limen_value_string(
		limen_value_get(limen_value_get(object, "metadata"), key), &length);
	bool good = text != NULL && length > 0 && length <= CLUSTER_NAME_MAX &&
	            strlen(text) == length;

	return good ? text : NULL;
}

/* Stores what an object is called, borrowed; false if it is none. */
static bool
name_object(limen_value object, known *out)
{
	*out = (known){
		.namespace = (char *)(uintptr_t)get_name(object, "namespace"),
		.name = (char *)(uintptr_t)get_name(object, "name"),
	};
	return out->namespace != NULL && out->name != NULL;
}

static void
note_object(const char *what, limen_value object)
{
	known one;
	bool named = name_object(object, &one);

	kube_note(what, named ? one.namespace : "");
	kube_note("of", named ? one.name : "");
}

static int
compare(const known *one, const char *namespace, const char *name)
{
	int order = strcmp(one->namespace, namespace);

	return order != 0 ? order : strcmp(one->name, name);
}

static size_t
find_known(const known *one, bool *found)
{
	size_t low = 0;
	size_t high = run.model_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (compare(&run.model[middle], one->namespace, one->name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*found = low < run.model_count &&
	         compare(&run.model[low], one->namespace, one->name) == 0;
	return low;
}

static void
insert(size_t at, const known *one)
{
	if (run.model_count == run.model_room) {
		run.model_room = run.model_room * 2 + 16;
		run.model = reallocarray(run.model, run.model_room, sizeof *run.model);
		FUZZ_CHECK(run.model != NULL);
	}
	memmove(&run.model[at + 1], &run.model[at], (run.model_count - at) * sizeof *one);
	run.model[at] = (known){ strdup(one->namespace), strdup(one->name), 0, 0 };
	FUZZ_CHECK(run.model[at].namespace != NULL && run.model[at].name != NULL);
	run.model_count++;
}

static void
learn(limen_value object)
{
	known one;
	bool found;
	size_t at;
	char *text;
	size_t length = 0;

	if (!name_object(object, &one))
		return;
	at = find_known(&one, &found);
	if (!found)
		insert(at, &one);
	text = cluster_trim(object, &length);
	FUZZ_CHECK(text != NULL && strlen(text) == length);
	free(text);
	run.model[at].wanted = length > CLUSTER_OBJECT_BYTES_MAX ? 0 : length;
	run.model[at].list = run.source.list;
}

static void
forget(size_t at)
{
	free(run.model[at].namespace);
	free(run.model[at].name);
	run.model_count--;
	memmove(&run.model[at], &run.model[at + 1],
	        (run.model_count - at) * sizeof *run.model);
}

/* ---- what is told ---- */

static bool
put(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	known one;
	bool taken = cluster_objects_put(&run.objects, object, &run.source, why);

	(void)data;
	FUZZ_CHECK(taken == name_object(object, &one));
	FUZZ_CHECK(run.objects.bytes <= CLUSTER_BYTES_MAX);
	note_object("put", object);
	learn(object);
	return taken;
}

static bool
drop(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	known one;
	bool taken = cluster_objects_drop(&run.objects, object, &run.source, why);
	bool named = name_object(object, &one);
	bool found = false;
	size_t at = named ? find_known(&one, &found) : 0;

	(void)data;
	FUZZ_CHECK(taken == named);
	note_object("drop", object);
	if (found)
		forget(at);
	return taken;
}

static void
check_object(const cluster_kept *one, const known *as)
{
	FUZZ_CHECK(compare(as, one->namespace, one->name) == 0);
	FUZZ_CHECK(one->wanted == as->wanted);
	FUZZ_CHECK(one->size == (one->unfit == NULL ? as->wanted : 0));
	FUZZ_CHECK(one->wanted > 0 || one->unfit != NULL);
	FUZZ_CHECK(one->wanted == 0 || one->unfit == NULL || one->unfit == cluster_crowded);
}

/* They are those that are known, in order. */
static void
check_objects(void)
{
	const cluster_objects *all = &run.objects;
	size_t bytes = 0;

	FUZZ_CHECK(all->count == run.model_count);
	for (size_t i = 0; i < all->count; i++) {
		check_object(all->items[i].kept, &run.model[i]);
		bytes += all->items[i].kept->size;
	}
	FUZZ_CHECK(all->bytes == bytes && bytes <= CLUSTER_BYTES_MAX);
}

/* ---- who is served ---- */

static int
compare_wishes(const void *one, const void *other)
{
	const wish *first = one;
	const wish *second = other;

	if (first->wanted != second->wanted)
		return first->wanted < second->wanted ? -1 : 1;
	return strcmp(first->namespace, second->namespace);
}

/* Returns what each namespace wants, in the order in which they are served. */
static wish *
make_wishes(size_t *count)
{
	wish *wishes = calloc(run.model_count + 1, sizeof *wishes);
	wish *last = NULL;

	FUZZ_CHECK(wishes != NULL);
	for (size_t i = 0; i < run.model_count; i++) {
		const known *one = &run.model[i];

		if (last == NULL || strcmp(last->namespace, one->namespace) != 0) {
			last = last == NULL ? wishes : last + 1;
			last->namespace = one->namespace;
		}
		last->wanted += one->wanted;
		last->crowded = last->crowded ||
		                run.objects.items[i].kept->unfit == cluster_crowded;
	}
	*count = last == NULL ? 0 : (size_t)(last - wishes) + 1;
	qsort(wishes, *count, sizeof *wishes, compare_wishes);
	return wishes;
}

/* Is one not served whose turn it is? */
static bool
is_any_due(void)
{
	size_t room = CLUSTER_BYTES_MAX;
	size_t count;
	wish *wishes = make_wishes(&count);
	bool due = false;

	for (size_t i = 0; i < count && wishes[i].wanted <= room; i++) {
		room -= wishes[i].wanted;
		due = due || wishes[i].crowded;
	}
	free(wishes);
	return due;
}

static bool
again(void *data)
{
	bool wanted = cluster_objects_again(&run.objects, &run.source, kube.now);
	bool early = run.again > 0 && kube.now - run.again < CLUSTER_AGAIN_AFTER;

	(void)data;
	FUZZ_CHECK(wanted == (!early && is_any_due()));
	if (wanted) {
		kube_note("again", "");
		run.again = kube.now;
		kube.again = true;
	}
	return wanted;
}

/* After a list whoever is served is so with all there is. */
static void
check_served(void)
{
	const cluster_objects *all = &run.objects;

	for (size_t i = 0; i < all->count; i++) {
		const cluster_kept *one = all->items[i].kept;
		const cluster_share *share = cluster_shares_find(&all->shares, one->namespace);

		FUZZ_CHECK(share != NULL);
		FUZZ_CHECK((share->place == 0) == (one->unfit == cluster_crowded) ||
		           one->wanted == 0);
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

/* As cluster_publish() does. */
static void
publish(void)
{
	cluster_objects *all = &run.objects;
	forced *made = calloc(all->count + 1, sizeof *made);
	size_t at = 0;

	FUZZ_CHECK(made != NULL);
	check_force();
	for (size_t i = 0; i < all->count; i++) {
		const cluster_kept *kept = all->items[i].kept;

		made[i] = (forced){ kept, hash_once(kept, &at) };
	}
	free(run.force);
	run.force = made;
	run.force_count = all->count;
	cluster_objects_sweep(all);
}

/* What a list does not name any more is gone. */
static void
forget_missing(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < run.model_count; i++) {
		if (run.model[i].list == run.source.list) {
			run.model[kept++] = run.model[i];
			continue;
		}
		free(run.model[i].namespace);
		free(run.model[i].name);
	}
	run.model_count = kept;
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
		forget_missing();
		check_served();
	}
	check_objects();
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
	check_objects();
	cluster_objects_clear(&run.objects);
	while (run.model_count > 0)
		forget(run.model_count - 1);
	free(run.model);
	free(run.force);
	memset(&run, 0, sizeof run);
}
