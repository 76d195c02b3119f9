/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service_manager.h - what limend and systemd tell each other, if it was started
 * by it and not built --without-systemd; otherwise nothing happens.
 */
#ifndef LIMEND_SERVICE_MANAGER_H
#define LIMEND_SERVICE_MANAGER_H

#include <stdint.h>

/* How many sockets were passed, from descriptor '*first' on; -errno on failure. */
int service_manager_sockets(int *first);

/* See sd_notify(3): "READY=1". */
void service_manager_tell(const char *state);

/* "RELOADING=1" with the time it needs. */
void service_manager_tell_reloading(void);

/* Microseconds within which "WATCHDOG=1" is awaited again and again; 0: it is not. */
uint64_t service_manager_watchdog(void);

#endif
