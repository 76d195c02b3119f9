/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cares.c - questions and responses with c-ares 1.34, and, below, with older versions.
 * The only file that looks at the version.
 */
#include "cares.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "message.h"

#if ARES_VERSION >= 0x012200

const uint8_t *
record_string(const record *item, size_t *cursor, size_t *length)
{
	const uint8_t *text;

	if (*cursor >= ares_dns_rr_get_abin_cnt(item->strings, ARES_RR_TXT_DATA))
		return NULL;
	text = ares_dns_rr_get_abin(item->strings, ARES_RR_TXT_DATA, (*cursor)++, length);
	return text == NULL ? (const uint8_t *)"" : text;
}

static record
read_record(const ares_dns_rr_t *from)
{
	record item = {
		.owner = ares_dns_rr_get_name(from),
		.type = ares_dns_rr_get_type(from),
		.lifetime = ares_dns_rr_get_ttl(from),
	};

	if (item.type == ARES_REC_TYPE_A)
		item.data = (const uint8_t *)ares_dns_rr_get_addr(from, ARES_RR_A_ADDR);
	else if (item.type == ARES_REC_TYPE_AAAA)
		item.data = (const uint8_t *)ares_dns_rr_get_addr6(from, ARES_RR_AAAA_ADDR);
	else if (item.type == ARES_REC_TYPE_CNAME)
		item.name = ares_dns_rr_get_str(from, ARES_RR_CNAME_CNAME);
	else if (item.type == ARES_REC_TYPE_PTR)
		item.name = ares_dns_rr_get_str(from, ARES_RR_PTR_DNAME);
	else if (item.type == ARES_REC_TYPE_SOA)
		item.minimum = ares_dns_rr_get_u32(from, ARES_RR_SOA_MINIMUM);
	else if (item.type == ARES_REC_TYPE_TXT)
		item.strings = from;
	return item;
}

static void
add_section(records *out, const ares_dns_record_t *from, ares_dns_section_t section)
{
	size_t count = ares_dns_record_rr_cnt(from, section);

	for (size_t i = 0; i < count; i++) {
		const ares_dns_rr_t *item = ares_dns_record_rr_get_const(from, section, i);

		if (ares_dns_rr_get_class(item) == ARES_CLASS_IN)
			out->items[out->count++] = read_record(item);
	}
}

static answer *
read_response(dns_type type, const ares_dns_record_t *from)
{
	size_t room = ares_dns_record_rr_cnt(from, ARES_SECTION_ANSWER) +
	              ares_dns_record_rr_cnt(from, ARES_SECTION_AUTHORITY);
	records got = { .rcode = ares_dns_record_get_rcode(from),
		        .items = calloc(room + 1, sizeof(record)) };
	answer *result = NULL;

	if (got.items == NULL)
		return NULL;
	add_section(&got, from, ARES_SECTION_ANSWER);
	got.answers = got.count;
	add_section(&got, from, ARES_SECTION_AUTHORITY);
	if (ares_dns_record_query_get(from, 0, &got.question, NULL, NULL) == ARES_SUCCESS)
		result = message_answer(type, &got);
	else
		result = answer_failed(message_malformed);
	free(got.items);
	return result;
}

answer *
cares_read(dns_type type, const uint8_t *bytes, size_t length)
{
	ares_dns_record_t *message = NULL;
	ares_status_t status = ares_dns_parse(bytes, length, 0, &message);
	answer *result;

	if (status != ARES_SUCCESS)
		return status == ARES_ENOMEM ? NULL : answer_failed(message_malformed);
	result = read_response(type, message);
	ares_dns_record_destroy(message);
	return result;
}

/* With several servers, an error response is only the last one's: the status is kept instead. */
static void
receive(void *data, ares_status_t status, size_t timeouts, const ares_dns_record_t *message)
{
	cares_question *item = data;
	bool failed = status == ARES_ESERVFAIL || status == ARES_ENOTIMP ||
	              status == ARES_EREFUSED;

	answer *result = NULL;

	(void)timeouts;
	if (message != NULL && (item->alone || !failed))
		result = read_response(item->type, message);
	item->over(item, (int)status, result);
}

void
cares_ask(ares_channel channel, const char *name, cares_question *out)
{
	ares_query_dnsrec(channel, name, ARES_CLASS_IN, (ares_dns_rec_type_t)out->type, receive,
	                  out, NULL);
}

void
cares_guard(ares_channel channel)
{
	/* c-ares 1.34 sends with MSG_NOSIGNAL itself. */
	(void)channel;
}

