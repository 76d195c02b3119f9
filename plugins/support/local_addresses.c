/* SPDX-License-Identifier: Apache-2.0 */
/*
 * local_addresses.c - owns the set of local networks, its lock, and what is
 * done when the kernel says on a socket that addresses came or went
 * (rtnetlink(7)).  The socket itself belongs to the engine.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "interface_networks.h"
#include "local_addresses.h"

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
	int error = interface_networks_read(local->extent == LOCAL_ADDRESSES_NETWORKS, &networks,
	                                    &count);

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
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "out of memory");
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
