/* SPDX-License-Identifier: Apache-2.0 */
/*
 * local_addresses.c - reads the addresses of the interfaces with getifaddrs(3) into a set of
 * networks, again after each change that the kernel reports (rtnetlink(7)).  Owns the set; the
 * socket for the reports belongs to the engine.
 */
#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "local_addresses.h"
#include "network.h"
#include "requester.h"

/* Copies the bytes of an address; the scope of an IPv6 address is not among them. */
static bool
read_address(const struct sockaddr *from, limen_address *out)
{
	*out = (limen_address){ .family = 0 };
	if (from != NULL && from->sa_family == AF_INET) {
		memcpy(out->bytes, &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
		out->family = 4;
	} else if (from != NULL && from->sa_family == AF_INET6) {
		memcpy(out->bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, 16);
		out->family = 6;
	}
	return out->family != 0;
}

static bool
read_network(const struct ifaddrs *interface, bool masked, limen_network *out)
{
	limen_address mask;
	unsigned bits = 0;

	if (!read_address(interface->ifa_addr, &out->address))
		return false;
	out->prefix = out->address.family == 4 ? 32 : 128;
	if (!masked)
		return true;
	if (!read_address(interface->ifa_netmask, &mask) || mask.family != out->address.family)
		return false;
	while (bits < out->prefix && (mask.bytes[bits / 8] & (0x80 >> bits % 8)) != 0)
		bits++;
	network_cut(out, bits);
	return true;
}

/*
 * Reads the IPv4 and IPv6 addresses of all interfaces, each as a network of one or, if 'masked',
 * as the network of its netmask; then addresses without a netmask are left out.  Returns 0 or
 * an errno.
 */
static int
read_networks(bool masked, limen_cidr_set **out, size_t *count)
{
	struct ifaddrs *interfaces;
	limen_network *found;
	size_t room = 1;

	if (getifaddrs(&interfaces) != 0)
		return errno;
	for (const struct ifaddrs *next = interfaces; next != NULL; next = next->ifa_next)
		room++;
	found = calloc(room, sizeof *found);
	*count = 0;
	for (const struct ifaddrs *next = interfaces; found != NULL && next != NULL;
	     next = next->ifa_next)
		*count += read_network(next, masked, &found[*count]);
	freeifaddrs(interfaces);
	*out = found == NULL ? NULL : limen_cidr_set_new(found, *count, NULL, 0);
	free(found);
	return *out == NULL ? ENOMEM : 0;
}

/*
 * Reads the addresses and replaces the current set.  If they cannot be read, the old
 * set stays.  Returns 0 or an errno.
 */
static int
refresh(local_addresses *local)
{
	limen_cidr_set *set = NULL;
	size_t count = 0;
	int error = read_networks(local->masked, &set, &count);

	atomic_store(&local->error, error);
	if (error != 0)
		return error;
	atomic_store(&local->count, count);
	atomic_store(&local->read_at, limen_host_monotonic());
	limen_cidr_set_free(swap_replace(&local->sets, set));
	return 0;
}

static void
follow_change(void *data)
{
	local_addresses *local = data;
	char buffer[8192];
	ssize_t length;
	int error;

	/*
	 * The engine calls for as long as there is something to read.  What the messages say does
	 * not matter, nor that the kernel had to drop some (ENOBUFS): all is read afresh.
	 */
	do
		length = recv(local->socket, buffer, sizeof buffer, MSG_DONTWAIT);
	while (length > 0 || (length < 0 && (errno == EINTR || errno == ENOBUFS)));
	error = refresh(local);
	if (error != 0)
		limen_host_log(local->host, LIMEN_LOG_WARNING,
		               "cannot read the addresses of this host, keeping the old ones: %s",
		               strerror(error));
}

static int
open_socket(void)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK,
		.nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

	if (fd < 0)
		return -1;
	if (bind(fd, (const struct sockaddr *)&address, sizeof address) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Comes before the first reading, so that no change can fall between the two. */
static void
watch(local_addresses *local)
{
	int fd = open_socket();

	local->socket = fd;
	if (fd >= 0 && limen_host_watch_fd(local->host, fd, follow_change, local) == LIMEN_OK)
		return;
	local->socket = -1;
	limen_host_log(local->host, LIMEN_LOG_WARNING,
	               "changes of the addresses of this host cannot be followed");
}

int
local_addresses_open(void *self, bool masked, limen_opening *opening, limen_diag *diag)
{
	local_addresses *local = self;
	int error;

	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_data(opening),
	               "pScheduler 5.2 reads the %s of this host once, at the load; limen "
	               "follows changes", masked ? "networks" : "addresses");
	local->host = limen_opening_host(opening);
	local->masked = masked;
	watch(local);
	error = refresh(local);
	if (error == 0)
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
	               "cannot read the addresses of this host: %s", strerror(error));
	return error == ENOMEM ? LIMEN_ENOMEM : LIMEN_EIO;
}

void
local_addresses_close(void *self)
{
	limen_cidr_set_free(atomic_load(&((local_addresses *)self)->sets.current));
}

limen_verdict
local_addresses_identify(const void *self, const limen_request *req, limen_reply *reply)
{
	local_addresses *local = (local_addresses *)(uintptr_t)self;
	limen_network requester;
	limen_verdict verdict = requester_read(req, reply, &requester);
	unsigned turn;

	if (verdict != LIMEN_PASS)
		return verdict;
	if (!limen_cidr_set_overlaps(swap_enter(&local->sets, &turn), &requester))
		verdict = LIMEN_FAIL;
	swap_leave(&local->sets, turn);
	return verdict;
}

void
local_addresses_status(const void *self, limen_builder *build)
{
	const local_addresses *local = self;
	int error = atomic_load(&local->error);

	limen_builder_bool(build, "ready", true);
	limen_builder_int(build, "addresses", (int64_t)atomic_load(&local->count));
	limen_builder_real(build, "age",
	                   (double)(limen_host_monotonic() - atomic_load(&local->read_at)) / 1e9);
	limen_builder_bool(build, "watched", local->socket >= 0);
	if (error != 0)
		limen_builder_text(build, "error", strerror(error));
}
