/* SPDX-License-Identifier: Apache-2.0 */
/* read.h - reading one LimitRange object. */
#ifndef LIMEN_LIMITRANGER_RANGE_READ_H
#define LIMEN_LIMITRANGER_RANGE_READ_H

#include "range.h"

/* Reads 'object' to the end of the set; everything wrong with it is reported. */
void range_read(range_reader *reader, limen_value object);

/*
 * Is 'value' of 'type'?  None and null are not, but no problem either: to the
 * API server both mean that a field was left out.
 */
bool range_read_type(range_reader *reader, limen_value value, limen_type type, const char *field);

#endif
