/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_redis_keys.c - keys that clients choose: long ones are kept in Redis by their hash, and
 * still count each for itself.
 */
#include <limen/limen.h>
#include <stdio.h>
#include <string.h>

#include "../../../plugins/store/redis/modes.h"
#include "plugin.h"
#include "redis_liar.h"
#include "redis_server.h"
#include "suite.h"

#define BURST 10
#define SHOWN_MAX 16

typedef struct listing {
	char keys[SHOWN_MAX][256];
	int64_t left[SHOWN_MAX];
	size_t count;
} listing;

static void
add(void *data, const limen_bucket *bucket)
{
	listing *list = data;

	CU_ASSERT_FATAL(list->count < SHOWN_MAX);
	snprintf(list->keys[list->count], sizeof(list->keys[0]), "%.*s", (int)bucket->key_length,
	         bucket->key);
	list->left[list->count++] = bucket->left;
}

static int64_t
find_left(const listing *list, const char *key)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->keys[i], key) == 0)
			return list->left[i];
	}
	plugin_assert(false, __FILE__, __LINE__, "no '%s' in the list", key);
	return -1;
}

static int
take(limen_engine *engine, const char *who, int count)
{
	int admitted = 0;

	for (int i = 0; i < count; i++)
		admitted += liar_decide(engine, who) == 200;
	return admitted;
}

/* Returns the bytes that Redis says its keys take, the values not counted. */
static size_t
longest_name(const struct redis_server *server)
{
	char answer[8192];
	size_t longest = 0;

	redis_server_ask(server, "KEYS *", answer, sizeof(answer));
	for (const char *line = strtok(answer, "\r\n"); line != NULL; line = strtok(NULL, "\r\n")) {
		if (strlen(line) > longest)
			longest = strlen(line);
	}
	return longest;
}

/* Two long texts that differ in their last byte; the key is "s2000:" and the text. */
static void
test_long(void)
{
	struct redis_server *server = redis_server_new(NULL);
	limen_diag *diag = limen_diag_new();
	listing list = { .count = 0 };
	char first[2001] = "", second[2001] = "";
	char options[256];
	limen_engine *engine;

	if (server == NULL || !redis_server_start(server))
		return;
	memset(first, 'x', 2000);
	memset(second, 'x', 1999);
	second[1999] = 'y';
	snprintf(options, sizeof(options),
	         "\"path\":\"%s\",\"mode\":\"strict\",\"on-error\":\"deny\",\"timeout\":\"PT5S\"",
	         redis_server_path(server));
	engine = liar_engine(options, NULL);
	CU_ASSERT_FATAL(engine != NULL);
	CU_ASSERT_EQUAL(take(engine, first, BURST + 2), BURST);
	CU_ASSERT_EQUAL(take(engine, second, 3), 3);
	CU_ASSERT_EQUAL(take(engine, "short", 1), 1);
	/* The display of the first is no key of its own. */
	CU_ASSERT(longest_name(server) < 128);
	CU_ASSERT_EQUAL(limen_engine_each_bucket(engine, NULL, SHOWN_MAX, 10 * LIMEN_SECOND, add,
	                                         &list, diag),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(list.count, 3);
	/* printf 's2000:%s' "$(printf 'x%.0s' $(seq 2000))" | sha256sum */
	CU_ASSERT_EQUAL(find_left(&list, "(a key of more than 64 bytes, whose SHA-256 begins with "
	                                 "91cdbe9d3099a40f1da09476977f6c90)"),
	                0);
	CU_ASSERT_EQUAL(find_left(&list, "(a key of more than 64 bytes, whose SHA-256 begins with "
	                                 "474f9711968378b596c70e4fad6bc116)"),
	                BURST - 3);
	CU_ASSERT_EQUAL(find_left(&list, "s5:short"), BURST - 1);
	limen_diag_free(diag);
	limen_engine_free(engine);
	redis_server_free(server);
}

/* In leases, too: names that differ only behind the 64th byte are no one bucket. */
static void
test_names(void)
{
	static const char good[] = "0123456789abcdef0123456789abcdef";
	static const char *const hashed[] = {
		"0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
		"0123456789ABCDEF0123456789ABCDEF", "",
	};
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 1,
		                        .period = LIMEN_SECOND, .burst = 100 };
	table_spec *table = table_spec_new("limen:", "limits/a/t", &spec, NULL);
	bucket_name name;
	char text[512];

	CU_ASSERT_FATAL(table != NULL);
	/* A key that looks like a hash is one of another bucket. */
	snprintf(text, sizeof(text), "limen:%s%s", table->prefix, good);
	CU_ASSERT_TRUE(table_spec_read(&name, "limen:", text, strlen(text)));
	CU_ASSERT_FALSE(name.hashed);
	snprintf(text, sizeof(text), "limen:h%s%s", table->prefix + 1, good);
	CU_ASSERT_TRUE(table_spec_read(&name, "limen:", text, strlen(text)));
	CU_ASSERT_TRUE(name.hashed);
	CU_ASSERT_EQUAL(name.meter.rate.burst, 100);
	for (size_t i = 0; i < sizeof(hashed) / sizeof(hashed[0]); i++) {
		snprintf(text, sizeof(text), "limen:h%s%s", table->prefix + 1, hashed[i]);
		CU_ASSERT_FALSE(table_spec_read(&name, "limen:", text, strlen(text)));
	}
	/* Keys of 64 bytes are kept as they are, and no longer ones. */
	snprintf(text, sizeof(text), "limen:%s%064d", table->prefix, 0);
	CU_ASSERT_TRUE(table_spec_read(&name, "limen:", text, strlen(text)));
	snprintf(text, sizeof(text), "limen:%s%065d", table->prefix, 0);
	CU_ASSERT_FALSE(table_spec_read(&name, "limen:", text, strlen(text)));
	table_spec_unref(table);
}

/* In a cluster a tag stands behind the prefix. */
static void
test_tags(void)
{
	static const char rest[] = "b:1/1000000/100:10:limits/a/t:0::key";
	static const struct {
		const char *tag;
		bool good;
	} rows[] = {
		{ "", true }, { "{17}", true }, { "{0}", true }, { "{017}", false },
		{ "{-1}", false }, { "{ 1}", false }, { "{17", false }, { "{}", false },
		{ "{x}", false }, { "{17}{17}", false }, { "{99999999}", false },
	};
	bucket_name name;
	char text[128];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool good;

		snprintf(text, sizeof(text), "limen:%s%s", rows[i].tag, rest);
		good = table_spec_read(&name, "limen:", text, strlen(text));
		plugin_assert(good == rows[i].good, __FILE__, __LINE__, "%s", text);
		CU_ASSERT_EQUAL(good ? name.tag : 17, i == 0 || i == 2 ? 0 : 17);
	}
	/* The check value of CRC-16/XMODEM is 0x31C3. */
	CU_ASSERT_EQUAL(wire_slot("123456789", 9), 0x31C3 & 16383);
	CU_ASSERT_EQUAL(wire_slot("", 0), 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "long keys take little room, and count each for itself", test_long },
		{ "names of long and short keys differ", test_names },
		{ "names in a cluster have tags", test_tags },
		{ NULL, NULL },
	};

	return suite_run("redis, keys", tests);
}
