/* SPDX-License-Identifier: Apache-2.0 */
#include "short_memory.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sanitizers.h"

#ifdef OWN_MALLOC

const char *
short_memory_unavailable(void)
{
	return "sanitizers have an allocator of their own";
}

void
short_memory_spare(const char *const *names)
{
	(void)names;
}

void
short_memory_start(unsigned long nth, bool all)
{
	(void)nth;
	(void)all;
}

void
short_memory_start_elsewhere(unsigned long nth, bool all)
{
	(void)nth;
	(void)all;
}

bool
short_memory_stop(void)
{
	return false;
}

unsigned long
short_memory_made(void)
{
	return 0;
}

long
short_memory_live(void)
{
	return 0;
}

#else

/* What liblimen keeps cannot fail. */
__attribute__((constructor)) static void
ask_for_malloc(void)
{
	setenv("LIMEN_ALWAYS_MALLOC", "1", 1);
}

enum { SPARED_MAX = 64 };

/* Where the code of a library is. */
typedef struct region {
	uintptr_t begin;
	uintptr_t end;
} region;

static region spared[SPARED_MAX];
static size_t spared_count;

/* Which allocations fail. */
typedef struct shortage {
	atomic_ulong made; /* since the start */
	atomic_ulong first;
	atomic_ulong last;
	atomic_bool failed;
} shortage;

/* Each thread has its own, so that what works in the background is left alone. */
static __thread shortage here = { .first = ULONG_MAX };

/* Of all threads but the one that started it. */
static shortage elsewhere = { .first = ULONG_MAX };
static __thread bool is_starter;

/* Of all threads: what one allocates another may free. */
static atomic_long live;

/* Only what is visible takes the place of libc's. */
#pragma GCC visibility push(default)
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);
int posix_memalign(void **out, size_t alignment, size_t size);
void free(void *old);
#pragma GCC visibility pop

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *old);

const char *
short_memory_unavailable(void)
{
	return NULL;
}

static bool
is_named(const char *path, const char *const *names)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash == NULL ? path : slash + 1;

	for (; *names != NULL; names++)
		if (strncmp(file, *names, strlen(*names)) == 0)
			return true;
	return false;
}

static int
add_region(struct dl_phdr_info *library, size_t size, void *names)
{
	(void)size;
	if (!is_named(library->dlpi_name, names))
		return 0;
	for (size_t i = 0; i < library->dlpi_phnum && spared_count < SPARED_MAX; i++) {
		const ElfW(Phdr) *part = &library->dlpi_phdr[i];
		uintptr_t begin = library->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0)
			spared[spared_count++] = (region){ begin, begin + part->p_memsz };
	}
	return 0;
}

void
short_memory_spare(const char *const *names)
{
	dl_iterate_phdr(add_region, (void *)(uintptr_t)names);
}

static void
start(shortage *of, unsigned long nth, bool all)
{
	atomic_store(&of->made, 0);
	atomic_store(&of->failed, false);
	atomic_store(&of->last, all ? ULONG_MAX : nth);
	atomic_store(&of->first, nth);
}

void
short_memory_start(unsigned long nth, bool all)
{
	start(&here, nth, all);
}

void
short_memory_start_elsewhere(unsigned long nth, bool all)
{
	is_starter = true;
	start(&elsewhere, nth, all);
}

bool
short_memory_stop(void)
{
	bool failed = atomic_load(&here.failed) || atomic_load(&elsewhere.failed);

	atomic_store(&here.first, ULONG_MAX);
	atomic_store(&elsewhere.first, ULONG_MAX);
	atomic_store(&here.failed, false);
	atomic_store(&elsewhere.failed, false);
	is_starter = false;
	return failed;
}

static bool
is_spared(const void *caller)
{
	for (size_t i = 0; i < spared_count; i++)
		if ((uintptr_t)caller >= spared[i].begin && (uintptr_t)caller < spared[i].end)
			return true;
	return false;
}

static bool
must_fail(const void *caller)
{
	shortage *of = is_starter ? &here : &elsewhere;
	unsigned long first = atomic_load_explicit(&here.first, memory_order_relaxed);
	unsigned long number;

	if (first != ULONG_MAX)
		of = &here;
	else
		first = atomic_load_explicit(&of->first, memory_order_relaxed);
	if (first == ULONG_MAX || is_spared(caller))
		return false;
	number = atomic_fetch_add(&of->made, 1) + 1;
	if (number < first || number > atomic_load(&of->last))
		return false;
	atomic_store(&of->failed, true);
	return true;
}

unsigned long
short_memory_made(void)
{
	return atomic_load(&here.made);
}

long
short_memory_live(void)
{
	return atomic_load(&live);
}

static void *
count_new(void *made)
{
	if (made != NULL)
		atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
	return made;
}

static void
count_freed(const void *old)
{
	if (old != NULL)
		atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
}

void *
malloc(size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : count_new(__libc_malloc(size));
}

void *
calloc(size_t count, size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL
	                                              : count_new(__libc_calloc(count, size));
}

void *
realloc(void *old, size_t size)
{
	void *made;

	if (must_fail(__builtin_return_address(0)))
		return NULL;
	made = __libc_realloc(old, size);
	if (old == NULL)
		return count_new(made);
	/* glibc frees what is made no bytes long. */
	if (size == 0)
		count_freed(old);
	return made;
}

void *
aligned_alloc(size_t alignment, size_t size)
{
	return must_fail(__builtin_return_address(0))
	               ? NULL
	               : count_new(__libc_memalign(alignment, size));
}

void *
memalign(size_t alignment, size_t size)
{
	return must_fail(__builtin_return_address(0))
	               ? NULL
	               : count_new(__libc_memalign(alignment, size));
}

int
posix_memalign(void **out, size_t alignment, size_t size)
{
	void *made = must_fail(__builtin_return_address(0))
	                     ? NULL
	                     : count_new(__libc_memalign(alignment, size));

	if (made == NULL)
		return ENOMEM;
	*out = made;
	return 0;
}

void
free(void *old)
{
	count_freed(old);
	__libc_free(old);
}

#endif
