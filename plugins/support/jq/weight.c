/* SPDX-License-Identifier: Apache-2.0 */
/* weight.c - sizes of libjq's structures (jv.c), and of what malloc() puts before them. */
#include "weight.h"

#define HEAD        ((size_t)32)
#define ELEMENT     ((size_t)16)
#define MEMBER      ((size_t)48)
#define MEMBERS_MIN ((size_t)8)

static bool
add(size_t *bytes, size_t more, size_t most)
{
	if (*bytes > most || more > most - *bytes)
		return false;
	*bytes += more;
	return true;
}

bool
weight_add_string(size_t *bytes, size_t length, size_t most)
{
	return add(bytes, HEAD, most) && add(bytes, length, most);
}

bool
weight_add_array(size_t *bytes, size_t count, size_t most)
{
	return count <= most / ELEMENT && add(bytes, HEAD + count * ELEMENT, most);
}

bool
weight_add_object(size_t *bytes, size_t count, size_t most)
{
	size_t places = MEMBERS_MIN;

	if (count > most / MEMBER)
		return false;
	while (places < count)
		places *= 2;
	return add(bytes, HEAD + places * MEMBER, most);
}
