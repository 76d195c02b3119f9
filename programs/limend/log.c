/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include <stdio.h>

void
log_line(limen_log_level level, const char *source, const char *text)
{
	static const char *const words[] = { "error", "warning", "info", "debug" };

	if (level <= LIMEN_LOG_INFO)
		fprintf(stderr, "%s: %s: %s\n", words[level], source == NULL ? "limend" : source,
		        text);
}
