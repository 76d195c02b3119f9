/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_time.h - times of logs: in UTC and always with six digits after the dot, so
 * that lines sort as texts.
 */
#ifndef LIMEND_LOG_TIME_H
#define LIMEND_LOG_TIME_H

#include <limen/duration.h>

void log_time_print(limen_time when, char out[LIMEN_TIMESTAMP_TEXT_MAX]);

#endif
