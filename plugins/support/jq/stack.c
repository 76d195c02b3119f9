/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stack.c - the large stacks of the process: as many as there were runs at
 * once, kept for the next.  Only addresses are reserved; the pages of a deep
 * recursion go back to the system after it.
 */
#include "stack.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attempt.h"
#include "stack_switch.h"

/*
 * libjq needs about 100 bytes of stack to free one level of an array, and the
 * bound on memory (watchdog.c) ends scripts long before two million levels.
 */
#define STACK_SIZE ((size_t)256 << 20)

/* What ordinary runs use; beneath it a page that is not zero tells of a deep one. */
#define SHALLOW ((size_t)256 << 10)

typedef struct stack {
	struct stack *next;
	char *base; /* the lowest address, a page that is never mapped */
	size_t page;
} stack;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static stack *unused;
static _Thread_local bool is_inside;

/* The bookkeeping lies at the top of the stack itself. */
static stack *
make_stack(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *base = mmap(NULL, STACK_SIZE, PROT_NONE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	stack *made;

	if (base == MAP_FAILED)
		return NULL;
	if (mprotect(base + page, STACK_SIZE - page, PROT_READ | PROT_WRITE) != 0) {
		munmap(base, STACK_SIZE);
		return NULL;
	}
	/* A large page would cost two megabytes for a recursion of a few bytes. */
	madvise(base, STACK_SIZE, MADV_NOHUGEPAGE);
	made = (stack *)(void *)(base + STACK_SIZE - page);
	made->base = base;
	made->page = page;
	return made;
}

static stack *
take_stack(void)
{
	stack *taken;

	pthread_mutex_lock(&lock);
	taken = unused;
	if (taken != NULL)
		unused = taken->next;
	pthread_mutex_unlock(&lock);
	return taken == NULL ? make_stack() : taken;
}

static bool
was_deep(const stack *used)
{
	const char *page = used->base + STACK_SIZE - SHALLOW;

	return page[0] != 0 || memcmp(page, page + 1, used->page - 1) != 0;
}

static void
give_back(stack *used)
{
	if (was_deep(used))
		madvise(used->base + used->page, STACK_SIZE - SHALLOW, MADV_DONTNEED);
	pthread_mutex_lock(&lock);
	used->next = unused;
	unused = used;
	pthread_mutex_unlock(&lock);
}

typedef struct trip {
	void (*job)(void *data);
	void *data;
	bool arrived;
} trip;

static void
travel(void *data)
{
	trip *one = data;

	one->arrived = attempt(one->job, one->data);
}

bool
stack_run(void (*job)(void *data), void *data)
{
	trip one = { .job = job, .data = data };
	stack *used;

	if (is_inside) {
		job(data);
		return true;
	}
	used = take_stack();
	if (used == NULL)
		return false;
	is_inside = true;
	stack_switch(travel, &one, used->base + used->page, used);
	is_inside = false;
	give_back(used);
	return one.arrived;
}
