/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_local_subnet.c - the identifier "local-subnet" through the real engine,
 * compared with a reading of addresses and netmasks of its own.
 */
#include <string.h>
#include <unistd.h>

#include "local_net.h"
#include "plugin.h"
#include "suite.h"

enum { ROOM = 256 };

static limen_kit *
open_local_subnet(void)
{
	return plugin_open(LIMEN_KIND_IDENTIFIER, "local-subnet", "{}");
}

static void
ask(limen_kit *kit, const struct local_net *nets, size_t count, const unsigned char *address,
    size_t size)
{
	char hint[LOCAL_NET_HINT];
	limen_verdict verdict;
	bool want = local_net_holds(nets, count, address, size, true);

	local_net_hint(hint, address, size, NULL);
	verdict = limen_kit_run(kit, NULL, hint);
	plugin_assert(verdict == (want ? LIMEN_PASS : LIMEN_FAIL), __FILE__, __LINE__,
	              "%s: %d, want %d (%s)", hint, verdict, want, limen_kit_reason(kit));
}

/* The first and the last address of the network, and the ones next to them. */
static void
ask_about(limen_kit *kit, const struct local_net *nets, size_t count, const struct local_net *net)
{
	unsigned char address[16];

	for (int step = -1; step <= 1; step += 2) {
		for (size_t i = 0; i < net->size; i++)
			address[i] = (unsigned char)(step < 0 ? net->address[i] & net->mask[i]
			                                      : net->address[i] | ~net->mask[i]);
		ask(kit, nets, count, address, net->size);
		local_net_step(address, net->size, step);
		ask(kit, nets, count, address, net->size);
	}
	ask(kit, nets, count, net->address, net->size);
}

static void
test_networks(void)
{
	static struct local_net nets[ROOM];
	size_t count = local_net_read(nets, ROOM);
	limen_kit *kit;

	if (count == 0) {
		suite_skip("this host has no addresses");
		return;
	}
	kit = open_local_subnet();
	for (size_t i = 0; i < count && kit != NULL; i++) {
		if (nets[i].has_mask)
			ask_about(kit, nets, count, &nets[i]);
	}
	limen_kit_free(kit);
}

static void
test_others(void)
{
	static const struct plugin_case cases[] = {
		{ "no requester", NULL, "{\"server\":\"127.0.0.1\"}", LIMEN_SKIP, NULL },
		{ "no hints", NULL, NULL, LIMEN_SKIP, NULL },
		{ "mapped", NULL, "{\"requester\":\"::ffff:127.0.0.1\"}", LIMEN_FAIL, NULL },
		{ "empty", NULL, "{\"requester\":\"\"}", LIMEN_ERROR,
		  "'' does not appear to be an IPv4 or IPv6 network" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_IDENTIFIER, "local-subnet", "{}", cases);
}

/* Waits for an answer for at most five seconds. */
static bool
becomes(limen_kit *kit, const char *hint, limen_verdict verdict)
{
	for (int i = 0; i < 500; i++) {
		if (limen_kit_run(kit, NULL, hint) == verdict)
			return true;
		usleep(10000);
	}
	return false;
}

/* Networks of 25 bits, so that one byte is cut in the middle. */
static int
follow_ipv4(void)
{
	limen_kit *kit = open_local_subnet();

	if (kit == NULL ||
	    limen_kit_run(kit, NULL, "{\"requester\":\"192.0.2.200\"}") != LIMEN_FAIL)
		return LOCAL_NET_FAILED;
	if (!local_net_set_ipv4("192.0.2.200", "255.255.255.128"))
		return LOCAL_NET_SKIP;
	if (!becomes(kit, "{\"requester\":\"192.0.2.128\"}", LIMEN_PASS) ||
	    !becomes(kit, "{\"requester\":\"192.0.2.255\"}", LIMEN_PASS) ||
	    !becomes(kit, "{\"requester\":\"192.0.2.127\"}", LIMEN_FAIL) ||
	    !becomes(kit, "{\"requester\":\"192.0.3.0\"}", LIMEN_FAIL))
		return LOCAL_NET_FAILED;
	if (!local_net_set_ipv4("0.0.0.0", NULL) ||
	    !becomes(kit, "{\"requester\":\"192.0.2.128\"}", LIMEN_FAIL))
		return LOCAL_NET_FAILED;
	limen_kit_free(kit);
	return LOCAL_NET_OK;
}

static int
follow_ipv6(void)
{
	limen_kit *kit = open_local_subnet();

	if (kit == NULL || limen_kit_run(kit, NULL, "{\"requester\":\"2001:db8::\"}") != LIMEN_FAIL)
		return LOCAL_NET_FAILED;
	if (!local_net_change_ipv6(true, "2001:db8::5", 61))
		return LOCAL_NET_SKIP;
	if (!becomes(kit, "{\"requester\":\"2001:db8:0:7:ffff:ffff:ffff:ffff\"}", LIMEN_PASS) ||
	    !becomes(kit, "{\"requester\":\"2001:db8::\"}", LIMEN_PASS) ||
	    !becomes(kit, "{\"requester\":\"2001:db8:0:8::\"}", LIMEN_FAIL))
		return LOCAL_NET_FAILED;
	if (!local_net_change_ipv6(false, "2001:db8::5", 61) ||
	    !becomes(kit, "{\"requester\":\"2001:db8::\"}", LIMEN_FAIL))
		return LOCAL_NET_FAILED;
	limen_kit_free(kit);
	return LOCAL_NET_OK;
}

static void
test_follow_ipv4(void)
{
	int result = local_net_run(follow_ipv4);

	if (result == LOCAL_NET_SKIP)
		suite_skip("no network of its own to change");
	else
		CU_ASSERT_EQUAL(result, LOCAL_NET_OK);
}

static void
test_follow_ipv6(void)
{
	int result = local_net_run(follow_ipv6);

	if (result == LOCAL_NET_SKIP)
		suite_skip("no network of its own with IPv6 to change");
	else
		CU_ASSERT_EQUAL(result, LOCAL_NET_OK);
}

static void
test_data(void)
{
	plugin_remark(LIMEN_KIND_IDENTIFIER, "local-subnet", "{}",
	              "note: At /identifiers/0/data: pScheduler 5.2 reads the networks of this "
	              "host once");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "local-subnet", "{\"mask\":24}",
	              "/identifiers/0/data");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "localsubnet", "{}", "localsubnet");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, "local-subnet");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the ends of every network and their neighbours", test_networks },
		{ "requesters that are not local, or no addresses", test_others },
		{ "an IPv4 network comes and goes", test_follow_ipv4 },
		{ "an IPv6 network comes and goes", test_follow_ipv6 },
		{ "the data is an empty object, the type has a hyphen", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("identifier/local-subnet", tests);
}
