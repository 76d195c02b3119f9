/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.h - what the daemon tells its operator, on standard error.
 */
#ifndef LIMEND_LOG_H
#define LIMEND_LOG_H

#include <limen/host.h>

/* From any thread.  'source' is who says it; NULL: the daemon. */
void log_line(limen_log_level level, const char *source, const char *text);

#endif
