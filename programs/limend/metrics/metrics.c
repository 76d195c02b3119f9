/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics.c - counts decisions, responses and reloads and writes them for Prometheus.  Owns the
 * numbers; the observer supplies the metrics of the engine and its entries.
 */
#include "metrics.h"

#include <limen/version.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "audit/decision_log.h"
#include "base/codes.h"
#include "base/exposition.h"
#include "base/log.h"
#include "blame.h"
#include "observer.h"
#include "top.h"

/* The first DECIDING paths make decisions; only they have durations. */
static const char *const paths[] = {
	"/admission/mutate", "/admission/validate", "/v1/decide", "/v1/decide/batch",
	"/v1/passed",        "/v1/buckets",         "/v1/policy", "/metrics",
	"/livez",            "/healthz",            "/readyz",    "/version",
	"other",
};

#define PATHS G_N_ELEMENTS(paths)
#define DECIDING ((size_t)5)
#define OTHER_PATH (PATHS - 1)

/* The HTTP statuses that limend sends; any other status is counted as "other". */
static const int statuses[] = { 200, 400, 403, 404, 405, 408, 411, 413, 414, 415,
	                        417, 421, 422, 429, 431, 500, 501, 503, 505 };

#define STATUSES (G_N_ELEMENTS(statuses) + 1)
#define OTHER_STATUS (STATUSES - 1)

/* Upper bounds in nanoseconds; the last bucket has none. */
static const int64_t bounds[] = {
	50000,    100000,    250000,    500000,    1000000,    2500000,    5000000,    10000000,
	25000000, 50000000, 100000000, 250000000, 500000000, 1000000000, 2500000000, 5000000000,
	10000000000,
};

#define BUCKETS (G_N_ELEMENTS(bounds) + 1)

/* Index of the first number of each kind in 'metrics.numbers'. */
#define DECISIONS_AT ((size_t)0)
#define BUCKETS_AT (DECISIONS_AT + DECIDING * CODES)
#define NANOSECONDS_AT (BUCKETS_AT + DECIDING * BUCKETS)
#define WARNINGS_AT (NANOSECONDS_AT + DECIDING)
#define RESPONSES_AT (WARNINGS_AT + DECIDING)
#define FIGURES (RESPONSES_AT + PATHS * STATUSES)

struct metrics {
	atomic_uint_fast64_t numbers[FIGURES];
	blame *refusals;
	top *refused; /* NULL: --metrics-top is 0 */
	observer *watcher;
	atomic_uint_fast64_t shed;
	atomic_uint_fast64_t reloads;
	atomic_uint_fast64_t failed_reloads;
	_Atomic limen_time reloaded; /* time of the last successful load; 0: none */
};

metrics *
metrics_new(limen_engine *engine, size_t wanted)
{
	metrics *self = g_new0(metrics, 1);

	self->refusals = blame_new();
	self->refused = wanted == 0 ? NULL : top_new(wanted);
	self->watcher = observer_new(engine);
	return self;
}

void
metrics_free(metrics *self)
{
	if (self == NULL)
		return;
	observer_free(self->watcher);
	top_free(self->refused);
	blame_free(self->refusals);
	g_free(self);
}

struct observer *
metrics_observer(metrics *self)
{
	return self == NULL ? NULL : self->watcher;
}

static void
add(metrics *self, size_t index, uint64_t amount)
{
	atomic_fetch_add_explicit(&self->numbers[index], amount, memory_order_relaxed);
}

static uint64_t
number(const metrics *self, size_t index)
{
	return atomic_load_explicit(&self->numbers[index], memory_order_relaxed);
}

static size_t
find_path(const char *path, size_t count)
{
	for (size_t i = 0; path != NULL && i < count; i++) {
		if (strcmp(paths[i], path) == 0)
			return i;
	}
	return count;
}

static size_t
find_bucket(int64_t nanoseconds)
{
	size_t i = 0;

	while (i < G_N_ELEMENTS(bounds) && nanoseconds > bounds[i])
		i++;
	return i;
}

