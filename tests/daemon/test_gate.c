/* SPDX-License-Identifier: Apache-2.0 */
/* test_gate.c - what proxies ask about, by the fields of their profiles, and fields of answers. */
#include <string.h>

#include "gate/forwarded.h"
#include "gate/profile.h"
#include "gate/rate_fields.h"
#include "suite.h"

static const char *
print(const limen_address *address, char out[LIMEN_NETWORK_TEXT_MAX])
{
	const limen_network whole = { *address, address->family == 4 ? 32 : 128 };

	limen_network_print(&whole, out);
	out[strcspn(out, "/")] = '\0';
	return out;
}

static void
test_addresses(void)
{
	static const struct {
		const char *text;
		const char *wanted; /* NULL: no address */
	} rows[] = {
		{ "192.0.2.7", "192.0.2.7" },
		{ " \t192.0.2.7\t ", "192.0.2.7" },
		{ "192.0.2.7:55", "192.0.2.7" },
		{ "192.0.2.7:65535", "192.0.2.7" },
		{ "2001:db8::1", "2001:db8::1" },
		{ "2001:DB8:0:0::1", "2001:db8::1" },
		{ "[2001:db8::1]", "2001:db8::1" },
		{ "[2001:db8::1]:55", "2001:db8::1" },
		{ "::ffff:192.0.2.7", "192.0.2.7" },
		{ "[::ffff:192.0.2.7]:1", "192.0.2.7" },
		{ "", NULL },
		{ " ", NULL },
		{ "unknown", NULL },
		{ "_x", NULL },
		{ "_hidden:55", NULL },
		{ "192.0.2.7:", NULL },
		{ "192.0.2.7:x", NULL },
		{ "192.0.2.7:123456", NULL },
		{ "192.0.2.7:-1", NULL },
		{ "192.0.2.7 8", NULL },
		{ "192.0.2", NULL },
		{ "192.0.2.07", NULL },
		{ "192.0.2.7/32", NULL },
		{ "[192.0.2.7]", NULL },
		{ "[192.0.2.7]:5", NULL },
		{ "[2001:db8::1", NULL },
		{ "[2001:db8::1]55", NULL },
		{ "[2001:db8::1]:", NULL },
		{ "[]", NULL },
		{ "[]:1", NULL },
		{ "2001:db8::1]:55", NULL },
		{ "fe80::1%eth0", NULL },
		{ "unix:", NULL },
		{ "example.org", NULL },
		{ "\"192.0.2.7\"", NULL },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		limen_address found;
		char text[LIMEN_NETWORK_TEXT_MAX];
		bool good = forwarded_parse(rows[i].text, strlen(rows[i].text), &found);

		CU_ASSERT_EQUAL(good, rows[i].wanted != NULL);
		if (good && rows[i].wanted != NULL)
			CU_ASSERT_STRING_EQUAL(print(&found, text), rows[i].wanted);
	}
}

static limen_cidr_set *
make_proxies(void)
{
	static const char *const texts[] = { "10.0.0.0/8", "2001:db8:1::/48" };
	limen_network networks[G_N_ELEMENTS(texts)];

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		CU_ASSERT_EQUAL_FATAL(
			limen_network_parse(texts[i], strlen(texts[i]), 0, &networks[i]), LIMEN_OK);
	return limen_cidr_set_new(networks, G_N_ELEMENTS(texts), NULL, 0);
}

/* Splits "NAME: VALUE\nNAME: VALUE" in place; returns how many there are. */
static size_t
split_fields(char *text, http_pair *out)
{
	size_t count = 0;

	for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		char *colon = strchr(line, ':');

		*colon = '\0';
		out[count++] = (http_pair){ line, colon + 2, strlen(colon + 2), strlen(line) };
	}
	return count;
}

