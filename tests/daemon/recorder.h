/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.h - a test takes what the daemon would record. */
#ifndef LIMEN_TESTS_DAEMON_RECORDER_H
#define LIMEN_TESTS_DAEMON_RECORDER_H

#include "service/service.h"

/* From now on every call of record_decision() goes to 'take', and not to the daemon's own. */
void recorder_set(void (*take)(service *shared, const record *made));

#endif
