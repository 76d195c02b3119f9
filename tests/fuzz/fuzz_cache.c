/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that keep downloaded lists.  The first byte says what the rest is: "f", a file; "l", two
 * lines that say which version it is, and a list, which is written and read.
 *
 * A list that was read and written is read again as the same list.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../plugins/identifier/ip-cidr-list-url/network_list.h"
#include "fuzz.h"

const fuzz_target fuzz_this = { "cache", NULL, 3000 };

static const char path[] = "fuzz-cache.list";

#define KEY UINT64_C(0x0123456789abcdef)

/* The disk is not what is looked at. */
int __wrap_fsync(int fd);

int
__wrap_fsync(int fd)
{
	(void)fd;
	return 0;
}

/* Before each write: ext4 waits for the disk where a file takes the place of another. */
static void
remove_file(void)
{
	unlink(path);
}

static void
write_file(const char *text, size_t length)
{
	int fd;

	remove_file();
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FUZZ_CHECK(fd >= 0 && write(fd, text, length) == (ssize_t)length);
	close(fd);
}

/* Returns memory that the caller frees. */
static char *
read_file(size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat facts;
	char *text;

	FUZZ_CHECK(fd >= 0 && fstat(fd, &facts) == 0);
	*length = (size_t)facts.st_size;
	text = malloc(*length + 1);
	FUZZ_CHECK(text != NULL && read(fd, text, *length) == (ssize_t)*length);
	text[*length] = '\0';
	close(fd);
	return text;
}

/* ---- what is the same ---- */

/* The address before or after a network; one that is not there is another one. */
static limen_address
next_to(const limen_network *network, bool after)
{
	limen_address next = network->address;
	int bytes = next.family == 4 ? 4 : 16;

	for (int bit = network->prefix; after && bit < bytes * 8; bit++)
		next.bytes[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	for (int i = bytes; i-- > 0;) {
		next.bytes[i] = (uint8_t)(next.bytes[i] + (after ? 1 : -1));
		if (next.bytes[i] != (after ? 0 : 0xFF))
			break;
	}
	return next;
}

/* Sets of the same networks have the same edges. */
static void
check_set(const limen_cidr_set *set, const list_text *text)
{
	limen_cidr_set *wanted = limen_cidr_set_new(text->networks, text->count, NULL, 0);

	FUZZ_CHECK(wanted != NULL);
	for (size_t i = 0; i < text->count; i++) {
		const limen_network *one = &text->networks[i];

		FUZZ_CHECK(limen_cidr_set_covers(set, one));
		for (int after = 0; after < 2; after++) {
			limen_address edge = next_to(one, after != 0);

			FUZZ_CHECK(limen_cidr_set_contains(set, &edge) ==
			           limen_cidr_set_contains(wanted, &edge));
		}
	}
	limen_cidr_set_free(wanted);
}

static void
check_list(const network_list *list, const list_text *text, const list_version *version)
{
	FUZZ_CHECK(list->count == text->count && list->skipped == text->skipped);
	FUZZ_CHECK(strcmp(list->version.etag, version->etag) == 0);
	FUZZ_CHECK(strcmp(list->version.modified, version->modified) == 0);
	check_set(list->set, text);
}

/* They are to be sent in headers. */
static void
check_version(const list_version *version)
{
	const char *texts[] = { version->etag, version->modified };

	for (int i = 0; i < 2; i++) {
		FUZZ_CHECK(strlen(texts[i]) < HTTP_VALIDATOR_MAX);
		for (const char *c = texts[i]; *c != '\0'; c++)
			FUZZ_CHECK(*c >= ' ' && *c <= '~');
	}
}

/* ---- files ---- */

/* Where the networks begin in a file that was accepted. */
static size_t
find_networks(const char *text, size_t length)
{
	size_t at = 0;

	for (int line = 0; line < 6; line++) {
		const char *end = memchr(text + at, '\n', length - at);

		FUZZ_CHECK(end != NULL);
		at = (size_t)(end - text) + 1;
	}
	return at;
}

/* What the lines of such a file are, and the number of those that were skipped. */
static void
collect(const char *text, size_t length, list_text *out)
{
	size_t at = find_networks(text, length);
	const char *skipped = strstr(text, "\nskipped ");

	while (at < length) {
		const char *end = memchr(text + at, '\n', length - at);
		limen_network network;

		FUZZ_CHECK(end != NULL);
		FUZZ_CHECK(limen_network_parse(text + at, (size_t)(end - text) - at, 0, &network) ==
		           LIMEN_OK);
		list_text_add_network(out, &network);
		at = (size_t)(end - text) + 1;
	}
	FUZZ_CHECK(skipped != NULL && out->failure == NULL);
	out->skipped = strtoull(skipped + 9, NULL, 10);
}

static void
check_written(const list_text *text, const list_version *version)
{
	const char *why;
	network_list *list;

	remove_file();
	FUZZ_CHECK(list_cache_write(path, KEY, text, version) == 0);
	list = list_cache_read(path, KEY, &why);
	FUZZ_CHECK(list != NULL && why == NULL);
	check_list(list, text, version);
	network_list_unref(list);
}

static void
check_accepted(const network_list *list)
{
	list_text text = { .networks = NULL };
	size_t length;
	char *before = read_file(&length);

	check_version(&list->version);
	collect(before, length, &text);
	check_list(list, &text, &list->version);
	check_written(&text, &list->version);
	free(before);
	list_text_clear(&text);
}

static void
check_file(void)
{
	const char *why, *again_why;
	network_list *other = list_cache_read(path, KEY + 1, &why);
	network_list *list = list_cache_read(path, KEY, &why);
	network_list *again = list_cache_read(path, KEY, &again_why);

	FUZZ_CHECK(other == NULL || list == NULL);
	FUZZ_CHECK((list == NULL) == (again == NULL));
	FUZZ_CHECK(list == NULL ? why != NULL && strcmp(why, again_why) == 0 : why == NULL);
	if (list != NULL)
		check_accepted(list);
	network_list_unref(other);
	network_list_unref(list);
	network_list_unref(again);
}

/* ---- lists ---- */

/* Takes a line off that a server may have sent as a version; a longer one is none. */
static void
take_version(const char **text, size_t *size, char out[HTTP_VALIDATOR_MAX])
{
	const char *end = memchr(*text, '\n', *size);
	size_t length = end == NULL ? *size : (size_t)(end - *text);

	for (size_t i = 0; i < length && length < HTTP_VALIDATOR_MAX; i++) {
		if ((*text)[i] < ' ' || (*text)[i] > '~')
			break;
		out[i] = (*text)[i];
	}
	*size -= end == NULL ? length : length + 1;
	*text += end == NULL ? length : length + 1;
}

static void
check_text(const char *data, size_t size)
{
	list_version version = { .etag = "" };
	list_text text = { .networks = NULL };

	take_version(&data, &size, version.etag);
	take_version(&data, &size, version.modified);
	list_text_add(&text, data, size);
	if (text.failure == NULL)
		check_written(&text, &version);
	list_text_clear(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool started;
	const char *text = (const char *)data + 1;

	if (!started)
		atexit(remove_file);
	started = true;
	if (size == 0)
		return 0;
	if (data[0] == 'f') {
		write_file(text, size - 1);
		check_file();
	} else {
		check_text(text, size - 1);
	}
	return 0;
}
