/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices.h - the bounds of slices, ".[a:b]", and indices, that libjq cannot stand.
 */
#ifndef LIMEN_SUPPORT_JQ_SLICES_H
#define LIMEN_SUPPORT_JQ_SLICES_H

#include "text.h"

/* The functions that bounds and other indices go through; guards.c defines them. */
#define SLICES_CHECK       "_limen_bound"
#define SLICES_CHECK_INDEX "_limen_key"

/* Adds 'script' with such a call in each of them that is computed.  Lines stay lines. */
void slices_add(text *out, const char *script);

#endif
