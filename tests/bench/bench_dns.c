/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_dns.c - an identifier that asks name servers, beside c-ares alone, which asks
 * the same two questions; the name server is that of the tests.
 */
#include <CUnit/CUnit.h>
#include <ares.h>
#include <arpa/nameser.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "../kit/fake_dns.h"
#include "subject.h"

enum { TIME_TO_LIVE = 60 };

/* What the name server of the tests asserts is asserted here without a test around it. */
CU_BOOL
CU_assertImplementation(CU_BOOL good, unsigned line, const char *condition, const char *file,
                        const char *function, CU_BOOL fatal)
{
	(void)function;
	(void)fatal;
	if (!good)
		bench_die("%s:%u: %s", file, line, condition);
	return good;
}

/* Each address has the name "A-B-C-D.example.org", and that name the address. */
static size_t
answer(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	unsigned part[4];
	uint8_t address[4];
	char name[64];
	size_t at = fake_dns_begin(question, 0, out);

	(void)room;
	(void)data;
	if (question->type == FAKE_DNS_PTR &&
	    sscanf(question->name, "%u.%u.%u.%u.", &part[3], &part[2], &part[1], &part[0]) == 4) {
		snprintf(name, sizeof(name), "%u-%u-%u-%u.example.org", part[0], part[1], part[2],
		         part[3]);
		return fake_dns_add_name(out, at, NULL, FAKE_DNS_PTR, TIME_TO_LIVE, name);
	}
	if (sscanf(question->name, "%u-%u-%u-%u.", &part[0], &part[1], &part[2], &part[3]) != 4)
		return fake_dns_begin(question, 3, out);
	for (int i = 0; i < 4; i++)
		address[i] = (uint8_t)part[i];
	return fake_dns_add(out, at, NULL, FAKE_DNS_A, TIME_TO_LIVE, address, sizeof(address),
	                    false);
}

/* Addresses that were not asked about before: the lower bytes of a count. */
typedef struct asker {
	subject about; /* with limen */
	ares_channel channel;
	unsigned count;
	int waiting; /* for so many answers */
} asker;

/* ---- c-ares alone ---- */

static void
note_answer(void *data, int status, int timeouts, unsigned char *message, int length)
{
	asker *self = data;

	(void)timeouts;
	(void)message;
	(void)length;
	if (status != ARES_SUCCESS)
		bench_die("c-ares: %s", ares_strerror(status));
	self->waiting--;
}

static void
wait_for_answer(asker *self)
{
	while (self->waiting > 0) {
		ares_socket_t sockets[ARES_GETSOCK_MAXNUM];
		int wanted = ares_getsock(self->channel, sockets, ARES_GETSOCK_MAXNUM);
		struct pollfd one = { .fd = sockets[0], .events = POLLIN };

		if ((wanted & 1) == 0)
			bench_die("c-ares waits for nothing");
		poll(&one, 1, 1000);
		ares_process_fd(self->channel, one.revents != 0 ? one.fd : ARES_SOCKET_BAD,
		                ARES_SOCKET_BAD);
	}
}

static void
ask_bare(void *data, size_t calls)
{
	asker *self = data;
	char name[64];

	for (size_t i = 0; i < calls; i++) {
		unsigned n = self->count++;

		snprintf(name, sizeof(name), "%u.%u.%u.10.in-addr.arpa", n & 255, n >> 8 & 255,
		         n >> 16 & 255);
		self->waiting++;
		ares_query(self->channel, name, ns_c_in, ns_t_ptr, note_answer, self);
		wait_for_answer(self);
		snprintf(name, sizeof(name), "10-%u-%u-%u.example.org", n >> 16 & 255,
		         n >> 8 & 255, n & 255);
		self->waiting++;
		ares_query(self->channel, name, ns_c_in, ns_t_a, note_answer, self);
		wait_for_answer(self);
	}
}

/* ---- limen ---- */

static limen_engine *
make_engine(const char *server)
{
	char policy[1024];

	snprintf(policy, sizeof(policy),
	         "{\"schema\":4,\"identifiers\":[{\"name\":\"i\",\"description\":\"\",\"type\":"
	         "\"ip-reverse-dns\",\"data\":{\"match\":{\"style\":\"regex\",\"match\":"
	         "\"\\\\.example\\\\.org$\"},\"timeout\":\"PT10S\",\"server\":\"%s\"}}],"
	         "\"classifiers\":[{\"name\":\"c\",\"description\":\"\",\"identifiers\":[\"i\"]}],"
	         "\"limits\":[],\"applications\":[{\"description\":\"\",\"classifier\":\"c\","
	         "\"apply\":[]}]}",
	         server);
	return subject_engine_text(policy);
}

static void
ask_anew(void *data, size_t calls)
{
	asker *self = data;
	char address[32];

	for (size_t i = 0; i < calls; i++) {
		unsigned n = self->count++;

		snprintf(address, sizeof(address), "11.%u.%u.%u", n >> 16 & 255, n >> 8 & 255,
		         n & 255);
		if (limen_request_set_hint(self->about.request, "requester", address) != LIMEN_OK)
			bench_die("out of memory");
		subject_decide(&self->about, 1);
	}
}

static void
measure(const char *server)
{
	static const char remembered[] = "DNS: a decision by a name that is remembered";
	static const char bare[] = "DNS: PTR and A asked with c-ares alone: wall";
	asker self = { .about = { .options = { .size = sizeof(self.about.options) } } };
	const bench_row asked[] = {
		{ .name = bare, .run = ask_bare, .data = &self, .wall = true },
		{ .name = "DNS: a decision that asks for both: wall", .run = ask_anew,
		  .data = &self, .peer = bare, .times = 1.5, .wall = true },
	};

	if (ares_init(&self.channel) != ARES_SUCCESS ||
	    ares_set_servers_ports_csv(self.channel, server) != ARES_SUCCESS)
		bench_die("c-ares does not start");
	self.about.engine = make_engine(server);
	self.about.request = subject_task("{}", "10.0.0.1");
	if (bench_wants(remembered))
		bench_rows(&(bench_row){ .name = remembered, .run = subject_decide,
		                         .data = &self.about, .goal = 300 },
		           1);
	bench_rows(asked, sizeof(asked) / sizeof(asked[0]));
	limen_request_free(self.about.request);
	limen_engine_free(self.about.engine);
	ares_destroy(self.channel);
}

int
main(int argc, char **argv)
{
	struct fake_dns *server;

	bench_start("bench_dns", argc, argv);
	if (ares_library_init(ARES_LIB_INIT_ALL) != ARES_SUCCESS)
		bench_die("c-ares does not start");
	/* It is one thread, and those of limen are others. */
	bench_unpin();
	server = fake_dns_start(answer, NULL);
	measure(fake_dns_address(server));
	fake_dns_stop(server);
	ares_library_cleanup();
	return bench_finish();
}