/* Returns the key of a refusal: the user of an object, the requester, or the peer's address. */
static const char *
refused_key(const record *made)
{
	const char *user = limen_request_field(made->request, LIMEN_FIELD_USER);
	const char *requester = limen_value_string(
		limen_value_get(limen_request_hints(made->request), "requester"), NULL);

	if (user != NULL)
		return user;
	if (requester != NULL)
		return requester;
	if (made->peer != NULL && made->peer->address != NULL)
		return made->peer->address;
	return "";
}

void
metrics_count_decision(metrics *self, const record *made)
{
	const char *entry = limen_decision_entry(made->decision);
	int64_t nanoseconds = made->nanoseconds < 0 ? 0 : made->nanoseconds;
	size_t path;
	size_t warnings;

	if (self == NULL)
		return;
	path = find_path(made->endpoint, DECIDING);
	if (path < DECIDING) {
		size_t code = code_index(limen_decision_code(made->decision));

		add(self, DECISIONS_AT + path * CODES + code, 1);
		add(self, BUCKETS_AT + path * BUCKETS + find_bucket(nanoseconds), 1);
		add(self, NANOSECONDS_AT + path, (uint64_t)nanoseconds);
		limen_decision_warnings(made->decision, &warnings);
		if (warnings > 0)
			add(self, WARNINGS_AT + path, 1);
	}
	if (limen_decision_admitted(made->decision))
		return;
	blame_add(self->refusals, entry, limen_decision_code(made->decision));
	if (self->refused != NULL)
		top_add(self->refused, entry == NULL ? "" : entry, refused_key(made));
}

void
metrics_count_response(metrics *self, const char *path, int status)
{
	size_t column = 0;
	size_t row;

	if (self == NULL)
		return;
	row = find_path(path, OTHER_PATH);
	while (column < OTHER_STATUS && statuses[column] != status)
		column++;
	add(self, RESPONSES_AT + row * STATUSES + column, 1);
}

void
metrics_count_shed(metrics *self)
{
	if (self != NULL)
		atomic_fetch_add_explicit(&self->shed, 1, memory_order_relaxed);
}

void
metrics_count_reload(metrics *self, bool good)
{
	if (self == NULL)
		return;
	atomic_fetch_add(&self->reloads, 1);
	if (good)
		atomic_store(&self->reloaded, limen_host_wall_time());
	else
		atomic_fetch_add(&self->failed_reloads, 1);
}

bool
metrics_has_policy(const metrics *self)
{
	return self != NULL && atomic_load(&self->reloaded) != 0;
}

static void
write_decisions(const metrics *self, GString *out)
{
	exposition_family(out, "limend_decisions_total", "counter",
	                  "Decisions, by the path that asked for them and their code.");
	for (size_t path = 0; path < DECIDING; path++)
		for (size_t code = 0; code < CODES; code++)
			exposition_put(out, "limend_decisions_total",
			               number(self, DECISIONS_AT + path * CODES + code),
			               "endpoint", paths[path], "code", code_names[code], NULL);
	exposition_family(out, "limend_decisions_with_warnings_total", "counter",
	                  "Decisions that warn, as entries do that enforce nothing yet.");
	for (size_t path = 0; path < DECIDING; path++)
		exposition_put(out, "limend_decisions_with_warnings_total",
		               number(self, WARNINGS_AT + path), "endpoint", paths[path], NULL);
}

/* Buckets of a Prometheus histogram are cumulative. */
static void
write_histogram(const metrics *self, size_t path, GString *out)
{
	uint64_t sum = number(self, NANOSECONDS_AT + path);
	uint64_t count = 0;

	for (size_t i = 0; i < BUCKETS; i++) {
		char text[G_ASCII_DTOSTR_BUF_SIZE] = "+Inf";

		if (i < G_N_ELEMENTS(bounds))
			g_ascii_formatd(text, sizeof(text), "%.9g", (double)bounds[i] / 1e9);
		count += number(self, BUCKETS_AT + path * BUCKETS + i);
		exposition_put(out, "limend_decision_seconds_bucket", count, "endpoint",
		               paths[path], "le", text, NULL);
	}
	exposition_sample(out, "limend_decision_seconds_sum");
	exposition_label(out, "endpoint", paths[path]);
	exposition_real(out, (double)sum / 1e9);
	exposition_put(out, "limend_decision_seconds_count", count, "endpoint", paths[path], NULL);
}