static void
test_profiles(void)
{
#define FORWARD "X-Forwarded-Method: GET\nX-Forwarded-Uri: /a?b=c\n"
#define NGINX   "X-Original-Method: GET\nX-Original-URI: /a?b=c\n"
	static const struct {
		const char *path;
		const char *fields;
		const char *wanted; /* "METHOD URI HOST CLIENT", or NULL: 400 */
	} rows[] = {
		{ "forward", FORWARD "X-Forwarded-For: 192.0.2.7", "GET /a?b=c limend 192.0.2.7" },
		{ "forward", "x-forwarded-method: GET\nX-FORWARDED-URI: /", "GET / limend " },
		{ "forward", FORWARD "X-Forwarded-Host: a.example", "GET /a?b=c a.example " },
		{ "forward", FORWARD "X-Forwarded-Host: a\nX-Forwarded-Host: a", NULL },
		{ "forward", FORWARD "X-Real-IP: 192.0.2.7", "GET /a?b=c limend " },
		/* The client's own come first; from the right, proxies are skipped. */
		{ "forward", FORWARD "X-Forwarded-For: 203.0.113.9, 192.0.2.7", "GET /a?b=c limend 192.0.2.7" },
		{ "forward", FORWARD "X-Forwarded-For: 203.0.113.9, 192.0.2.7, 10.0.0.1 ,10.0.0.2:80",
		  "GET /a?b=c limend 192.0.2.7" },
		{ "forward", FORWARD "X-Forwarded-For: 203.0.113.9,192.0.2.7\nX-Forwarded-For: 10.0.0.1",
		  "GET /a?b=c limend 192.0.2.7" },
		{ "forward", FORWARD "X-Forwarded-For: 192.0.2.7\nX-Forwarded-For: [2001:db8:1::5]:4",
		  "GET /a?b=c limend 192.0.2.7" },
		{ "forward", FORWARD "X-Forwarded-For: 10.0.0.3, 10.0.0.1\nX-Forwarded-For: 10.0.0.2",
		  "GET /a?b=c limend 10.0.0.3" },
		{ "forward", FORWARD "X-Forwarded-For: ::ffff:10.0.0.1", "GET /a?b=c limend 10.0.0.1" },
		/* Nonsense of the client is to the left of its address. */
		{ "forward", FORWARD "X-Forwarded-For: unknown, , _x, 192.0.2.7", "GET /a?b=c limend 192.0.2.7" },
		{ "forward", FORWARD "X-Forwarded-For: unknown\nX-Forwarded-For: 192.0.2.7",
		  "GET /a?b=c limend 192.0.2.7" },
		{ "forward", FORWARD "X-Forwarded-For: 192.0.2.7, unknown", NULL },
		{ "forward", FORWARD "X-Forwarded-For: 192.0.2.7, _x, 10.0.0.1", NULL },
		{ "forward", FORWARD "X-Forwarded-For: 192.0.2.7,", NULL },
		{ "forward", FORWARD "X-Forwarded-For: , 10.0.0.1", NULL },
		{ "forward", FORWARD "X-Forwarded-For: ", NULL },
		{ "forward", FORWARD "X-Forwarded-For: 192.0.2.7\nX-Forwarded-For: ", NULL },
		{ "forward", "X-Forwarded-Uri: /", NULL },
		{ "forward", "X-Forwarded-Method: GET", NULL },
		{ "forward", "X-Forwarded-Method: \nX-Forwarded-Uri: /", NULL },
		{ "forward", "X-Forwarded-Method: GET\nX-Forwarded-Uri: ", NULL },
		{ "forward", "X-Forwarded-Method: G T\nX-Forwarded-Uri: /", NULL },
		{ "forward", "X-Forwarded-Method: GET\nX-Forwarded-Uri: a", NULL },
		{ "forward", "X-Forwarded-Method: GET\nX-Forwarded-Uri: http://a/", NULL },
		{ "forward", "X-Forwarded-Method: OPTIONS\nX-Forwarded-Uri: *", "OPTIONS * limend " },
		{ "forward", FORWARD "X-Forwarded-Uri: /a?b=c", NULL },
		{ "forward", FORWARD "X-Forwarded-Method: GET", NULL },
		{ "forward", NGINX, NULL },
		{ "nginx", NGINX "X-Real-IP: 192.0.2.7", "GET /a?b=c limend 192.0.2.7" },
		{ "nginx", NGINX "X-Real-IP: 10.0.0.1", "GET /a?b=c limend 10.0.0.1" },
		{ "nginx", NGINX "X-Real-IP: [2001:db8::1]:55", "GET /a?b=c limend 2001:db8::1" },
		{ "nginx", NGINX "X-Forwarded-For: unknown\nX-Forwarded-Host: b", "GET /a?b=c limend " },
		{ "nginx", NGINX "X-Real-IP: 192.0.2.7\nX-Real-IP: 192.0.2.7", NULL },
		{ "nginx", NGINX "X-Real-IP: 192.0.2.7, 192.0.2.8", NULL },
		{ "nginx", NGINX "X-Real-IP: unknown", NULL },
		{ "nginx", NGINX "X-Real-IP: ", NULL },
		{ "nginx", NGINX "X-Original-URI: /", NULL },
		{ "nginx", FORWARD, NULL },
		{ "envoy", "X-Forwarded-For: 203.0.113.9, 192.0.2.7, 10.0.0.1", "PUT /own?x limend 192.0.2.7" },
		{ "envoy", FORWARD NGINX "X-Real-IP: unknown\nX-Forwarded-Host: b", "PUT /own?x limend " },
	};
#undef FORWARD
#undef NGINX
	limen_cidr_set *proxies = make_proxies();

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *text = g_strdup(rows[i].fields);
		char *path = g_strconcat("/v1/gate/", rows[i].path, NULL);
		http_pair pairs[8];
		http_request request = { .verb = "PUT", .rest = "/own?x", .host = "limend",
			                 .fields = { pairs, split_fields(text, pairs) } };
		fault why = { .status = 0 };
		client_request found;
		bool good = profile_read(profile_of(path), &request, proxies, &found, &why);

		CU_ASSERT_EQUAL(good, rows[i].wanted != NULL);
		CU_ASSERT_EQUAL(why.status, good ? 0 : 400);
		if (good && rows[i].wanted != NULL) {
			char *line = g_strdup_printf("%s %s %s %s", found.method, found.uri,
			                             found.host, found.client);

			CU_ASSERT_STRING_EQUAL(line, rows[i].wanted);
			g_free(line);
		}
		fault_clear(&why);
		g_free(path);
		g_free(text);
	}
	CU_ASSERT_PTR_NULL(profile_of("/v1/gate"));
	limen_cidr_set_free(proxies);
}

