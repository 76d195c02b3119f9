/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a web server answers to the limit url-fetch: a line of words (success-only,
 * fail-result, small, broken), a line that is the URL, and the answer with its heads.
 *
 * jansson, which shares no code with limen, says whether a server passes a task; and the
 * answer means the same however it is cut into pieces.
 */
#include <curl/curl.h>
#include <jansson.h>
#include <string.h>

#include "../../plugins/limit/url-fetch/url_fetch.h"
#include "fake_curl.h"
#include "fuzz.h"
#include "decision/reply.h"
#include "base/utf8.h"

const fuzz_target fuzz_this = { "fetch", NULL, 8000 };

enum {
	SMALL = 64,
	LARGE = 10000,
	DEPTH_MAX = 1000,    /* of JSON that limen takes */
	REASON_MAX = 60000   /* 8 KiB of the server's, each byte a character, and the URL */
};

/* What a run has found out. */
typedef struct outcome {
	limen_verdict verdict;
	bool missing;
	char reason[REASON_MAX];
} outcome;

static struct {
	fake_answer answer;
	bool in_bytes;
	url_fetch limit;
	char url[1000];
} run;

static bool
answer(const char *url, fake_answer *out)
{
	/* A user is taken out of it. */
	FUZZ_CHECK(strcmp(url, run.url) == 0 || strchr(run.url, '@') != NULL);
	*out = run.answer;
	return true;
}

static size_t
cut(size_t left)
{
	return run.in_bytes ? 1 : left;
}

/* ---- what may be shown ---- */

/* Nothing that a header may not hold. */
static void
check_validator(const char *text)
{
	FUZZ_CHECK(strlen(text) < HTTP_VALIDATOR_MAX);
	for (const char *c = text; *c != '\0'; c++)
		FUZZ_CHECK(*c >= ' ' && *c <= '~');
}

static void
check_fetched(const http_answer *fetched, const http_request *request)
{
	FUZZ_CHECK(fetched->body != NULL && fetched->body[fetched->length] == '\0');
	FUZZ_CHECK(fetched->length <= request->max_body);
	FUZZ_CHECK(fetched->status >= 100 && fetched->status <= 999);
	FUZZ_CHECK(!fetched->transport_failed || (fetched->status == 400 && fetched->length == 0));
	FUZZ_CHECK(fetched->transport_failed == (fetched->error[0] != '\0'));
	FUZZ_CHECK(!fetched->late && !fetched->crowded);
	check_validator(fetched->etag);
	check_validator(fetched->modified);
}

/* Lines of text, whatever the server said. */
static void
check_reason(const char *text)
{
	size_t length = strlen(text);

	FUZZ_CHECK(length < REASON_MAX && utf8_valid(text, length) == length);
	for (const char *c = text; *c != '\0'; c++)
		FUZZ_CHECK(((unsigned char)*c >= ' ' && *c != 0x7F) || strchr("\t\r\n", *c) != NULL);
}