static void
write_responses(const metrics *self, GString *out)
{
	exposition_family(out, "limend_http_responses_total", "counter",
	                  "Answers, by path and HTTP status; those that never occurred are left "
	                  "out.");
	for (size_t i = 0; i < PATHS * STATUSES; i++) {
		uint64_t count = number(self, RESPONSES_AT + i);
		char status[16] = "other";

		if (i % STATUSES != OTHER_STATUS)
			snprintf(status, sizeof(status), "%d", statuses[i % STATUSES]);
		if (count > 0)
			exposition_put(out, "limend_http_responses_total", count, "endpoint",
			               paths[i / STATUSES], "status", status, NULL);
	}
}

static void
write_reloads(const metrics *self, GString *out)
{
	limen_time last = atomic_load(&self->reloaded);

	exposition_single(out, "limend_policy_loads_total", "counter",
	                  "Attempts to load the policy.", (double)atomic_load(&self->reloads));
	exposition_single(out, "limend_policy_load_failures_total", "counter",
	                  "Those that failed: the policy before stayed in force.",
	                  (double)atomic_load(&self->failed_reloads));
	if (last != 0)
		exposition_single(out, "limend_policy_loaded_timestamp_seconds", "gauge",
		                  "When the policy in force was loaded.", (double)last / 1e6);
}

static void
write_logs(decision_log *decisions, GString *out)
{
	decision_log_figures lines;

	exposition_single(out, "limend_log_lines_lost_total", "counter",
	                  "Log lines lost because nobody read them or they could not be written.",
	                  (double)log_lost());
	if (decisions == NULL)
		return;
	decision_log_count(decisions, &lines);
	exposition_family(out, "limend_decision_log_lines_total", "counter",
	                  "Lines of the decision log: written, dropped because the disk was too "
	                  "slow, lost because it was full or gone.");
	exposition_put(out, "limend_decision_log_lines_total", lines.written, "result", "written",
	               NULL);
	exposition_put(out, "limend_decision_log_lines_total", lines.dropped, "result", "dropped",
	               NULL);
	exposition_put(out, "limend_decision_log_lines_total", lines.lost, "result", "lost", NULL);
}

static void
write_facts(const metrics_facts *facts, GString *out)
{
	exposition_family(out, "limend_build_info", "gauge", "The version; always 1.");
	exposition_put(out, "limend_build_info", 1, "version", LIMEN_VERSION, NULL);
	exposition_single(out, "process_start_time_seconds", "gauge",
	                  "Start time of the process since unix epoch in seconds.",
	                  (double)facts->started / 1e6);
	exposition_single(out, "limend_draining", "gauge", "1 once the daemon is about to end.",
	                  facts->draining ? 1 : 0);
	if (facts->tls_days_left != NULL)
		exposition_single(out, "limend_tls_certificate_days_left", "gauge",
		                  "Days until the certificate in use expires.", *facts->tls_days_left);
}

void
metrics_write(metrics *self, const metrics_facts *facts, GString *out)
{
	write_facts(facts, out);
	write_decisions(self, out);
	exposition_family(out, "limend_decision_seconds", "histogram",
	                  "How long decisions take.");
	for (size_t path = 0; path < DECIDING; path++)
		write_histogram(self, path, out);
	blame_write(self->refusals, out);
	if (self->refused != NULL)
		top_write(self->refused, out);
	write_responses(self, out);
	exposition_single(out, "limend_http_connections_shed_total", "counter",
	                  "Connections shut down to make room for others.",
	                  (double)atomic_load(&self->shed));
	write_reloads(self, out);
	write_logs(facts->decisions, out);
	observer_show(self->watcher, SIGHT_METRICS, out);
}
