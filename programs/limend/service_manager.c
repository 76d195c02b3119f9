/* SPDX-License-Identifier: Apache-2.0 */
#include "service_manager.h"

#include <glib.h>

#ifdef LIMEND_SYSTEMD

#include <systemd/sd-daemon.h>

int
service_manager_sockets(int *first)
{
	*first = SD_LISTEN_FDS_START;
	return sd_listen_fds(1);
}

void
service_manager_tell(const char *state)
{
	sd_notify(0, state);
}

void
service_manager_tell_reloading(void)
{
	/* Type=notify-reload compares the time with that of its signal. */
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" G_GINT64_FORMAT, g_get_monotonic_time());
}

uint64_t
service_manager_watchdog(void)
{
	uint64_t interval = 0;

	return sd_watchdog_enabled(0, &interval) > 0 ? interval : 0;
}

#else

int
service_manager_sockets(int *first)
{
	*first = 0;
	return 0;
}

void
service_manager_tell(const char *state)
{
	(void)state;
}

void
service_manager_tell_reloading(void)
{
}

uint64_t
service_manager_watchdog(void)
{
	return 0;
}

#endif
