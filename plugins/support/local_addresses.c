/* SPDX-License-Identifier: Apache-2.0 */
/*
 * local_addresses.c - reads the addresses of the interfaces with getifaddrs(3) into a set of
 * networks, again after each change that the kernel reports (rtnetlink(7)).  Owns the set and
 * its lock; the socket for the reports belongs to the engine.
 */
#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "local_addresses.h"
#include "network.h"

struct local_addresses {
	limen_host *host;
	local_addresses_extent extent;
	int socket;            /* -1 if the addresses are not watched */
	pthread_rwlock_t lock; /* over all that follows */
	limen_cidr_set *set;
	size_t count;
	int64_t read_at; /* limen_host_monotonic() */
	int error;       /* errno of the last reading, 0 if it succeeded */
};

/* Copies the bytes of an address; the scope of an IPv6 address is not among them. */
static bool
read_address(const struct sockaddr *socket_address, limen_address *out)
{
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;

	memset(out, 0, sizeof *out);
	if (socket_address == NULL)
		return false;
	if (socket_address->sa_family == AF_INET) {
		memcpy(&ipv4, socket_address, sizeof ipv4);
		memcpy(out->bytes, &ipv4.sin_addr, 4);
		out->family = 4;
		return true;
	}
	if (socket_address->sa_family == AF_INET6) {
		memcpy(&ipv6, socket_address, sizeof ipv6);
		memcpy(out->bytes, &ipv6.sin6_addr, 16);
		out->family = 6;
		return true;
	}
	return false;
}

/* Returns the number of leading one bits. */
static uint8_t
count_mask_bits(const limen_address *mask)
{
	unsigned size = mask->family == 4 ? 32 : 128;
	unsigned bits = 0;

	while (bits < size && (mask->bytes[bits / 8] & (0x80 >> bits % 8)) != 0)
		bits++;
	return (uint8_t)bits;
}

static bool
read_network(const struct ifaddrs *interface, bool masked, limen_network *out)
{
	limen_address mask;

	if (!read_address(interface->ifa_addr, &out->address))
		return false;
	out->prefix = out->address.family == 4 ? 32 : 128;
	if (!masked)
		return true;
	if (!read_address(interface->ifa_netmask, &mask) || mask.family != out->address.family)
		return false;
	network_cut(out, count_mask_bits(&mask));
	return true;
}

static size_t
count_entries(const struct ifaddrs *interface)
{
	size_t count = 0;

	for (; interface != NULL; interface = interface->ifa_next)
		count++;
	return count;
}

/*
 * Reads the IPv4 and IPv6 addresses of all interfaces, each as a network of one or, if 'masked',
 * as the network of its netmask; then addresses without a netmask are left out.  The caller
 * frees '*networks'.  Returns 0 or an errno.
 */
static int
read_networks(bool masked, limen_network **networks, size_t *count)
{
	struct ifaddrs *interfaces;
	limen_network *found;
	size_t used = 0;

	if (getifaddrs(&interfaces) != 0)
		return errno;
	found = calloc(count_entries(interfaces) + 1, sizeof *found);
	if (found == NULL) {
		freeifaddrs(interfaces);
		return ENOMEM;
	}
	for (const struct ifaddrs *next = interfaces; next != NULL; next = next->ifa_next)
		if (read_network(next, masked, &found[used]))
			used++;
	freeifaddrs(interfaces);
	*networks = found;
	*count = used;
	return 0;
}

/*
 * Reads the addresses and replaces the current set.  If they cannot be read, the old
 * set stays.  Returns 0 or an errno.
 */
static int
refresh(local_addresses *local)
{
	limen_network *networks = NULL;
	limen_cidr_set *set = NULL;
	size_t count = 0;
	int error = read_networks(local->extent == LOCAL_ADDRESSES_NETWORKS, &networks, &count);

	if (error == 0) {
		set = limen_cidr_set_new(networks, count, NULL, 0);
		error = set == NULL ? ENOMEM : 0;
	}
	free(networks);
	pthread_rwlock_wrlock(&local->lock);
	local->error = error;
	if (error == 0) {
		limen_cidr_set *old = local->set;

		local->set = set;
		set = old;
		local->count = count;
		local->read_at = limen_host_monotonic();
	}
	pthread_rwlock_unlock(&local->lock);
	limen_cidr_set_free(set);
	return error;
}

/*
 * Empties the socket, because the engine calls for as long as there is
 * something to read.  What the messages say does not matter, nor that the
 * kernel had to drop some (ENOBUFS): all addresses are read afresh.
 */
static void
drain(int fd)
{
	char buffer[8192];
	ssize_t length;

	do
		length = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
	while (length > 0 || (length < 0 && (errno == EINTR || errno == ENOBUFS)));
}

static void
follow_change(void *data)
{
	local_addresses *local = data;
	int error;

	drain(local->socket);
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

/* Readers may follow each other without a gap, and must not shut out the one writer. */
static int
open_lock(pthread_rwlock_t *lock)
{
	pthread_rwlockattr_t attributes;
	int error = pthread_rwlockattr_init(&attributes);

	if (error != 0)
		return error;
#ifdef __GLIBC__ /* others have one kind */
	pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
	error = pthread_rwlock_init(lock, &attributes);
	pthread_rwlockattr_destroy(&attributes);
	return error;
}

int
local_addresses_open(limen_host *host, local_addresses_extent extent, local_addresses **out,
                     limen_diag *diag)
{
	local_addresses *local = calloc(1, sizeof *local);
	int error;

	if (local == NULL || open_lock(&local->lock) != 0) {
		free(local);
		return LIMEN_ENOMEM;
	}
	local->host = host;
	local->extent = extent;
	watch(local);
	error = refresh(local);
	if (error != 0) {
		local_addresses_close(local);
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "cannot read the addresses of this host: %s", strerror(error));
		return error == ENOMEM ? LIMEN_ENOMEM : LIMEN_EIO;
	}
	*out = local;
	return LIMEN_OK;
}

void
local_addresses_close(local_addresses *local)
{
	if (local == NULL)
		return;
	limen_cidr_set_free(local->set);
	pthread_rwlock_destroy(&local->lock);
	free(local);
}

bool
local_addresses_overlap(local_addresses *local, const limen_network *network)
{
	bool overlap;

	pthread_rwlock_rdlock(&local->lock);
	overlap = limen_cidr_set_overlaps(local->set, network);
	pthread_rwlock_unlock(&local->lock);
	return overlap;
}

void
local_addresses_status(local_addresses *local, limen_builder *build)
{
	int64_t age;
	size_t count;
	int error;

	pthread_rwlock_rdlock(&local->lock);
	age = limen_host_monotonic() - local->read_at;
	count = local->count;
	error = local->error;
	pthread_rwlock_unlock(&local->lock);
	limen_builder_bool(build, "ready", true);
	limen_builder_int(build, "addresses", (int64_t)count);
	limen_builder_real(build, "age", (double)age / 1e9);
	limen_builder_bool(build, "watched", local->socket >= 0);
	if (error != 0)
		limen_builder_text(build, "error", strerror(error));
}
