/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cares.c - sends questions through c-ares and reads the responses.  Whole responses are read here,
 * because c-ares before 1.34 hides how long most records may be kept.
 */
#include "cares.h"

#include <limits.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum {
	HEADER_SIZE = 12,
	RECORD_SIZE = 10, /* what follows the owner of a record, without its data */
	CLASS_IN = 1,
	NAME_TEXT_MAX = 1025 /* each byte of a name may be written "\DDD" */
};

typedef struct reader {
	const uint8_t *bytes;
	size_t length;
	size_t at;
	int status;
} reader;

static unsigned
read16(const uint8_t *at)
{
	return (unsigned)at[0] << 8 | at[1];
}

static uint32_t
read32(const uint8_t *at)
{
	return (uint32_t)read16(at) << 16 | read16(at + 2);
}

/*
 * Reads the name at 'at' and how many bytes it takes there; NULL with the status set.  dn_expand()
 * refuses names above 255 bytes (RFC 1035 section 3.1), and ends soon.
 */
static char *
read_name(reader *in, size_t at, size_t *taken)
{
	char name[NAME_TEXT_MAX];
	int size = dn_expand(in->bytes, in->bytes + in->length, in->bytes + at, name, sizeof(name));
	char *copy = size < 0 ? NULL : strdup(name);

	in->status = size < 0 ? ARES_EBADRESP : copy == NULL ? ARES_ENOMEM : ARES_SUCCESS;
	*taken = size < 0 ? 0 : (size_t)size;
	return copy;
}

const uint8_t *
record_string(const record *item, size_t *cursor, size_t *length)
{
	const uint8_t *string = (const uint8_t *)item->strings + *cursor;

	if (*cursor >= item->size)
		return NULL;
	*length = string[0];
	*cursor += 1 + *length;
	return string + 1;
}

/* Do the strings of a TXT record end where its data does? */
static bool
are_strings(const uint8_t *data, size_t size)
{
	size_t at = 0;

	while (at < size)
		at += 1u + data[at];
	return size > 0 && at == size;
}

/* Reads the data of a record at 'at', 'size' bytes; false if it is malformed. */
static bool
read_data(reader *in, size_t at, size_t size, record *out)
{
	size_t taken;

	switch (out->type) {
	case DNS_A:
	case DNS_AAAA:
		out->data = in->bytes + at;
		return size == (out->type == DNS_A ? 4 : 16);
	case DNS_PTR:
	case TYPE_CNAME:
		out->name = read_name(in, at, &taken);
		return out->name != NULL && taken == size;
	case DNS_TXT:
		out->strings = in->bytes + at;
		out->size = size;
		return are_strings(in->bytes + at, size);
	case TYPE_SOA:
		if (size >= 22)
			out->minimum = read32(in->bytes + at + size - 4);
		return size >= 22;
	default:
		return true;
	}
}

static void
clear_record(record *item)
{
	free((void *)(uintptr_t)item->owner);
	free((void *)(uintptr_t)item->name);
}

/* Steps over the next record and adds it if it is of class IN; false if it is malformed. */
static bool
add_record(reader *in, records *out)
{
	size_t taken = 0;
	record item = { .owner = read_name(in, in->at, &taken) };
	const uint8_t *fixed = in->bytes + in->at + taken;
	size_t size;
	bool good = false;

	if (item.owner == NULL)
		return false;
	in->at += taken + RECORD_SIZE;
	if (in->at <= in->length) {
		size = read16(fixed + 8);
		item.type = read16(fixed);
		item.lifetime = read32(fixed + 4);
		good = size <= in->length - in->at;
		if (good && read16(fixed + 2) == CLASS_IN) {
			good = read_data(in, in->at, size, &item);
			out->items[out->count++] = item;
			item = (record){ .owner = NULL };
		}
		in->at += size;
	}
	clear_record(&item);
	return good;
}

/* Reads what follows the header. */
static bool
read_sections(reader *in, records *out)
{
	size_t answers = read16(in->bytes + 6);
	size_t all = answers + read16(in->bytes + 8);
	size_t taken;

	out->question = read_name(in, HEADER_SIZE, &taken);
	if (out->question == NULL)
		return false;
	in->at = HEADER_SIZE + taken + 4;
	/* The counts in the header may not exceed what the message has room for. */
	if (in->at > in->length || all > in->length / RECORD_SIZE)
		return false;
	out->items = calloc(all + 1, sizeof(record));
	if (out->items == NULL) {
		in->status = ARES_ENOMEM;
		return false;
	}
	for (size_t i = 0; i < all; i++) {
		if (!add_record(in, out))
			return false;
		if (i < answers)
			out->answers = out->count;
	}
	return true;
}

answer *
cares_read(dns_type type, const uint8_t *bytes, size_t length)
{
	reader in = { .bytes = bytes, .length = length };
	records got = { .count = 0 };
	answer *result;

	if (length < HEADER_SIZE || length > INT_MAX || (bytes[2] & 0x80) == 0 ||
	    read16(bytes + 4) != 1)
		return answer_failed(message_malformed);
	got.rcode = bytes[3] & 15;
	if (read_sections(&in, &got))
		result = message_answer(type, &got);
	else
		result = in.status == ARES_ENOMEM ? NULL : answer_failed(message_malformed);
	for (size_t i = 0; i < got.count; i++)
		clear_record(&got.items[i]);
	free((void *)(uintptr_t)got.question);
	free(got.items);
	return result;
}

/* With several servers, an error response is only the last one's: the status is kept instead. */
static void
receive(void *data, int status, int timeouts, unsigned char *bytes, int length)
{
	cares_question *item = data;
	bool failed = status == ARES_ESERVFAIL || status == ARES_ENOTIMP || status == ARES_EREFUSED;
	answer *result = NULL;

	(void)timeouts;
	if (bytes != NULL && length > 0 && (item->alone || !failed))
		result = cares_read(item->type, bytes, (size_t)length);
	item->over(item, status, result);
}

void
cares_ask(ares_channel channel, const char *name, cares_question *out)
{
	ares_query(channel, name, CLASS_IN, (int)out->type, receive, out);
}

#if ARES_VERSION >= 0x012200

int
cares_forget(struct ares_options *options)
{
	options->qcache_max_ttl = 0;
	return ARES_OPT_QUERY_CACHE;
}

#else

int
cares_forget(struct ares_options *options)
{
	(void)options;
	return 0;
}

#endif

bool
cares_has_one_server(ares_channel channel)
{
	struct ares_addr_port_node *nodes = NULL;
	bool one = ares_get_servers_ports(channel, &nodes) == ARES_SUCCESS && nodes != NULL &&
	           nodes->next == NULL;

	ares_free_data(nodes);
	return one;
}
