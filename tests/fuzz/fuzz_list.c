/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Downloaded lists of networks: as pScheduler does, the C library's getaddrinfo()
 * says what an address is; a list holds what its lines are.
 */
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

#include "../../plugins/identifier/ip-cidr-list-url/list_text.h"
#include "fuzz.h"

const fuzz_target fuzz_this = { "list", NULL, 8000 };

enum { WORD_MAX = 100 };

static bool
is_address(const char *text)
{
	const struct addrinfo hints = { .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	bool valid = getaddrinfo(text, NULL, &hints, &found) == 0;

	if (found != NULL)
		freeaddrinfo(found);
	return valid;
}

/* Addresses alone: what follows a slash, and scopes, are rules of their own. */
static void
check_address(const char *line, size_t length)
{
	char text[WORD_MAX + 1];
	limen_network network;

	if (length == 0 || length > WORD_MAX || memchr(line, '/', length) != NULL ||
	    memchr(line, '%', length) != NULL || memchr(line, '\0', length) != NULL)
		return;
	memcpy(text, line, length);
	text[length] = '\0';
	FUZZ_CHECK(loose_network_parse(text, length, &network) == is_address(text));
}

static void
check_network(const limen_network *network)
{
	char text[LIMEN_NETWORK_TEXT_MAX];
	limen_network again;

	limen_network_print(network, text);
	FUZZ_CHECK(limen_network_parse(text, strlen(text), 0, &again) == LIMEN_OK);
}

/* The list in two pieces is the list. */
static void
check_split(const list_text *whole, const char *text, size_t size)
{
	const char *end = memrchr(text, '\n', size);
	size_t first = end == NULL ? 0 : (size_t)(end - text) + 1;
	list_text parts = { .count = 0 };

	list_text_add(&parts, text, first);
	list_text_add(&parts, text + first, size - first);
	FUZZ_CHECK(parts.count == whole->count && parts.skipped == whole->skipped);
	list_text_clear(&parts);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	list_text list = { .count = 0 };

	for (size_t at = 0; at < size;) {
		const char *end = memchr(text + at, '\n', size - at);
		size_t length = (end == NULL ? size : (size_t)(end - text)) - at;

		check_address(text + at, length);
		at += length + 1;
	}
	list_text_add(&list, text, size);
	for (size_t i = 0; i < list.count; i++)
		check_network(&list.networks[i]);
	if (list.failure == NULL)
		check_split(&list, text, size);
	list_text_is_utf8(text, size);
	list_text_clear(&list);
	return 0;
}
