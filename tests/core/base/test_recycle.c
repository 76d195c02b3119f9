/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/recycle.h"
#include "suite.h"

enum {
	BLOCKS = 200,
	STEPS = 20000
};

typedef struct owned {
	unsigned char *bytes;
	size_t size;
	unsigned char mark;
} owned;

static uint64_t
draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Around every size that is kept, and beyond. */
static size_t
draw_size(uint64_t *state)
{
	size_t power = (size_t)1 << draw(state) % 17;

	return power + draw(state) % 200;
}

static bool
is_whole(const owned *one, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (one->bytes[i] != one->mark)
			return false;
	}
	return true;
}

static void
fill(owned *one, size_t size, uint64_t *state)
{
	one->size = size;
	one->mark = (unsigned char)draw(state);
	memset(one->bytes, one->mark, size);
}

static void
step(owned *one, uint64_t *state)
{
	size_t size = draw_size(state);
	size_t kept = size < one->size ? size : one->size;

	CU_ASSERT_TRUE(one->bytes == NULL || is_whole(one, one->size));
	if (draw(state) % 3 == 0) {
		one->bytes = recycle_resize(one->bytes, size);
		CU_ASSERT_PTR_NOT_NULL_FATAL(one->bytes);
		CU_ASSERT_TRUE(is_whole(one, one->size == 0 ? 0 : kept));
	} else {
		recycle_free(one->bytes);
		one->bytes = recycle_alloc(size);
		CU_ASSERT_PTR_NOT_NULL_FATAL(one->bytes);
	}
	CU_ASSERT_EQUAL((uintptr_t)one->bytes % _Alignof(max_align_t), 0);
	fill(one, size, state);
}

/* No block is given out twice, whatever was freed before. */
static void
test_random(void)
{
	owned all[BLOCKS] = { { .size = 0 } };
	uint64_t state = 88172645463325252U;

	for (int i = 0; i < STEPS; i++)
		step(&all[draw(&state) % BLOCKS], &state);
	for (size_t i = 0; i < BLOCKS; i++)
		recycle_free(all[i].bytes);
}

static void
test_zeroed(void)
{
	for (size_t size = 1; size < 10000; size += 97) {
		unsigned char *bytes = recycle_alloc(size);

		CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
		memset(bytes, 0xff, size);
		recycle_free(bytes);
		bytes = recycle_zeroed(size);
		for (size_t i = 0; i < size; i++)
			CU_ASSERT_EQUAL_FATAL(bytes[i], 0);
		recycle_free(bytes);
	}
	recycle_free(NULL);
}

static void
test_too_large(void)
{
	const char *sanitizers = getenv("SANITIZE_CFLAGS");
	void *bytes = recycle_alloc(100);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	/* They end the program instead of returning NULL. */
	if (sanitizers != NULL && sanitizers[0] != '\0') {
		recycle_free(bytes);
		return;
	}
	CU_ASSERT_PTR_NULL(recycle_alloc(SIZE_MAX));
	CU_ASSERT_PTR_NULL(recycle_resize(bytes, SIZE_MAX));
	recycle_free(bytes);
}

/* What one thread made others may free, and what a thread kept goes with it. */
static void *
free_others(void *data)
{
	owned *all = data;

	for (size_t i = 0; i < BLOCKS; i++) {
		CU_ASSERT_TRUE(is_whole(&all[i], all[i].size));
		recycle_free(all[i].bytes);
		all[i].bytes = recycle_alloc(all[i].size);
		memset(all[i].bytes, all[i].mark, all[i].size);
	}
	return NULL;
}

static void
test_threads(void)
{
	static owned all[BLOCKS];
	uint64_t state = 29;

	for (size_t i = 0; i < BLOCKS; i++) {
		size_t size = draw_size(&state);

		all[i].bytes = recycle_alloc(size);
		fill(&all[i], size, &state);
	}
	for (int round = 0; round < 8; round++) {
		pthread_t thread;

		CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, free_others, all), 0);
		pthread_join(thread, NULL);
	}
	for (size_t i = 0; i < BLOCKS; i++) {
		CU_ASSERT_TRUE(is_whole(&all[i], all[i].size));
		recycle_free(all[i].bytes);
	}
}

static void
test_stopped(void)
{
	void *bytes = recycle_alloc(100);

	recycle_stop();
	recycle_free(bytes);
	test_random();
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "random sizes", test_random },
		{ "zeroed", test_zeroed },
		{ "too large", test_too_large },
		{ "other threads", test_threads },
		{ "stopped", test_stopped },
		{ NULL, NULL },
	};

	return suite_run("core/recycle", tests);
}
