/* SPDX-License-Identifier: Apache-2.0 */
/* budget.c - charges values by the sizes of libjq's structures (jv.c) and of malloc()'s heads. */
#include "budget.h"

#include <stdlib.h>

#define HEAD        ((size_t)32)
#define ELEMENT     ((size_t)16)
#define MEMBER      ((size_t)48)
#define MEMBERS_MIN ((size_t)8)

/* Keys that libjq may have to compare for one look-up. */
#define CHAIN_MAX 64

budget
budget_start(size_t times)
{
	return (budget){ .values = times * BUDGET_VALUES, .bytes = times * BUDGET_BYTES };
}

/* The bytes of a value; 'count' has 32 bits. */
static size_t
cost(jv_kind kind, size_t count)
{
	size_t places = MEMBERS_MIN;

	if (kind != JV_KIND_STRING && kind != JV_KIND_ARRAY && kind != JV_KIND_OBJECT)
		return ELEMENT;
	if (kind == JV_KIND_STRING)
		return ELEMENT + HEAD + count;
	if (kind == JV_KIND_ARRAY)
		return ELEMENT + HEAD;
	while (places < count)
		places *= 2;
	return ELEMENT + HEAD + places * MEMBER;
}

bool
budget_take(budget *left, jv_kind kind, size_t count)
{
	size_t bytes = count > UINT32_MAX ? SIZE_MAX : cost(kind, count);

	/* The places of an array are reserved before its elements are charged. */
	if (left->values == 0 || bytes > left->bytes ||
	    (kind == JV_KIND_ARRAY && count > left->values))
		return false;
	left->values--;
	left->bytes -= bytes;
	return true;
}

bool
collisions_open(collisions *made, size_t count)
{
	size_t chains = CHAIN_MAX;

	*made = (collisions){ .chains = NULL };
	if (count <= CHAIN_MAX)
		return true;
	if (count > UINT32_MAX / 2)
		return false;
	/* libjq has at least as many chains and picks them by the same bits. */
	while (chains < count)
		chains *= 2;
	made->chains = calloc(chains, sizeof(*made->chains));
	made->mask = (uint32_t)(chains - 1);
	return made->chains != NULL;
}

bool
collisions_add(collisions *of, jv key)
{
	return of->chains == NULL ||
	       of->chains[jv_string_hash(jv_copy(key)) & of->mask]++ < CHAIN_MAX;
}
