/* SPDX-License-Identifier: Apache-2.0 */
/* local_net.c - reads and changes the addresses of interfaces. */
#include "local_net.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/ipv6.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool
copy_bytes(const struct sockaddr *from, unsigned char *out, size_t *size)
{
	if (from == NULL)
		return false;
	if (from->sa_family == AF_INET) {
		*size = 4;
		memcpy(out, (const char *)from + offsetof(struct sockaddr_in, sin_addr), 4);
		return true;
	}
	if (from->sa_family == AF_INET6) {
		*size = 16;
		memcpy(out, (const char *)from + offsetof(struct sockaddr_in6, sin6_addr), 16);
		return true;
	}
	return false;
}

size_t
local_net_read(struct local_net *out, size_t room)
{
	struct ifaddrs *list;
	size_t count = 0;
	size_t mask_size;

	if (getifaddrs(&list) != 0)
		return 0;
	for (struct ifaddrs *next = list; next != NULL && count < room; next = next->ifa_next) {
		struct local_net *net = &out[count];

		if (!copy_bytes(next->ifa_addr, net->address, &net->size))
			continue;
		net->has_mask = copy_bytes(next->ifa_netmask, net->mask, &mask_size);
		snprintf(net->interface, sizeof net->interface, "%s", next->ifa_name);
		count++;
	}
	freeifaddrs(list);
	return count;
}

void
local_net_hint(char out[LOCAL_NET_HINT], const unsigned char *address, size_t size,
               const char *interface)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(size == 4 ? AF_INET : AF_INET6, address, text, sizeof text);
	snprintf(out, LOCAL_NET_HINT, "{\"requester\":\"%s%s%s\"}", text,
	         interface != NULL ? "%" : "", interface != NULL ? interface : "");
}

bool
local_net_holds(const struct local_net *nets, size_t count, const unsigned char *address,
                size_t size, bool masked)
{
	for (size_t i = 0; i < count; i++) {
		size_t equal = 0;

		if (nets[i].size != size || (masked && !nets[i].has_mask))
			continue;
		while (equal < size && ((nets[i].address[equal] ^ address[equal]) &
		                        (masked ? nets[i].mask[equal] : 255)) == 0)
			equal++;
		if (equal == size)
			return true;
	}
	return false;
}

void
local_net_step(unsigned char *address, size_t size, int step)
{
	for (size_t i = size; i > 0; i--) {
		address[i - 1] = (unsigned char)(address[i - 1] + step);
		if (address[i - 1] != (step > 0 ? 0 : 255))
			return;
	}
}

static bool
set_ipv4(int fd, unsigned long what, const char *address)
{
	struct ifreq request = { .ifr_name = "lo" };
	struct sockaddr_in socket_address = { .sin_family = AF_INET };

	if (inet_pton(AF_INET, address, &socket_address.sin_addr) != 1)
		return false;
	memcpy(&request.ifr_addr, &socket_address, sizeof socket_address);
	return ioctl(fd, what, &request) == 0;
}

bool
local_net_set_ipv4(const char *address, const char *netmask)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool done = fd >= 0 && set_ipv4(fd, SIOCSIFADDR, address);

	if (done && netmask != NULL)
		done = set_ipv4(fd, SIOCSIFNETMASK, netmask);
	if (fd >= 0)
		close(fd);
	return done;
}

bool
local_net_change_ipv6(bool add, const char *address, unsigned prefix)
{
	struct in6_ifreq request = {
		.ifr6_prefixlen = prefix,
		.ifr6_ifindex = (int)if_nametoindex("lo")
	};
	int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool done = fd >= 0 && inet_pton(AF_INET6, address, &request.ifr6_addr) == 1 &&
	            ioctl(fd, add ? SIOCSIFADDR : SIOCDIFADDR, &request) == 0;

	if (fd >= 0)
		close(fd);
	return done;
}

int
local_net_run(int (*test)(void))
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child < 0)
		return LOCAL_NET_SKIP;
	if (child == 0) {
		if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
			_exit(LOCAL_NET_SKIP);
		_exit(test());
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return LOCAL_NET_FAILED;
	return WEXITSTATUS(status);
}
