/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.h - memory that is given out piece by piece and taken back all at
 * once: what one decision or one document needs.  Not thread-safe; an arena
 * belongs to one decision, document or reply.
 */
#ifndef LIMEN_CORE_BASE_ARENA_H
#define LIMEN_CORE_BASE_ARENA_H

#include <limen/types.h>

typedef struct arena {
	struct arena_block *blocks; /* newest first */
	char *next;
	char *end;
} arena;

#define ARENA_INIT { NULL, NULL, NULL }

/* Begins with 'size' bytes of the caller's at 'room', aligned for any type; they outlive it. */
void arena_start(arena *pool, void *room, size_t size);

/* Returns 'size' bytes aligned for any type, or NULL when memory is short. */
void *arena_alloc(arena *pool, size_t size);

/* As arena_alloc(), zeroed; 'count' times 'size' may overflow safely. */
void *arena_calloc(arena *pool, size_t count, size_t size);

/* Copies 'length' bytes and adds a NUL. */
char *arena_strndup(arena *pool, const char *text, size_t length);
char *arena_strdup(arena *pool, const char *text);

char *arena_printf(arena *pool, const char *format, ...) LIMEN_PRINTF(2, 3);
char *arena_vprintf(arena *pool, const char *format, va_list arguments) LIMEN_PRINTF(2, 0);

/* Takes everything back; the newest block is kept for reuse. */
void arena_reset(arena *pool);
void arena_free(arena *pool);

#endif
