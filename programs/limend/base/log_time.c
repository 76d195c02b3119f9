/* SPDX-License-Identifier: Apache-2.0 */
/* log_time.c - prints a time as whole seconds in UTC and adds its six digits of microseconds. */
#include "log_time.h"

#include <glib.h>
#include <string.h>

void
log_time_print(limen_time when, char out[LIMEN_TIMESTAMP_TEXT_MAX])
{
	/* The remainder is positive for times before 1970, too. */
	limen_time rest = (when % LIMEN_SECOND + LIMEN_SECOND) % LIMEN_SECOND;
	limen_timestamp whole = { .time = when - rest };
	size_t length;

	limen_timestamp_print(&whole, out);
	length = strlen(out) - strlen("Z");
	g_snprintf(out + length, (gulong)(LIMEN_TIMESTAMP_TEXT_MAX - length), ".%06dZ", (int)rest);
}
