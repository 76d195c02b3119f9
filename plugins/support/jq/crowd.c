/* SPDX-License-Identifier: Apache-2.0 */
/* crowd.c - counts the keys of an object by where libjq puts them. */
#include "crowd.h"

#include <stdlib.h>

bool
crowd_open(crowd *made, size_t count)
{
	size_t places = CROWD_MAX;

	*made = (crowd){ .places = NULL };
	if (count <= CROWD_MAX)
		return true;
	if (count > UINT32_MAX / 2)
		return false;
	/* libjq has at least as many chains, and picks them by the same bits. */
	while (places < count)
		places *= 2;
	made->places = calloc(places, sizeof(*made->places));
	made->mask = (uint32_t)(places - 1);
	return made->places != NULL;
}

bool
crowd_add(crowd *of, jv key)
{
	uint8_t *place;

	if (of->places == NULL)
		return true;
	place = &of->places[jv_string_hash(jv_copy(key)) & of->mask];
	if (*place == CROWD_MAX)
		return false;
	++*place;
	return true;
}

void
crowd_close(crowd *of)
{
	free(of->places);
	of->places = NULL;
}
