/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interface_networks.h - one reading of the addresses of this host's
 * interfaces.  Owns nothing; used by local_addresses.c.
 */
#ifndef LIMEN_PLUGINS_INTERFACE_NETWORKS_H
#define LIMEN_PLUGINS_INTERFACE_NETWORKS_H

#include <limen/cidr.h>

/*
 * Reads the IPv4 and IPv6 addresses of all interfaces, each as a network of
 * one or, if 'masked', as the network its netmask makes of it; then addresses
 * without a netmask are left out.  The caller frees '*networks'.  Returns 0 or
 * an errno.
 */
int interface_networks_read(bool masked, limen_network **networks, size_t *count);

#endif
