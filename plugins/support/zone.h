/* SPDX-License-Identifier: Apache-2.0 */
/* zone.h - how far the clocks of a time zone are from UTC at any moment. */
#ifndef LIMEN_PLUGINS_SUPPORT_ZONE_H
#define LIMEN_PLUGINS_SUPPORT_ZONE_H

#include <limen/diag.h>
#include <limen/duration.h>

typedef struct zone zone;

/*
 * Opens the zone of the IANA name 'name', or that of the process for "local".  Returns
 * NULL with a problem at 'where' if there is no such zone, or no zone database.
 */
zone *zone_open(const char *name, limen_value where, limen_diag *diag);

/* NULL is fine. */
void zone_close(zone *self);

/* Returns the offset in seconds east of UTC that is in force at 'time'. */
int32_t zone_offset(const zone *self, limen_time time);

/*
 * Returns the first moment after 'start' and not after 'end' with another offset than that
 * of 'start', to the second, or 'end' + 1 if there is none.  An offset must last a week.
 */
limen_time zone_change(const zone *self, limen_time start, limen_time end);

/* Returns the path of the file of the zone 'name', for g_free(). */
char *zone_file(const char *name);

#endif
