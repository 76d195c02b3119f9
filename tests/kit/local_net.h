/* SPDX-License-Identifier: Apache-2.0 */
/*
 * local_net.h - the addresses of this host as a test sees them, and a network
 * of its own in which a test may change them.
 */
#ifndef LIMEN_TESTS_KIT_LOCAL_NET_H
#define LIMEN_TESTS_KIT_LOCAL_NET_H

#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/* Room for the hint {"requester":"ADDRESS%INTERFACE"}. */
#define LOCAL_NET_HINT 128

/* One address of an interface. */
struct local_net {
	unsigned char address[16];
	unsigned char mask[16];
	size_t size; /* 4 or 16 */
	bool has_mask;
	char interface[IF_NAMESIZE];
};

/* Reads up to 'room' addresses and returns how many there are; 0 if they cannot be read. */
size_t local_net_read(struct local_net *out, size_t room);

/* Writes the hint for the address at 'address', with 'interface' as its scope unless NULL. */
void local_net_hint(char out[LOCAL_NET_HINT], const unsigned char *address, size_t size,
                    const char *interface);

/* Is the address one of 'nets', compared only where 'masked' has a bit of the netmask? */
bool local_net_holds(const struct local_net *nets, size_t count, const unsigned char *address,
                     size_t size, bool masked);

/* Adds 'step' (1 or -1) to an address; wraps around. */
void local_net_step(unsigned char *address, size_t size, int step);

/* What a function that changes addresses found out. */
enum {
	LOCAL_NET_OK = 0,
	LOCAL_NET_SKIP = 1, /* the system does not permit it */
	LOCAL_NET_FAILED = 2
};

/* Sets the IPv4 address and netmask of the loopback interface; address "0.0.0.0" removes it. */
bool local_net_set_ipv4(const char *address, const char *netmask);

/* Adds or removes an IPv6 address of the loopback interface. */
bool local_net_change_ipv6(bool add, const char *address, unsigned prefix);

/*
 * Runs 'test' in a process of its own with a network of its own, which has a
 * loopback interface without addresses.  Returns what 'test' returned, or
 * LOCAL_NET_SKIP if there is no such network to be had.
 */
int local_net_run(int (*test)(void));

#endif