static void
test_rates(void)
{
	static const limen_quota minute = { "a minute", 100, 60, 0, 7, LIMEN_METER_TOKEN, LIMEN_UNIT_NONE };
	static const limen_quota month = { "m\"o\\n\xc3\xa9", 10000, 0, 812, 86400,
		                            LIMEN_METER_CALENDAR, LIMEN_UNIT_MONTH };
	static const limen_quota vast = { "v", INT64_MAX, INT64_MAX, INT64_MAX - 1, INT64_MAX,
		                           LIMEN_METER_TOKEN, LIMEN_UNIT_NONE };
	static const limen_quota full = { "f", 5, 60, 5, 12, LIMEN_METER_TOKEN, LIMEN_UNIT_NONE };
	static const struct {
		limen_http_fields style;
		const limen_quota *quotas[3];
		const char *wanted; /* "NAME: VALUE|NAME: VALUE" */
	} rows[] = {
		{ LIMEN_HTTP_FIELDS_DRAFT, { NULL }, "" },
		{ LIMEN_HTTP_FIELDS_DRAFT, { &minute },
		  "RateLimit-Policy: \"a minute\";q=100;w=60|RateLimit: \"a minute\";r=0;t=7|" },
		{ LIMEN_HTTP_FIELDS_DRAFT, { &minute, &month },
		  "RateLimit-Policy: \"a minute\";q=100;w=60, \"m\\\"o\\\\n%C3%A9\";q=10000|"
		  "RateLimit: \"a minute\";r=0;t=7, \"m\\\"o\\\\n%C3%A9\";r=812;t=86400|" },
		{ LIMEN_HTTP_FIELDS_DRAFT, { &vast },
		  "RateLimit-Policy: \"v\";q=999999999999999;w=999999999999999|"
		  "RateLimit: \"v\";r=999999999999999;t=999999999999999|" },
		{ LIMEN_HTTP_FIELDS_DRAFT, { &full },
		  "RateLimit-Policy: \"f\";q=5;w=60|RateLimit: \"f\";r=5|" },
		{ LIMEN_HTTP_FIELDS_LEGACY, { &minute, &month },
		  "RateLimit-Limit: 100|RateLimit-Remaining: 0|RateLimit-Reset: 7|" },
		{ LIMEN_HTTP_FIELDS_X_LEGACY, { &month, &minute },
		  "X-RateLimit-Limit: 10000|X-RateLimit-Remaining: 812|X-RateLimit-Reset: 86400|" },
		{ LIMEN_HTTP_FIELDS_X_LEGACY, { NULL }, "" },
		{ LIMEN_HTTP_FIELDS_NONE, { &minute }, "" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		http_response response = { .body = g_string_new(NULL) };
		GString *found = g_string_new(NULL);
		size_t count = 0;

		while (rows[i].quotas[count] != NULL)
			count++;
		rate_fields_add(rows[i].style, rows[i].quotas, count, &response);
		for (size_t at = 0; response.fields != NULL && at < response.fields->count; at++)
			g_string_append_printf(found, "%s: %s|", response.fields->names[at],
			                       http_value(response.fields, at));
		CU_ASSERT_STRING_EQUAL(found->str, rows[i].wanted);
		g_string_free(found, TRUE);
		http_response_clear(&response);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "addresses as proxies write them", test_addresses },
		{ "what each profile reads", test_profiles },
		{ "what is left of rates", test_rates },
		{ NULL, NULL },
	};

	return suite_run("daemon/gate", tests);
}
