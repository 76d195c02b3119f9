/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
inputs_add(inputs *to, const uint8_t *bytes, size_t length)
{
	input *list = realloc(to->list, (to->count + 1) * sizeof(*list));
	uint8_t *copy = malloc(length + 1);

	if (list == NULL || copy == NULL)
		abort();
	memcpy(copy, bytes, length);
	list[to->count] = (input){ copy, length };
	to->list = list;
	to->count++;
}

void
inputs_clear(inputs *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->list[i].bytes);
	free(all->list);
	*all = (inputs){ .list = NULL };
}

/* ---- dictionaries: lines of NAME="WORD" with \\, \" and \xNN ---- */

static size_t
read_word(const char *text, uint8_t *out, size_t room)
{
	size_t length = 0;

	while (*text != '"' && *text != '\0' && length < room) {
		unsigned byte = (unsigned char)*text++;

		if (byte == '\\' && *text == 'x' && sscanf(text + 1, "%2x", &byte) == 1)
			text += 3;
		else if (byte == '\\')
			byte = (unsigned char)*text++;
		out[length++] = (uint8_t)byte;
	}
	return length;
}

void
inputs_add_words(inputs *to, const char *path)
{
	char line[512];
	FILE *file = fopen(path, "r");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		const char *quote = line[0] == '#' ? NULL : strchr(line, '"');
		uint8_t word[256];

		if (quote != NULL)
			inputs_add(to, word, read_word(quote + 1, word, sizeof(word)));
	}
	if (file != NULL)
		fclose(file);
}

/* ---- mutations ---- */

/* xorshift64: the same numbers in every run. */
static size_t
draw(uint64_t *state, size_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return below == 0 ? 0 : (size_t)(*state % below);
}

/* Small more often than large. */
static size_t
draw_length(uint64_t *state, size_t most)
{
	size_t bound = draw(state, 4) == 0 ? most : (most < 8 ? most : 8);

	return bound == 0 ? 0 : draw(state, bound) + 1;
}

static size_t
insert(uint8_t *bytes, size_t length, size_t at, const uint8_t *from, size_t count)
{
	if (count > INPUT_MAX - length)
		return length;
	memmove(bytes + at + count, bytes + at, length - at);
	memcpy(bytes + at, from, count);
	return length + count;
}

static size_t
erase(uint64_t *state, uint8_t *bytes, size_t length, size_t at)
{
	size_t count = draw_length(state, length - at);

	memmove(bytes + at, bytes + at + count, length - at - count);
	return length - count;
}

/* Doubles a piece of itself somewhere else. */
static size_t
repeat(uint64_t *state, uint8_t *bytes, size_t length, size_t at)
{
	static uint8_t piece[INPUT_MAX];
	size_t from = draw(state, length);
	size_t count = draw_length(state, length - from);

	memcpy(piece, bytes + from, count);
	return insert(bytes, length, at, piece, count);
}

static size_t
insert_one_of(uint64_t *state, const inputs *from, uint8_t *bytes, size_t length, size_t at)
{
	const input *other;
	size_t start;

	if (from->count == 0)
		return length;
	other = &from->list[draw(state, from->count)];
	start = draw(state, 3) != 0 ? 0 : draw(state, other->length);
	return insert(bytes, length, at, other->bytes + start, other->length - start);
}

static void
change_byte(uint64_t *state, uint8_t *byte)
{
	static const uint8_t odd[] = { 0, 1, 0x7F, 0x80, 0xFF, '"', '\\', '{', '[', '0', '9', '-',
		                       '.', 'e', ' ', '\n', '/', '~', '*', ':' };

	switch (draw(state, 4)) {
	case 0:
		*byte ^= (uint8_t)(1U << draw(state, 8));
		break;
	case 1:
		*byte = (uint8_t)draw(state, 256);
		break;
	case 2:
		*byte = odd[draw(state, sizeof(odd))];
		break;
	default:
		*byte = (uint8_t)(*byte + (draw(state, 2) == 0 ? 1 : -1));
		break;
	}
}

static size_t
change(uint64_t *state, const inputs *seeds, const inputs *words, uint8_t *bytes, size_t length)
{
	size_t at = draw(state, length + 1);
	uint8_t random = (uint8_t)draw(state, 256);

	switch (draw(state, 8)) {
	case 0:
		return at == length ? length : erase(state, bytes, length, at);
	case 1:
		return length == 0 ? 0 : repeat(state, bytes, length, at);
	case 2:
	case 3:
		return insert_one_of(state, words, bytes, length, at);
	case 4:
		return draw(state, 4) == 0 ? insert_one_of(state, seeds, bytes, length, at) : length;
	case 5:
		return insert(bytes, length, at, &random, 1);
	default:
		if (at < length)
			change_byte(state, &bytes[at]);
		return length;
	}
}

size_t
mutate(uint64_t *state, const inputs *seeds, const inputs *words, uint8_t out[INPUT_MAX])
{
	size_t length = 0;
	size_t changes = draw_length(state, 24);

	if (seeds->count > 0) {
		const input *seed = &seeds->list[draw(state, seeds->count)];

		length = seed->length < INPUT_MAX ? seed->length : INPUT_MAX;
		memcpy(out, seed->bytes, length);
	}
	for (size_t i = 0; i < changes; i++)
		length = change(state, seeds, words, out, length);
	return length;
}