/* Neither a user nor a password is left of it, nor a query. */
static void
check_url(const char *url)
{
	char *shown = http_url_shown(url);
	CURLU *parts = curl_url();
	char *secret = NULL;

	FUZZ_CHECK(shown != NULL && parts != NULL && strpbrk(shown, "?#") == NULL);
	if (curl_url_set(parts, CURLUPART_URL, shown, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK) {
		FUZZ_CHECK(curl_url_get(parts, CURLUPART_USER, &secret, 0) == CURLUE_NO_USER);
		FUZZ_CHECK(curl_url_get(parts, CURLUPART_PASSWORD, &secret, 0) ==
		           CURLUE_NO_PASSWORD);
	}
	curl_url_cleanup(parts);
	free(shown);
}

/* ---- what it means ---- */

/* What limen takes too: not too deep, and no NULs. */
static bool
is_plain(const http_answer *fetched)
{
	size_t brackets = 0;

	for (size_t i = 0; i < fetched->length; i++)
		brackets += fetched->body[i] == '[' || fetched->body[i] == '{';
	return brackets < DEPTH_MAX && strlen(fetched->body) == fetched->length;
}

static void
check_verdict(const http_answer *fetched, const outcome *found)
{
	limen_verdict otherwise = run.limit.fail_result ? LIMEN_PASS : LIMEN_FAIL;
	json_t *root = json_loadb(fetched->body, fetched->length, JSON_ALLOW_NUL, NULL);
	json_t *passed = json_object_get(root, "passed");
	bool counts = fetched->status == 200 && !fetched->transport_failed;

	FUZZ_CHECK(found->verdict == LIMEN_PASS || found->verdict == LIMEN_FAIL);
	FUZZ_CHECK(!found->missing || found->verdict == otherwise);
	if (run.limit.success_only) {
		counts = counts || (fetched->status == 404 && !fetched->transport_failed);
		FUZZ_CHECK(found->missing == !counts);
		FUZZ_CHECK(!counts || (found->verdict == LIMEN_PASS) == (fetched->status == 200));
	} else if (!counts) {
		FUZZ_CHECK(found->missing);
	} else if (root != NULL && is_plain(fetched)) {
		FUZZ_CHECK(found->missing == !json_is_boolean(passed));
		FUZZ_CHECK(found->missing ||
		           (found->verdict == LIMEN_PASS) == json_is_true(passed));
	}
	json_decref(root);
}

static void
read_answer(const http_answer *fetched, outcome *out)
{
	const web_request asked = { .url = run.url };
	arena memory = ARENA_INIT;
	limen_reply reply;

	reply_start(&reply, &memory, NULL);
	out->verdict = answer_read(&run.limit, &asked, fetched, &reply, &out->missing);
	FUZZ_CHECK(!reply.failed);
	/* Whoever refuses says why, if the server leaves that to limen. */
	FUZZ_CHECK(!out->missing || reply.reason != NULL);
	if (reply.reason != NULL) {
		check_reason(reply.reason);
		strcpy(out->reason, reply.reason);
	}
	reply_finish(&reply);
	arena_free(&memory);
}

static void
fetch(outcome *out, bool small, bool in_bytes)
{
	static http_client *client;
	http_request request = {
		.url = run.url,
		.cut_body = run.limit.success_only,
		.timeout = LIMEN_SECOND,
		.deadline = INT64_MAX,
		.max_body = small ? SMALL : LARGE,
	};
	http_answer fetched;

	if (client == NULL)
		client = http_client_new();
	run.in_bytes = in_bytes;
	FUZZ_CHECK(client != NULL && http_get(client, &request, &fetched) == LIMEN_OK);
	check_fetched(&fetched, &request);
	read_answer(&fetched, out);
	check_verdict(&fetched, out);
	http_answer_clear(&fetched);
}

/* ---- */

static void
take_line(const char **text, size_t *size, char *out, size_t room)
{
	const char *end = memchr(*text, '\n', *size);
	size_t length = end == NULL ? *size : (size_t)(end - *text);

	snprintf(out, room, "%.*s", (int)length, *text);
	length += end == NULL ? 0 : 1;
	*text += length;
	*size -= length;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static outcome whole, bytes;
	const char *text = (const char *)data;
	char words[100];
	bool small;

	take_line(&text, &size, words, sizeof words);
	take_line(&text, &size, run.url, sizeof run.url);
	if (!http_url_valid(run.url))
		strcpy(run.url, "https://user:secret@example.org/passed?key=secret");
	small = strstr(words, "small") != NULL;
	run.limit.success_only = strstr(words, "success-only") != NULL;
	run.limit.fail_result = strstr(words, "fail-result") != NULL;
	run.answer = (fake_answer){ .text = text, .length = size };
	run.answer.end = strstr(words, "broken") != NULL ? CURLE_RECV_ERROR : CURLE_OK;
	fake_curl = (fake_server){ answer, cut };
	whole.reason[0] = bytes.reason[0] = '\0';
	fetch(&whole, small, false);
	fetch(&bytes, small, true);
	FUZZ_CHECK(whole.verdict == bytes.verdict && whole.missing == bytes.missing);
	FUZZ_CHECK(strcmp(whole.reason, bytes.reason) == 0);
	check_url(run.url);
	return 0;
}
