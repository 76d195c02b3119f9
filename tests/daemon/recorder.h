/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.h - a test takes what the daemon would record. */
#ifndef LIMEN_TESTS_DAEMON_RECORDER_H
#define LIMEN_TESTS_DAEMON_RECORDER_H

#include "metrics/metrics.h"

/* From now on every call of metrics_count_decision() goes to 'take', and not to the daemon's own. */
void recorder_set(void (*take)(const record *made));

#endif
