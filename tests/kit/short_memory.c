/* SPDX-License-Identifier: Apache-2.0 */
#include "short_memory.h"

#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
	HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer)

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

bool
short_memory_stop(void)
{
	return false;
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

/* Each thread has its own, so that what works in the background is left alone. */
static __thread unsigned long made;
static __thread unsigned long first = ULONG_MAX;
static __thread unsigned long last;
static __thread bool failed;

/* Only what is visible takes the place of libc's. */
#pragma GCC visibility push(default)
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
#pragma GCC visibility pop

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

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

void
short_memory_start(unsigned long nth, bool all)
{
	made = 0;
	failed = false;
	last = all ? ULONG_MAX : nth;
	first = nth;
}

bool
short_memory_stop(void)
{
	first = ULONG_MAX;
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
	if (first == ULONG_MAX || is_spared(caller))
		return false;
	made++;
	if (made < first || made > last)
		return false;
	failed = true;
	return true;
}

void *
malloc(size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

#endif
