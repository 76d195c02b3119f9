/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_localif.c - the identifier "localif" through the real engine, compared
 * with a reading of the addresses of its own.
 */
#include <string.h>
#include <unistd.h>

#include "local_net.h"
#include "plugin.h"
#include "suite.h"

enum { ROOM = 256 };

static limen_kit *
open_localif(void)
{
	return plugin_open(LIMEN_KIND_IDENTIFIER, "localif", "{}");
}

static void
ask(limen_kit *kit, const char *hint, bool want)
{
	limen_verdict verdict = limen_kit_run(kit, NULL, hint);

	plugin_assert(verdict == (want ? LIMEN_PASS : LIMEN_FAIL), __FILE__, __LINE__,
	              "%s: %d, want %d (%s)", hint, verdict, want, limen_kit_reason(kit));
}

/* The address itself, both of its neighbours, and for IPv6 its scope. */
static void
ask_about(limen_kit *kit, const struct local_net *nets, size_t count, const struct local_net *net)
{
	unsigned char address[16];
	char hint[LOCAL_NET_HINT];

	local_net_hint(hint, net->address, net->size, NULL);
	ask(kit, hint, true);
	if (net->size == 16) {
		local_net_hint(hint, net->address, net->size, net->interface);
		ask(kit, hint, true);
	}
	for (int step = -1; step <= 1; step += 2) {
		memcpy(address, net->address, sizeof address);
		local_net_step(address, net->size, step);
		local_net_hint(hint, address, net->size, NULL);
		ask(kit, hint, local_net_holds(nets, count, address, net->size, false));
	}
}

static void
test_addresses(void)
{
	static struct local_net nets[ROOM];
	size_t count = local_net_read(nets, ROOM);
	limen_kit *kit;

	if (count == 0) {
		suite_skip("this host has no addresses");
		return;
	}
	kit = open_localif();
	for (size_t i = 0; i < count && kit != NULL; i++)
		ask_about(kit, nets, count, &nets[i]);
	limen_kit_free(kit);
}

static void
test_others(void)
{
	static const struct plugin_case cases[] = {
		{ "no requester", NULL, "{\"server\":\"127.0.0.1\"}", LIMEN_SKIP, NULL },
		{ "no hints", NULL, NULL, LIMEN_SKIP, NULL },
		{ "of documentation", NULL, "{\"requester\":\"192.0.2.201\"}", LIMEN_FAIL, NULL },
		{ "of documentation", NULL, "{\"requester\":\"2001:db8::201\"}", LIMEN_FAIL,
		  NULL },
		{ "a name", NULL, "{\"requester\":\"localhost\"}", LIMEN_ERROR,
		  "'localhost' does not appear to be an IPv4 or IPv6 network" },
		{ "host bits", NULL, "{\"requester\":\"127.0.0.1/8\"}", LIMEN_ERROR,
		  "127.0.0.1/8 has host bits set" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_IDENTIFIER, "localif", "{}", cases);
}

static void
test_networks(void)
{
	static struct local_net nets[ROOM];
	size_t count = local_net_read(nets, ROOM);
	bool has[2] = { false, false };
	limen_kit *kit = open_localif();

	for (size_t i = 0; i < count; i++)
		has[nets[i].size == 16] = true;
	if (kit != NULL) {
		ask(kit, "{\"requester\":\"0.0.0.0/0\"}", has[0]);
		ask(kit, "{\"requester\":\"::/0\"}", has[1]);
		ask(kit, "{\"requester\":\"::ffff:127.0.0.1\"}", false);
	}
	limen_kit_free(kit);
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

static int
follow_ipv4(void)
{
	static const char first[] = "{\"requester\":\"192.0.2.1\"}";
	static const char second[] = "{\"requester\":\"192.0.2.2\"}";
	limen_kit *kit = open_localif();

	if (kit == NULL || limen_kit_run(kit, NULL, first) != LIMEN_FAIL)
		return LOCAL_NET_FAILED;
	if (!local_net_set_ipv4("192.0.2.1", NULL))
		return LOCAL_NET_SKIP;
	if (!becomes(kit, first, LIMEN_PASS))
		return LOCAL_NET_FAILED;
	if (!local_net_set_ipv4("192.0.2.2", NULL) || !becomes(kit, second, LIMEN_PASS) ||
	    !becomes(kit, first, LIMEN_FAIL))
		return LOCAL_NET_FAILED;
	if (!local_net_set_ipv4("0.0.0.0", NULL) || !becomes(kit, second, LIMEN_FAIL))
		return LOCAL_NET_FAILED;
	limen_kit_free(kit);
	return LOCAL_NET_OK;
}

static int
follow_ipv6(void)
{
	static const char address[] = "{\"requester\":\"2001:db8::5\"}";
	limen_kit *kit = open_localif();

	if (kit == NULL || limen_kit_run(kit, NULL, address) != LIMEN_FAIL)
		return LOCAL_NET_FAILED;
	if (!local_net_change_ipv6(true, "2001:db8::5", 64))
		return LOCAL_NET_SKIP;
	if (!becomes(kit, address, LIMEN_PASS))
		return LOCAL_NET_FAILED;
	if (!local_net_change_ipv6(false, "2001:db8::5", 64) ||
	    !becomes(kit, address, LIMEN_FAIL))
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
	plugin_remark(LIMEN_KIND_IDENTIFIER, "localif", "{\"#\":\"a comment\"}",
	              "note: At /identifiers/0/data: pScheduler 5.2 reads the addresses of this "
	              "host once");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "localif", "{\"cidrs\":[]}", "/identifiers/0/data");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "localif", "[]", "/identifiers/0/data");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, "localif");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every address of this host and its neighbours", test_addresses },
		{ "requesters that are not local", test_others },
		{ "requesters that are networks", test_networks },
		{ "an IPv4 address comes, changes and goes", test_follow_ipv4 },
		{ "an IPv6 address comes and goes", test_follow_ipv6 },
		{ "the data is an empty object", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("identifier/localif", tests);
}
