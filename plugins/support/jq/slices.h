/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices.h - the bounds of slices, ".[a:b]", which libjq cannot stand to be nan.
 */
#ifndef LIMEN_SUPPORT_JQ_SLICES_H
#define LIMEN_SUPPORT_JQ_SLICES_H

#include "text.h"

/* The function that bounds go through; guards.c defines it. */
#define SLICES_CHECK "_limen_bound"

/* Adds 'script' with a call of SLICES_CHECK in each bound that is computed.  Lines stay lines. */
void slices_add(text *out, const char *script);

#endif
