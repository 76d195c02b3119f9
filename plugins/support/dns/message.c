/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

#include <ares.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "text.h"

enum {
	HEADER_SIZE = 12,
	RECORD_SIZE = 10, /* what follows the owner of a record, without its data */
	CLASS_IN = 1,
	TYPE_CNAME = 5,
	TYPE_SOA = 6,
	RCODE_OK = 0,
	RCODE_NO_NAME = 3,
	/* The longest chain of aliases that is followed; dnspython's bound too. */
	ALIASES_MAX = 16
};

/* RFC 2308 section 5 leaves the bounds to the resolver. */
#define LIFETIME_MAX 3600

static const char malformed[] = "the answer of the name server makes no sense";

typedef struct message {
	const uint8_t *bytes;
	size_t length;
	size_t at;        /* how far it has been read */
	size_t answers;   /* where the answers begin */
	unsigned counts[4]; /* of questions, answers, authorities, others */
	bool short_memory; /* nothing that follows from a failure counts */
} message;

typedef struct record {
	char *owner;
	unsigned type;
	unsigned class;
	int64_t lifetime;
	const uint8_t *data;
	size_t size;
} record;

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

/* A lifetime with the highest bit set counts as zero (RFC 2181 section 8). */
static int64_t
read_lifetime(const uint8_t *at)
{
	uint32_t seconds = read32(at);

	if (seconds > INT32_MAX)
		return 0;
	return seconds > LIFETIME_MAX ? LIFETIME_MAX : (int64_t)seconds;
}

/* Reads the name at 'place', as name_read() does. */
static char *
read_name(message *msg, const uint8_t *place, size_t *taken)
{
	return name_read(msg->bytes, msg->length, (size_t)(place - msg->bytes), taken,
	                 &msg->short_memory);
}

/* Steps over the next record and fills 'out', whose owner the caller frees. */
static bool
read_record(message *msg, record *out)
{
	const uint8_t *place = msg->bytes + msg->at;
	size_t taken = 0;

	out->owner = read_name(msg, place, &taken);
	if (out->owner == NULL)
		return false;
	place += taken;
	msg->at += taken;
	if (msg->length - msg->at >= RECORD_SIZE) {
		out->type = read16(place);
		out->class = read16(place + 2);
		out->lifetime = read_lifetime(place + 4);
		out->size = read16(place + 8);
		out->data = place + RECORD_SIZE;
		msg->at += RECORD_SIZE;
		if (msg->length - msg->at >= out->size) {
			msg->at += out->size;
			return true;
		}
	}
	ares_free_string(out->owner);
	return false;
}

/* Reads the header and the question; false if there is not exactly one. */
static bool
read_start(message *msg, char **question)
{
	size_t taken = 0;

	if (msg->length < HEADER_SIZE || msg->length > INT_MAX)
		return false;
	for (size_t i = 0; i < 4; i++)
		msg->counts[i] = read16(msg->bytes + 4 + 2 * i);
	if (msg->counts[0] != 1)
		return false;
	*question = read_name(msg, msg->bytes + HEADER_SIZE, &taken);
	if (*question == NULL)
		return false;
	msg->at = HEADER_SIZE + taken;
	if (msg->length - msg->at < 4) {
		ares_free_string(*question);
		return false;
	}
	msg->at += 4;
	msg->answers = msg->at;
	return true;
}

/* ---- aliases ---- */

/* Replaces '*name' by what it is an alias of; false if it is none or makes no sense. */
static bool
follow_alias(message *msg, char **name, int64_t *lifetime)
{
	record one;
	bool found = false;

	msg->at = msg->answers;
	for (unsigned i = 0; i < msg->counts[1] && !found; i++) {
		char *target;
		size_t taken = 0;

		if (!read_record(msg, &one))
			return false;
		found = one.type == TYPE_CNAME && one.class == CLASS_IN &&
		        text_same_name(one.owner, *name);
		ares_free_string(one.owner);
		if (!found)
			continue;
		target = read_name(msg, one.data, &taken);
		if (target == NULL)
			return false;
		ares_free_string(*name);
		*name = target;
		if (one.lifetime < *lifetime)
			*lifetime = one.lifetime;
	}
	return found;
}

/* ---- what was asked for ---- */

typedef struct harvest {
	dns_type type;
	size_t count;
	int64_t lifetime;
	limen_address *addresses; /* of all answers; NULL: texts */
	char *text;
} harvest;

static bool
take_address(harvest *found, const record *one)
{
	size_t size = found->type == DNS_A ? 4 : 16;

	if (one->size != size)
		return false;
	found->addresses[found->count].family = found->type == DNS_A ? 4 : 6;
	memcpy(found->addresses[found->count].bytes, one->data, size);
	return true;
}

/* Only the first name or text counts, in pScheduler too. */
static bool
take_text(message *msg, harvest *found, const record *one)
{
	size_t taken = 0;
	char *name;

	if (found->count > 0)
		return true;
	if (found->type == DNS_TXT) {
		if (!text_display(one->data, one->size, &found->text))
			return false;
	} else {
		name = read_name(msg, one->data, &taken);
		if (name == NULL)
			return false;
		found->text = strdup(name);
		ares_free_string(name);
	}
	msg->short_memory = msg->short_memory || found->text == NULL;
	return found->text != NULL;
}

