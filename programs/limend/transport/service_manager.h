/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service_manager.h - exchanges sockets and notifications with systemd.  Does nothing if limend
 * was not started by systemd.
 */
#ifndef LIMEND_SERVICE_MANAGER_H
#define LIMEND_SERVICE_MANAGER_H

#include <stdint.h>

/* Returns the number of sockets passed, from descriptor '*first' on; -errno on failure. */
int service_manager_sockets(int *first);

/* Sends a state such as "READY=1" to systemd (sd_notify(3)). */
void service_manager_tell(const char *state);

/* Sends "RELOADING=1" with the monotonic time that Type=notify-reload requires. */
void service_manager_tell_reloading(void);

/* Returns the longest time between two "WATCHDOG=1", in microseconds; 0: no watchdog. */
uint64_t service_manager_watchdog(void);

#endif
