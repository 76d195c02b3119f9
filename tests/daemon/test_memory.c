/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_memory.c - what the threads of limend have freed goes back to the system.
 */
#include <limen/host.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "sanitizers.h"
#include "suite.h"

#if defined(OWN_MALLOC) || !defined(__GLIBC__)
#define SYSTEM_ALLOCATOR false
#else
#define SYSTEM_ALLOCATOR true
#endif

#define PIECE ((size_t)4096)
#define COUNT ((size_t)4096)
#define KEPT  ((size_t)256) /* of so many pieces one */
#define MEBIBYTE ((size_t)1 << 20)

static size_t
resident(void)
{
	unsigned long total = 0;
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL_FATAL(fscanf(file, "%lu %lu", &total, &pages), 2);
	fclose(file);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

typedef struct use {
	char *pieces[COUNT];
	size_t most; /* what was resident */
} use;

/* As large documents are made: of many pieces, and of one that grows.  Some pieces stay. */
static void *
use_much(void *data)
{
	use *made = data;
	char *growing = NULL;

	for (size_t i = 0; i < COUNT; i++) {
		made->pieces[i] = malloc(PIECE);
		CU_ASSERT_PTR_NOT_NULL_FATAL(made->pieces[i]);
		memset(made->pieces[i], 1, PIECE);
		if ((i & (i + 1)) == 0) {
			growing = realloc(growing, (i + 1) * PIECE / 2);
			CU_ASSERT_PTR_NOT_NULL_FATAL(growing);
			memset(growing, 1, (i + 1) * PIECE / 2);
		}
	}
	made->most = resident();
	for (size_t i = 0; i < COUNT; i++) {
		if (i % KEPT != 0)
			free(made->pieces[i]);
	}
	free(growing);
	return NULL;
}

static void
test_threads(void)
{
	size_t before = resident();

	for (int i = 0; i < 3; i++) {
		use *made = calloc(1, sizeof(*made));
		pthread_t thread;

		CU_ASSERT_PTR_NOT_NULL_FATAL(made);
		CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, use_much, made), 0);
		pthread_join(thread, NULL);
		CU_ASSERT_TRUE(made->most > before + 20 * MEBIBYTE);
		memory_give_back();
		CU_ASSERT_TRUE(resident() < before + 4 * MEBIBYTE);
		for (size_t j = 0; j < COUNT; j += KEPT)
			free(made->pieces[j]);
		free(made);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what threads have freed is given back", test_threads },
		{ NULL, NULL },
	};

	if (!SYSTEM_ALLOCATOR) {
		printf("1..0 # SKIP another allocator takes the place of the system's\n");
		return 0;
	}
	memory_setup();
	return suite_run("daemon/memory", tests);
}