static bool
take_records(message *msg, const char *name, harvest *found)
{
	record one;

	msg->at = msg->answers;
	for (unsigned i = 0; i < msg->counts[1]; i++) {
		bool good = true;
		bool wanted;

		if (!read_record(msg, &one))
			return false;
		wanted = one.type == (unsigned)found->type && one.class == CLASS_IN &&
		         text_same_name(one.owner, name);
		ares_free_string(one.owner);
		if (!wanted)
			continue;
		good = found->addresses != NULL ? take_address(found, &one)
		                                : take_text(msg, found, &one);
		if (!good)
			return false;
		found->count++;
		if (one.lifetime < found->lifetime)
			found->lifetime = one.lifetime;
	}
	return true;
}

/*
 * How long the name server wants to be asked no more about what is not there:
 * its SOA record says so (RFC 2308 section 5).
 */
static int64_t
negative_lifetime(message *msg)
{
	record one;
	int64_t lifetime = 0;

	msg->at = msg->answers;
	for (unsigned i = 0; i < msg->counts[1] + msg->counts[2]; i++) {
		bool is_soa;

		if (!read_record(msg, &one))
			return 0;
		is_soa = one.type == TYPE_SOA && one.class == CLASS_IN && one.size >= 22;
		ares_free_string(one.owner);
		if (!is_soa || i < msg->counts[1])
			continue;
		lifetime = read_lifetime(one.data + one.size - 4);
		return lifetime < one.lifetime ? lifetime : one.lifetime;
	}
	return lifetime;
}

static answer *
make_negative(message *msg, dns_outcome outcome)
{
	answer *one = answer_new(outcome, 0);

	if (one != NULL)
		one->lifetime = negative_lifetime(msg);
	return one;
}

static answer *
make_positive(const harvest *found)
{
	size_t addresses = found->addresses == NULL ? 0 : found->count * sizeof(limen_address);
	size_t text = found->text == NULL ? 0 : strlen(found->text) + 1;
	answer *one = answer_new(DNS_FOUND, addresses + text);

	if (one == NULL)
		return NULL;
	one->lifetime = found->lifetime;
	if (text > 0) {
		one->shown.text = memcpy(answer_room(one), found->text, text);
	} else if (addresses > 0) {
		one->shown.addresses = memcpy(answer_room(one), found->addresses, addresses);
		one->shown.count = found->count;
	}
	return one;
}

/* Reads the answer for the name that aliases have led to. */
static answer *
read_data(message *msg, dns_type type, const char *name, int64_t lifetime)
{
	harvest found = { .type = type, .lifetime = lifetime };
	answer *result = NULL;

	if (type == DNS_A || type == DNS_AAAA) {
		/* There cannot be more than the message has room for, whatever it says. */
		found.addresses = calloc(msg->length / RECORD_SIZE, sizeof(limen_address));
		if (found.addresses == NULL)
			return NULL;
	}
	if (!take_records(msg, name, &found))
		result = msg->short_memory ? NULL : answer_failed(malformed);
	else if (found.count == 0)
		result = make_negative(msg, DNS_NO_DATA);
	else
		result = make_positive(&found);
	free(found.addresses);
	free(found.text);
	return result;
}

static answer *
read_answers(message *msg, dns_type type, char **name)
{
	int64_t lifetime = LIFETIME_MAX;
	unsigned aliases = 0;

	while (follow_alias(msg, name, &lifetime)) {
		if (++aliases > ALIASES_MAX)
			return answer_failed("too many aliases lead to the name");
	}
	if (msg->short_memory)
		return NULL;
	return read_data(msg, type, *name, lifetime);
}

static const char *
rcode_text(unsigned rcode)
{
	switch (rcode) {
	case 1:
		return "the name server does not understand the question (FORMERR)";
	case 2:
		return "the name server failed (SERVFAIL)";
	case 4:
		return "the name server does not answer such questions (NOTIMP)";
	case 5:
		return "the name server refuses to answer (REFUSED)";
	default:
		return "the name server reported an error";
	}
}

answer *
message_read(dns_type type, const uint8_t *bytes, size_t length)
{
	message msg = { .bytes = bytes, .length = length };
	char *name = NULL;
	unsigned rcode;
	answer *result;

	if (length < HEADER_SIZE || (bytes[2] & 0x80) == 0)
		return answer_failed(malformed);
	rcode = bytes[3] & 15;
	if (rcode != RCODE_OK && rcode != RCODE_NO_NAME)
		return answer_failed(rcode_text(rcode));
	if (!read_start(&msg, &name))
		return msg.short_memory ? NULL : answer_failed(malformed);
	if (rcode == RCODE_NO_NAME)
		result = make_negative(&msg, DNS_NO_NAME);
	else
		result = read_answers(&msg, type, &name);
	ares_free_string(name);
	return result;
}
