/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.c - hands out memory from a chain of blocks of at least 4 KiB, which come from recycle.c.
 * A reset keeps the newest block for reuse.
 */
#include "arena.h"

#include <string.h>

#include "compiler.h"
#include "format.h"
#include "recycle.h"

#define ALIGNMENT _Alignof(max_align_t)
#define BLOCK_SIZE ((size_t)4096)

struct arena_block {
	struct arena_block *older;
	size_t size; /* of 'data' */
	_Alignas(max_align_t) char data[];
};

static OUTLINE bool
add_block(arena *self, size_t size)
{
	size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
	struct arena_block *block;

	if (room > SIZE_MAX - sizeof(*block))
		return false;
	block = recycle_alloc(sizeof(*block) + room);
	if (block == NULL)
		return false;
	block->older = self->blocks;
	block->size = room;
	self->blocks = block;
	self->next = block->data;
	self->end = block->data + room;
	return true;
}

void
arena_start(arena *self, void *room, size_t size)
{
	*self = (struct arena){ .blocks = NULL, .next = room, .end = (char *)room + size };
}

void *
arena_alloc(arena *self, size_t size)
{
	char *start;

	if (size > SIZE_MAX - ALIGNMENT)
		return NULL;
	/* Nothing is something too: NULL means that memory is short. */
	if (size == 0)
		size = 1;
	size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if ((size_t)(self->end - self->next) < size && !add_block(self, size))
		return NULL;
	start = self->next;
	self->next += size;
	return start;
}

void *
arena_calloc(arena *self, size_t count, size_t size)
{
	void *start;

	if (size != 0 && count > SIZE_MAX / size)
		return NULL;
	start = arena_alloc(self, count * size);
	if (start != NULL)
		memset(start, 0, count * size);
	return start;
}

char *
arena_strndup(arena *self, const char *text, size_t length)
{
	char *copy = length < SIZE_MAX ? arena_alloc(self, length + 1) : NULL;

	if (copy == NULL)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *
arena_strdup(arena *self, const char *text)
{
	return arena_strndup(self, text, strlen(text));
}

char *
arena_vprintf(arena *self, const char *format, va_list arguments)
{
	size_t room = (size_t)(self->end - self->next);
	char *written = self->next;
	va_list again;
	char *text;
	int length;

	va_copy(again, arguments);
	length = format_text(room == 0 ? NULL : written, room, format, arguments);
	text = length < 0 ? NULL : arena_alloc(self, (size_t)length + 1);
	/* A text that fits was formatted in place. */
	if (text != NULL && text != written)
		format_text(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

char *
arena_printf(arena *self, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = arena_vprintf(self, format, arguments);
	va_end(arguments);
	return text;
}

static void
free_blocks(struct arena_block *block)
{
	while (block != NULL) {
		struct arena_block *older = block->older;

		recycle_free(block);
		block = older;
	}
}

void
arena_reset(arena *self)
{
	struct arena_block *newest = self->blocks;

	if (newest == NULL)
		return;
	free_blocks(newest->older);
	newest->older = NULL;
	self->next = newest->data;
	self->end = newest->data + newest->size;
}

void
arena_free(arena *self)
{
	free_blocks(self->blocks);
	*self = (struct arena)ARENA_INIT;
}
