/* SPDX-License-Identifier: Apache-2.0 */
/* test_http_allowed.c - lists of schemes and hosts: both sides, in all spellings. */
#include <stdlib.h>
#include <string.h>

#include "http.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

#define LABEL "a23456789012345678901234567890123456789012345678901234567890123"

static void
test_spelling(void)
{
	/* What is written, and what a list has; NULL: it is refused. */
	static const char *const cases[][2] = {
		{ "example.org", "example.org" },
		{ "example.org.", "example.org" },
		{ "*.example.org", "*.example.org" },
		{ "*.example.org.", "*.example.org" },
		{ "xn--bcher-kva.example", "xn--bcher-kva.example" },
		{ "under_score-1.example", "under_score-1.example" },
		{ "127.0.0.1", "127.0.0.1" },
		{ "0x7f.1", "127.0.0.1" },
		{ "::1", "[::1]" },
		{ "[::1]", "[::1]" },
		{ "2001:db8:0:0::1", "[2001:db8::1]" },
		{ LABEL "." LABEL "." LABEL "." LABEL, NULL },
		{ "", NULL },
		{ "*", NULL },
		{ "*.", NULL },
		{ "*.*.example.org", NULL },
		{ "a*.example.org", NULL },
		{ ".example.org", NULL },
		{ "a..b", NULL },
		{ "*.127.0.0.1", NULL },
		{ "*.0.0.1", NULL },
		{ "*.[::1]", NULL },
		{ "*.::1", NULL },
		{ "[::1", NULL },
		{ "::1]", NULL },
		{ "[127.0.0.1]", NULL },
		{ "[]", NULL },
		{ "[", NULL },
		{ "fe80::1%eth0", NULL },
		{ "example.org:80", NULL },
		{ "example.org:", NULL },
		{ "http://example.org", NULL },
		{ "user@example.org", NULL },
		{ "example.org/path", NULL },
		{ "10.0.0.0/8", NULL },
		{ "b\xc3\xbc" "cher.example", NULL },
		{ "example.org ", NULL },
		{ "example%2eorg", NULL }
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *host = http_host_spell(cases[i][0]);
		const char *wanted = cases[i][1] == NULL ? "-" : cases[i][1];

		ASSERT(strcmp(host == NULL ? "-" : host, wanted) == 0, "%s: %s", cases[i][0],
		       host == NULL ? "-" : host);
		free(host);
	}
}

struct asked {
	const char *url;
	bool fine;
};

static void
check_urls(const http_allowed *allowed, const struct asked *cases)
{
	char why[HTTP_ERROR_MAX];

	for (; cases->url != NULL; cases++) {
		bool fine = http_url_allowed(cases->url, allowed, why);

		ASSERT(fine == cases->fine, "%s: %s", cases->url, fine ? "allowed" : why);
	}
}

static void
test_names(void)
{
	static const char *const hosts[] = { "example.org", "*.example.net" };
	static const http_allowed allowed = { .hosts = hosts, .host_count = 2 };
	static const struct asked cases[] = {
		{ "http://example.org/", true },
		{ "https://EXAMPLE.Org:8443/a?b#c", true },
		{ "http://example.org./", true },
		{ "http://user:password@example.org/", true },
		{ "http://%65xample%2eorg/", true },
		{ "http://a.example.net/", true },
		{ "http://a.b.Example.NET./", true },
		{ "http://example.org../", false },
		{ "http://www.example.org/", false },
		{ "http://xexample.org/", false },
		{ "http://example.organ/", false },
		{ "http://example.net/", false },
		{ "http://.example.net/", false },
		{ "http://xexample.net/", false },
		{ "http://a.example.net.evil.example/", false },
		{ "http://example.org@evil.example/", false },
		{ "http://example.org:80@evil.example/", false },
		{ "http://evil.example/@example.org", false },
		{ "http://evil.example#@example.org/", false },
		{ "http://evil.example?@example.org/", false },
		{ "http://evil.example\\@example.org/", true },
		{ "http://evil.example%2f.example.net/", false },
		{ "http://evil.example%00.example.net/", false },
		{ "http://evil.example%40a.example.net/", false },
		{ "http://%EF%BD%81.example.net/", false },
		{ "http://evil.example%E3%80%82example.net/", false },
		{ "http://127.0.0.1/", false },
		{ "http:///example.org/", true },
		{ "//example.org/", false },
		{ "example.org", false },
		{ "file:///etc/passwd", false },
		{ "file://example.org/etc/passwd", false },
		{ "", false },
		{ NULL, false }
	};

	check_urls(&allowed, cases);
}

static void
test_addresses(void)
{
	static const char *const hosts[] = { "127.0.0.1", "[2001:db8::1]", "[fe80::1]" };
	static const http_allowed allowed = { .hosts = hosts, .host_count = 3 };
	static const struct asked cases[] = {
		{ "http://127.0.0.1:8080/", true },
		{ "http://127.1/", true },
		{ "http://0x7f000001/", true },
		{ "http://2130706433/", true },
		{ "http://0177.0.0.1/", true },
		{ "http://127.0.0.1./", false },
		{ "http://127.0.0.2/", false },
		{ "http://localhost/", false },
		{ "http://[::ffff:127.0.0.1]/", false },
		{ "http://[2001:DB8:0::1]:80/", true },
		{ "http://[2001:db8::2]/", false },
		{ "http://[fe80::1]/", true },
		{ "http://[fe80::1%25eth0]/", false },
		{ "http://169.254.169.254/", false },
		{ NULL, false }
	};

	check_urls(&allowed, cases);
}

static void
test_schemes(void)
{
	static const char *const schemes[] = { "https" };
	static const char *const hosts[] = { "example.org" };
	static const http_allowed secure = { .schemes = schemes, .scheme_count = 1 };
	static const http_allowed both = { .schemes = schemes, .scheme_count = 1,
		                           .hosts = hosts, .host_count = 1 };
	static const struct asked cases[] = {
		{ "https://anything.example/", true },
		{ "HTTPS://anything.example/", true },
		{ "http://anything.example/", false },
		{ "httpss://anything.example/", false },
		{ "file:///etc/passwd", false },
		{ "gopher://anything.example/", false },
		{ NULL, false }
	};
	static const struct asked more[] = {
		{ "https://example.org/", true },
		{ "http://example.org/", false },
		{ "https://example.net/", false },
		{ NULL, false }
	};
	static const http_allowed all = { .schemes = NULL };
	static const struct asked any[] = {
		{ "http://example.org/", true },
		{ "file:///etc/passwd", true },
		{ "http://[", false },
		{ NULL, false }
	};

	check_urls(&secure, cases);
	check_urls(&both, more);
	check_urls(&all, any);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "how a host is written in a list", test_spelling },
		{ "names", test_names },
		{ "addresses", test_addresses },
		{ "schemes", test_schemes },
		{ NULL, NULL }
	};

	return suite_run("support/http allowed", tests);
}
