/* SPDX-License-Identifier: Apache-2.0 */
#include "redis_party.h"

#include <limen/limen.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "plugin.h"
#include "suite.h"

#define WAIT_SECONDS 30

/* Shared between the processes. */
typedef struct seat {
	atomic_bool ready;
	_Atomic int64_t admitted;
	_Atomic int64_t refused;
	_Atomic int64_t errors;
	_Atomic int64_t longest;
} seat;

typedef struct table {
	atomic_bool stop;
	seat seats[PARTY_SIZE];
} table;

struct party {
	table *shared;
	pid_t pids[PARTY_SIZE];
};

static void
write_policy(char *out, size_t size, const char *rate, int burst, const char *options)
{
	snprintf(out, size,
	         "{\"schema\":4,\"stores\":{\"shared\":{\"type\":\"redis\",\"data\":{%s}}},"
	         "\"identifiers\":[{\"name\":\"i\",\"description\":\"\",\"type\":\"always\","
	         "\"data\":{}}],"
	         "\"classifiers\":[{\"name\":\"c\",\"description\":\"\",\"identifiers\":[\"i\"]}],"
	         "\"limits\":[{\"name\":\"l\",\"description\":\"\",\"type\":\"rate\",\"data\":"
	         "{\"rate\":\"%s\",\"burst\":%d,\"store\":\"shared\"}}],"
	         "\"applications\":[{\"description\":\"\",\"classifier\":\"c\","
	         "\"apply\":[{\"require\":\"all\",\"limits\":[\"l\"]}]}]}",
	         options, rate, burst);
}

static void
ask_once(limen_engine *engine, const limen_request *req, seat *mine)
{
	limen_decision *decision = NULL;
	int64_t start = limen_host_monotonic();
	int64_t took;

	if (limen_engine_decide(engine, req, NULL, &decision) != LIMEN_OK)
		_exit(3);
	took = limen_host_monotonic() - start;
	if (limen_decision_admitted(decision))
		atomic_fetch_add(&mine->admitted, 1);
	else if (limen_decision_code(decision) == 429)
		atomic_fetch_add(&mine->refused, 1);
	else
		atomic_fetch_add(&mine->errors, 1);
	if (took > atomic_load(&mine->longest))
		atomic_store(&mine->longest, took);
	limen_decision_free(decision);
}

/* One process: asks until it is told to stop. */
static int
take_part(const char *policy, const table *shared, seat *mine)
{
	const limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
	};
	limen_engine *engine = limen_engine_new(&options);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_diag *diag = limen_diag_new();

	if (limen_engine_load_text(engine, NULL, policy, strlen(policy), diag) != LIMEN_OK ||
	    limen_request_parse(req, "{}", 2, diag) != LIMEN_OK ||
	    !limen_engine_wait_ready(engine, WAIT_SECONDS * LIMEN_SECOND)) {
		limen_diag_write(diag, stderr);
		return 2;
	}
	limen_diag_free(diag);
	atomic_store(&mine->ready, true);
	while (!atomic_load(&shared->stop)) {
		ask_once(engine, req, mine);
		/* Leave something to the others, Redis among them. */
		usleep(50);
	}
	limen_request_free(req);
	limen_engine_free(engine);
	return 0;
}

static bool
all_ready(const struct party *all)
{
	for (int i = 0; i < PARTY_SIZE; i++) {
		if (!atomic_load(&all->shared->seats[i].ready))
			return false;
	}
	return true;
}

struct party *
party_start(const char *rate, int burst, const char *options)
{
	struct party *all = calloc(1, sizeof(*all));
	char policy[2048];

	CU_ASSERT_FATAL(all != NULL);
	write_policy(policy, sizeof(policy), rate, burst, options);
	all->shared = mmap(NULL, sizeof(*all->shared), PROT_READ | PROT_WRITE,
	                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CU_ASSERT_FATAL(all->shared != MAP_FAILED);
	for (int i = 0; i < PARTY_SIZE; i++) {
		all->pids[i] = fork();
		if (all->pids[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(take_part(policy, all->shared, &all->shared->seats[i]));
		}
	}
	for (int i = 0; i < WAIT_SECONDS * 100 && !all_ready(all); i++)
		usleep(10000);
	CU_ASSERT_TRUE_FATAL(all_ready(all));
	return all;
}

party_count
party_one(const struct party *all, int which)
{
	seat *one = &all->shared->seats[which];

	return (party_count){
		.admitted = atomic_load(&one->admitted),
		.refused = atomic_load(&one->refused),
		.errors = atomic_load(&one->errors),
		.longest = atomic_load(&one->longest),
	};
}

party_count
party_sum(const struct party *all)
{
	party_count sum = { .admitted = 0 };

	for (int i = 0; i < PARTY_SIZE; i++) {
		party_count one = party_one(all, i);

		sum.admitted += one.admitted;
		sum.refused += one.refused;
		sum.errors += one.errors;
		if (one.longest > sum.longest)
			sum.longest = one.longest;
	}
	return sum;
}

void
party_wait(const struct party *all, bool (*holds)(const party_count *now, int64_t bound),
           int64_t bound)
{
	for (int i = 0; i < WAIT_SECONDS * 100; i++) {
		party_count now = party_sum(all);

		if (holds(&now, bound))
			return;
		usleep(10000);
	}
	{
		party_count now = party_sum(all);

		plugin_assert(false, __FILE__, __LINE__,
		              "waited in vain for %ld: admitted %ld, refused %ld, errors %ld",
		              (long)bound, (long)now.admitted, (long)now.refused, (long)now.errors);
	}
}

party_count
party_stop(struct party *all)
{
	party_count sum;

	atomic_store(&all->shared->stop, true);
	for (int i = 0; i < PARTY_SIZE; i++) {
		int status = -1;

		waitpid(all->pids[i], &status, 0);
		plugin_assert(status == 0, __FILE__, __LINE__, "a process ended with %d", status);
	}
	sum = party_sum(all);
	munmap(all->shared, sizeof(*all->shared));
	free(all);
	return sum;
}
