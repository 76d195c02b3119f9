/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recycle.c - keeps freed blocks in per-thread caches of nine size classes.  It owns the caches,
 * the thread key that frees a cache when its thread ends, and the flag that turns caching off.
 */
#include "recycle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "thread.h"

/* The sanitizers find more in blocks of the size that was asked for, which are not kept. */
#define SANITIZED 0
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef SANITIZED
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#undef SANITIZED
#define SANITIZED 1
#endif

/* Sizes double from the first; the spare bytes are for the callers' headers. */
#define FIRST ((size_t)64)
#define SPARE ((size_t)64)
#define ROOM(size) ((FIRST << (size)) + SPARE)
#define SIZES 9

/* All that a thread keeps is below a quarter of a megabyte. */
#define KEPT_BYTES ((size_t)24 << 10)
#define KEPT_MOST ((size_t)16)

/* The header in front of each block. */
typedef struct block {
	union {
		struct block *next; /* while it is kept */
		size_t size;        /* index of the size; SIZES: larger, freed at once */
	};
	_Alignas(max_align_t) char data[];
} block;

typedef struct cache {
	block *kept[SIZES];
	size_t room[SIZES + 1]; /* how many more are kept; none before it is known */
	bool known;             /* to the destructor below */
} cache;

static _Thread_local cache mine THREAD_LOCAL_NEAR;
static atomic_bool stopped;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t ending;
static bool has_key; /* written once, before anything is kept */

/* The size for 'wanted' bytes, SIZES if it is too large. */
static size_t
size_for(size_t wanted)
{
	size_t firsts = wanted <= FIRST + SPARE ? 0 : (wanted - SPARE - 1) / FIRST;
	size_t size = 0;

	if (firsts > 0)
		size = (size_t)(64 - __builtin_clzll(firsts));
	return size < SIZES && !SANITIZED ? size : SIZES;
}

/* How many of a size are kept: those that begin within KEPT_BYTES. */
#define FIT(size) ((KEPT_BYTES - 1) / ROOM(size) + 1)
#define MOST(size) (FIT(size) < KEPT_MOST ? FIT(size) : KEPT_MOST)

static const size_t most[] = { MOST(0), MOST(1), MOST(2), MOST(3), MOST(4),
	                       MOST(5), MOST(6), MOST(7), MOST(8) };

_Static_assert(sizeof(most) / sizeof(most[0]) == SIZES, "each size has its most");

static void
drop_all(void *data)
{
	cache *of = data;

	for (size_t i = 0; i < SIZES; i++) {
		while (of->kept[i] != NULL) {
			block *next = of->kept[i]->next;

			free(of->kept[i]);
			of->kept[i] = next;
		}
		of->room[i] = 0;
	}
	of->known = false;
}

static void
make_key(void)
{
	if (getenv("LIMEN_ALWAYS_MALLOC") != NULL)
		return;
	has_key = pthread_key_create(&ending, drop_all) == 0;
}

/* A library that is unloaded leaves no function behind for threads to call. */
__attribute__((destructor)) static void
forget(void)
{
	drop_all(&mine);
	if (has_key)
		pthread_key_delete(ending);
	has_key = false;
	atomic_store(&stopped, true);
}

/* Keeps nothing unless a destructor frees it when this thread ends. */
static bool
introduce(cache *own)
{
	pthread_once(&once, make_key);
	own->known = has_key && pthread_setspecific(ending, own) == 0;
	if (own->known)
		memcpy(own->room, most, sizeof(most));
	return own->known;
}

void *
recycle_alloc(size_t size)
{
	size_t which = size_for(size);
	block *fresh = NULL;

	if (which < SIZES)
		fresh = mine.kept[which];
	if (fresh != NULL) {
		mine.kept[which] = fresh->next;
		mine.room[which]++;
	} else {
		size_t room = which < SIZES ? ROOM(which) : size;

		fresh = room > SIZE_MAX - sizeof(*fresh) ? NULL : malloc(sizeof(*fresh) + room);
	}
	if (fresh == NULL)
		return NULL;
	fresh->size = which;
	return fresh->data;
}

void *
recycle_zeroed(size_t size)
{
	void *data = recycle_alloc(size);

	return data == NULL ? NULL : memset(data, 0, size);
}

static block *
block_of(void *data)
{
	return (block *)((char *)data - offsetof(block, data));
}

void *
recycle_resize(void *data, size_t size)
{
	size_t which = size_for(size);
	size_t old = data == NULL ? 0 : block_of(data)->size;
	void *result;

	if (data == NULL)
		return recycle_alloc(size);
	if (old == SIZES && which == SIZES) {
		block *fresh = size > SIZE_MAX - sizeof(block) ? NULL : block_of(data);

		fresh = fresh == NULL ? NULL : realloc(fresh, sizeof(block) + size);
		return fresh == NULL ? NULL : fresh->data;
	}
	if (old == which)
		return data;
	result = recycle_alloc(size);
	if (result == NULL)
		return NULL;
	/* One of the two is not larger than its size says. */
	memcpy(result, data, old < which ? ROOM(old) : size);
	recycle_free(data);
	return result;
}

static inline void
keep(block *old, size_t which)
{
	old->next = mine.kept[which];
	mine.kept[which] = old;
	mine.room[which]--;
}

/* Frees a block that the cache has no room for, or keeps it if it is the thread's first. */
static __attribute__((noinline)) void
let_go(block *old)
{
	size_t which = old->size;

	if (which < SIZES && !mine.known &&
	    !atomic_load_explicit(&stopped, memory_order_relaxed) && introduce(&mine))
		keep(old, which);
	else
		free(old);
}

void
recycle_free(void *data)
{
	block *old;

	if (data == NULL)
		return;
	old = block_of(data);
	if (mine.room[old->size] > 0 && !atomic_load_explicit(&stopped, memory_order_relaxed))
		keep(old, old->size);
	else
		let_go(old);
}

void
recycle_stop(void)
{
	atomic_store(&stopped, true);
	drop_all(&mine);
}
