/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timestamp.h - the offset of the local time zone, for reading timestamps.
 */
#ifndef LIMEN_CORE_SCALAR_TIMESTAMP_H
#define LIMEN_CORE_SCALAR_TIMESTAMP_H

#include <limen/duration.h>

/*
 * Returns the instant at which clocks in the local time zone show 'seconds',
 * counted from 1970-01-01T00:00:00 of that zone, and the offset in force then.
 */
int64_t timestamp_from_local(int64_t seconds, int32_t *offset);

#endif