int
cares_forget(struct ares_options *options)
{
	options->qcache_max_ttl = 0;
	return ARES_OPT_QUERY_CACHE;
}

bool
cares_has_one_server(ares_channel channel)
{
	char *list = ares_get_servers_csv(channel);
	bool item = list != NULL && strchr(list, ',') == NULL;

	ares_free_string(list);
	return item;
}

#else

enum {
	HEADER_SIZE = 12,
	RECORD_SIZE = 10, /* what follows the owner of a record, without its data */
	CLASS_IN = 1,
	NAME_MAX_BYTES = 255,
	POINTERS_MAX = 127 /* one for each label that a name can have */
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
 * Is the name at 'at' no longer than names can be (RFC 1035 section 3.1)?  c-ares
 * writes out longer ones, of up to the whole message for each of its records, and
 * takes seconds for a message over TCP that is made for it.
 */
static bool
is_short(const reader *in, size_t at)
{
	size_t total = 0;
	unsigned pointers = 0;

	while (at + 1 < in->length) {
		uint8_t size = in->bytes[at];

		if ((size & 0xC0) == 0xC0) {
			at = ((size_t)(size & 0x3F) << 8) | in->bytes[at + 1];
			if (++pointers > POINTERS_MAX)
				return false;
			continue;
		}
		total += 1u + size;
		if (size == 0 || total > NAME_MAX_BYTES)
			return total <= NAME_MAX_BYTES;
		at += 1u + size;
	}
	return at < in->length && in->bytes[at] == 0 && total < NAME_MAX_BYTES;
}

/* Reads the name at 'at' and how many bytes it takes there; NULL with the status set. */
static char *
read_name(reader *in, size_t at, size_t *taken)
{
	char *name = NULL;
	long size = 0;

	in->status = ARES_EBADRESP;
	if (is_short(in, at))
		in->status = ares_expand_name(in->bytes + at, in->bytes, (int)in->length, &name,
		                              &size);
	*taken = (size_t)size;
	return in->status == ARES_SUCCESS ? name : NULL;
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
	ares_free_string((void *)(uintptr_t)item->owner);
	ares_free_string((void *)(uintptr_t)item->name);
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
	ares_free_string((void *)(uintptr_t)got.question);
	free(got.items);
	return result;
}

static void
receive(void *data, int status, int timeouts, unsigned char *bytes, int length)
{
	cares_question *item = data;
	answer *result = NULL;

	(void)timeouts;
	if (bytes != NULL && length > 0)
		result = cares_read(item->type, bytes, (size_t)length);
	item->over(item, status, result);
}

void
cares_ask(ares_channel channel, const char *name, cares_question *out)
{
	ares_query(channel, name, CLASS_IN, (int)out->type, receive, out);
}

static ares_socket_t
open_socket(int domain, int type, int protocol, void *data)
{
	(void)data;
	return socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
}

static int
close_socket(ares_socket_t fd, void *data)
{
	(void)data;
	return close(fd);
}

static int
connect_socket(ares_socket_t fd, const struct sockaddr *to, ares_socklen_t length, void *data)
{
	(void)data;
	return connect(fd, to, length);
}

static ares_ssize_t
receive_bytes(ares_socket_t fd, void *bytes, size_t size, int flags, struct sockaddr *from,
              ares_socklen_t *length, void *data)
{
	(void)data;
	return recvfrom(fd, bytes, size, flags, from, length);
}

static ares_ssize_t
send_parts(ares_socket_t fd, const struct iovec *parts, int count, void *data)
{
	const struct msghdr message = { .msg_iov = (struct iovec *)(uintptr_t)parts,
		                        .msg_iovlen = (size_t)count };

	(void)data;
	return sendmsg(fd, &message, MSG_NOSIGNAL);
}

void
cares_guard(ares_channel channel)
{
	static const struct ares_socket_functions functions = {
		.asocket = open_socket,
		.aclose = close_socket,
		.aconnect = connect_socket,
		.arecvfrom = receive_bytes,
		.asendv = send_parts,
	};

	ares_set_socket_functions(channel, &functions, NULL);
}

int
cares_forget(struct ares_options *options)
{
	(void)options;
	return 0;
}

bool
cares_has_one_server(ares_channel channel)
{
	struct ares_addr_port_node *nodes = NULL;
	bool item = ares_get_servers_ports(channel, &nodes) == ARES_SUCCESS && nodes != NULL &&
	           nodes->next == NULL;

	ares_free_data(nodes);
	return item;
}

#endif
