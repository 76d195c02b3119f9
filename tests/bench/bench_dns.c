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
	ares_socket_t socket; /* that c-ares reads from */
	unsigned count;
	int waiting; /* for so many answers */
} asker;

/* ---- c-ares alone ---- */

static void
note_socket(void *data, ares_socket_t fd, int readable, int writable)
{
	asker *self = data;

	(void)writable;
	self->socket = readable != 0 ? fd : ARES_SOCKET_BAD;
}

static void
end_question(asker *self, int status)
{
	if (status != ARES_SUCCESS)
		bench_die("c-ares: %s", ares_strerror(status));
	self->waiting--;
}

#if ARES_VERSION >= 0x011c00
static void
note_answer(void *data, ares_status_t status, size_t timeouts, const ares_dns_record_t *record)
{
	(void)timeouts;
	(void)record;
	end_question(data, (int)status);
}

static void
ask(asker *self, const char *name, int type)
{
	if (ares_query_dnsrec(self->channel, name, ARES_CLASS_IN, (ares_dns_rec_type_t)type,
	                      note_answer, self, NULL) != ARES_SUCCESS)
		bench_die("c-ares does not ask");
}
#else
static void
note_answer(void *data, int status, int timeouts, unsigned char *message, int length)
{
	(void)timeouts;
	(void)message;
	(void)length;
	end_question(data, status);
}

static void
ask(asker *self, const char *name, int type)
{
	ares_query(self->channel, name, ns_c_in, type, note_answer, self);
}
#endif

static void
ask_and_wait(asker *self, const char *name, int type)
{
	self->waiting++;
	ask(self, name, type);
	while (self->waiting > 0) {
		struct pollfd one = { .fd = self->socket, .events = POLLIN };

		if (one.fd == ARES_SOCKET_BAD)
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
		ask_and_wait(self, name, ns_t_ptr);
		snprintf(name, sizeof(name), "10-%u-%u-%u.example.org", n >> 16 & 255,
		         n >> 8 & 255, n & 255);
		ask_and_wait(self, name, ns_t_a);
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
	asker self = { .about = { .options = { .size = sizeof(self.about.options) } },
		       .socket = ARES_SOCKET_BAD };
	struct ares_options options = { .sock_state_cb = note_socket, .sock_state_cb_data = &self };
	const bench_row asked[] = {
		{ .name = bare, .run = ask_bare, .data = &self, .wall = true },
		{ .name = "DNS: a decision that asks for both: wall", .run = ask_anew,
		  .data = &self, .peer = bare, .times = 1.5, .wall = true },
	};

	if (ares_init_options(&self.channel, &options, ARES_OPT_SOCK_STATE_CB) != ARES_SUCCESS ||
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
