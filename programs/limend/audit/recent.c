/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recent.c - copies the texts of a decision into one block and puts it into one of two rings.  What is
 * shown is written when it is asked for, and redacted then: that costs decisions nothing.  A reader
 * holds references to blocks, and the lock only while it takes them.
 */
#include "recent.h"

#include <limen/host.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "../common/controller.h"
#include "../common/cut.h"
#include "../common/json_out.h"
#include "../common/print.h"
#include "base/log.h"
#include "senders.h"

/* In bytes: names, texts of violations, a document. */
#define NAME_BYTES_MAX ((size_t)256)
#define REASON_BYTES_MAX ((size_t)1024)
#define DOCUMENT_BYTES_MAX ((size_t)64 << 10)

#define VIOLATIONS_MAX 8

/* Nanoseconds between two admissions that are kept. */
#define SAMPLE_PAUSE INT64_C(250000000)

/* Microseconds in which one more refusal may be kept.  A flood would push all others out. */
#define REFUSAL_PAUSE (LIMEN_SECOND / RECENT_RATE)

/* The texts of a decision; those of its violations follow, PARTS each. */
enum { ENDPOINT, NAMESPACE, KIND, NAME, CONTROLLER, USER, REQUESTER, ENTRY, NAMES };
enum { FIELD, REASON, RULE, PARTS };

#define TEXTS (NAMES + VIOLATIONS_MAX * PARTS)

static const struct {
	const char *key;
	unsigned part; /* REDACT_*; 0: always shown */
} names[NAMES] = {
	[ENDPOINT] = { "endpoint", 0 },
	[NAMESPACE] = { "namespace", REDACT_NAMESPACE },
	[KIND] = { "kind", 0 },
	[NAME] = { "name", REDACT_NAME },
	[CONTROLLER] = { "controller", REDACT_NAME },
	[USER] = { "user", REDACT_USER },
	[REQUESTER] = { "requester", REDACT_PEER },
	[ENTRY] = { "entry", 0 },
};

/* A decision.  Everything is in one block, which the last reference frees. */
typedef struct kept {
	GList link; /* in a ring */
	atomic_uint references;
	size_t size;
	uint64_t number;
	limen_time time;
	int64_t nanoseconds;
	limen_duration wait; /* -1: none */
	record_outcome outcome;
	int code;
	const char *subject;  /* static, as 'enforce' */
	const char *enforce;
	const char *document; /* NULL: not kept */
	size_t violations;    /* those that are not kept, too */
	const char *texts[TEXTS];
	char bytes[];
} kept;

typedef struct ring {
	GQueue kept; /* the newest first */
	size_t most;
	size_t bytes;
	size_t bytes_most;
	uint64_t lost;
	uint64_t last_lost; /* the number of the newest that fell out */
} ring;

struct recent {
	line_rules rules;
	limen_time since;
	_Atomic int64_t sample_due; /* limen_host_monotonic() */
	pthread_mutex_t lock;       /* guards the rest */
	uint64_t number;
	unsigned followers;
	ring refusals;
	ring admissions;
	limen_time covered; /* as in the limit "rate": when the last kept refusal is paid for */
	senders *namespaces;
	senders *requesters;
};

/* ---- from a decision ---- */

static void
take_names(kept *draft, const record *facts)
{
	const limen_request *req = facts->request;
	limen_value original = limen_request_original(req);
	const char **texts = draft->texts;

	draft->subject = record_subject(facts);
	texts[ENDPOINT] = facts->endpoint;
	texts[NAMESPACE] = limen_request_field(req, LIMEN_FIELD_NAMESPACE);
	texts[KIND] = limen_request_field(req, LIMEN_FIELD_KIND);
	texts[NAME] = limen_request_field(req, LIMEN_FIELD_NAME);
	if (texts[NAME] == NULL || texts[NAME][0] == '\0')
		texts[NAME] = limen_request_field(req, LIMEN_FIELD_GENERATE_NAME);
	texts[USER] = limen_request_field(req, LIMEN_FIELD_USER);
	texts[ENTRY] = limen_decision_entry(facts->decision);
	if (limen_request_subject(req) == LIMEN_SUBJECT_OBJECT)
		return;
	texts[REQUESTER] = record_requester(facts);
	if (texts[REQUESTER] == NULL)
		texts[REQUESTER] = record_sender(facts);
	if (limen_request_subject(req) == LIMEN_SUBJECT_TASK)
		original = limen_value_get(original, "test");
	else
		texts[NAME] = limen_value_string(limen_value_get(original, "path"), NULL);
	texts[KIND] = limen_value_string(
		limen_value_get(original, limen_request_subject(req) == LIMEN_SUBJECT_TASK ? "type" : "method"),
		NULL);
}

static void
add_violation(kept *draft, const char *field, const char *reason, const char *rule)
{
	const char **parts = &draft->texts[NAMES + draft->violations * PARTS];

	if (draft->violations++ >= VIOLATIONS_MAX)
		return;
	parts[FIELD] = field;
	parts[REASON] = reason;
	parts[RULE] = rule;
}

/* Adds the warnings of an entry, which begin with its name in brackets. */
static void
take_warnings(kept *draft, const limen_decision *decision, const char *entry)
{
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);
	size_t length = strlen(entry);

	for (size_t i = 0; i < count; i++)
		if (warnings[i][0] == '[' && strncmp(warnings[i] + 1, entry, length) == 0 &&
		    g_str_has_prefix(warnings[i] + 1 + length, "] "))
			add_violation(draft, NULL, warnings[i] + length + 3, NULL);
}

/* Adds what entries that only observe found. */
static void
take_observed(kept *draft, const limen_decision *decision)
{
	const limen_observed *found = limen_decision_observed(decision, 0);
	const limen_annotation *note;

	draft->texts[ENTRY] = found->entry;
	draft->enforce = found->enforce;
	for (size_t i = 0; (note = record_next_refusal(decision, &i)) != NULL;)
		add_violation(draft, NULL, note->value, NULL);
	for (size_t i = 0; (found = limen_decision_observed(decision, i)) != NULL; i++)
		if (strcmp(found->enforce, "warn") == 0)
			take_warnings(draft, decision, found->entry);
}

static void
take_violations(kept *draft, const limen_decision *decision)
{
	const limen_violation *found;

	draft->enforce = "enforce";
	if (!limen_decision_retry_after(decision, &draft->wait))
		draft->wait = -1;
	for (size_t i = 0; (found = limen_decision_violation(decision, i)) != NULL; i++)
		add_violation(draft, found->field, found->message, found->detail);
	if (draft->violations == 0)
		add_violation(draft, NULL, limen_decision_reason(decision), NULL);
}

/* Returns how many bytes of a text to keep; one more than is shown if it is cut. */
static size_t
measure(size_t index, const char *text)
{
	size_t most = index < NAMES || (index - NAMES) % PARTS == FIELD ? NAME_BYTES_MAX
	                                                                  : REASON_BYTES_MAX;

	return text == NULL ? 0 : strnlen(text, most + 4);
}

/* Copies the draft and its texts into one block. */
static kept *
keep(const kept *draft, const char *document, size_t document_length)
{
	size_t lengths[TEXTS];
	size_t used = NAMES + MIN(draft->violations, VIOLATIONS_MAX) * PARTS;
	size_t size = sizeof(kept) + document_length + 1;
	kept *self;
	char *end;

	for (size_t i = 0; i < used; i++) {
		lengths[i] = measure(i, draft->texts[i]);
		size += lengths[i] + 1;
	}
	self = g_malloc(size);
	*self = *draft;
	self->size = size;
	self->link.data = self;
	atomic_init(&self->references, 1);
	end = self->bytes;
	for (size_t i = 0; i < used; i++) {
		if (draft->texts[i] == NULL)
			continue;
		self->texts[i] = memcpy(end, draft->texts[i], lengths[i]);
		end += lengths[i];
		*end++ = '\0';
	}
	if (document_length > 0) {
		self->document = memcpy(end, document, document_length);
		end[document_length] = '\0';
	}
	return self;
}

static kept *
describe(const recent *self, const record *facts, record_outcome outcome, limen_time now)
{
	kept draft = { .outcome = outcome,
		       .time = now,
		       .nanoseconds = MAX(facts->nanoseconds, 0),
		       .code = limen_decision_code(facts->decision),
		       .wait = -1 };
	g_autofree char *controller = controller_of_request(facts->request);
	g_autoptr(GString) document = NULL;

	take_names(&draft, facts);
	draft.texts[CONTROLLER] = controller;
	if (outcome == RECORD_WOULD_REFUSE)
		take_observed(&draft, facts->decision);
	else if (outcome != RECORD_ADMITTED)
		take_violations(&draft, facts->decision);
	if (!self->rules.documents)
		return keep(&draft, NULL, 0);
	document = g_string_new(NULL);
	decision_line_question(document, facts);
	return keep(&draft, document->str,
	            document->len <= DOCUMENT_BYTES_MAX ? document->len : 0);
}

/* ---- the rings ---- */

static void
unref(kept *self)
{
	if (atomic_fetch_sub(&self->references, 1) == 1)
		g_free(self);
}

/* Puts 'item' into a ring; with the lock held. */
static void
push(ring *to, kept *item)
{
	g_queue_push_head_link(&to->kept, &item->link);
	to->bytes += item->size;
	while (to->kept.length > to->most || to->bytes > to->bytes_most) {
		kept *oldest = g_queue_pop_tail_link(&to->kept)->data;

		to->bytes -= oldest->size;
		to->lost++;
		to->last_lost = oldest->number;
		unref(oldest);
	}
}

recent *
recent_new(size_t most, const decision_log_options *log, bool documents)
{
	size_t share = documents ? RECENT_SHARE_DOCUMENTS : RECENT_SHARE;
	recent *self;

	if (most == 0)
		return NULL;
	self = g_new0(recent, 1);
	self->since = limen_host_wall_time();
	line_rules_set(&self->rules, log);
	self->rules.documents = documents;
	/* A ring has room for the largest decision at least. */
	self->refusals = (ring){ .most = most, .bytes_most = MAX(most, 16) * share };
	self->admissions = (ring){ .most = RECENT_ADMISSIONS,
		                   .bytes_most = RECENT_ADMISSIONS * share };
	self->namespaces = senders_new();
	self->requesters = senders_new();
	pthread_mutex_init(&self->lock, NULL);
	return self;
}

void
recent_free(recent *self)
{
	GList *link;

	if (self == NULL)
		return;
	while ((link = g_queue_pop_head_link(&self->refusals.kept)) != NULL ||
	       (link = g_queue_pop_head_link(&self->admissions.kept)) != NULL)
		unref(link->data);
	senders_free(self->namespaces);
	senders_free(self->requesters);
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}

/* May an admission be kept now? */
static bool
is_sampled(recent *self)
{
	int64_t now = limen_host_monotonic();
	int64_t due = atomic_load_explicit(&self->sample_due, memory_order_relaxed);

	return now >= due &&
	       atomic_compare_exchange_strong(&self->sample_due, &due, now + SAMPLE_PAUSE);
}

/* Counts what was not admitted; with the lock held. */
static void
count(recent *self, const record *facts, record_outcome outcome, limen_time now)
{
	const char *name;

	if (limen_request_subject(facts->request) != LIMEN_SUBJECT_OBJECT) {
		senders_count(self->requesters, record_sender(facts), outcome, now);
		return;
	}
	name = limen_request_field(facts->request, LIMEN_FIELD_NAMESPACE);
	senders_count(self->namespaces, name == NULL ? "" : name, outcome, now);
}

/* May one more refusal be kept?  With the lock held. */
static bool
has_turn(recent *self, limen_time now)
{
	limen_time earliest = now - (limen_time)self->refusals.most * REFUSAL_PAUSE;

	/* The clock may have been set back. */
	if (self->covered < earliest || self->covered > now + LIMEN_SECOND)
		self->covered = earliest;
	if (self->covered + REFUSAL_PAUSE > now)
		return false;
	self->covered += REFUSAL_PAUSE;
	return true;
}

/* Counts what was not admitted; false if it is only counted. */
static bool
enter(recent *self, const record *facts, record_outcome outcome, limen_time now)
{
	bool good;

	pthread_mutex_lock(&self->lock);
	count(self, facts, outcome, now);
	good = has_turn(self, now);
	self->refusals.lost += !good;
	pthread_mutex_unlock(&self->lock);
	return good;
}

void
recent_add(recent *self, const record *facts)
{
	record_outcome outcome;
	limen_time now;
	kept *item;

	if (self == NULL)
		return;
	outcome = record_outcome_of(facts->decision);
	if (outcome == RECORD_ADMITTED && !is_sampled(self))
		return;
	now = limen_host_wall_time();
	if (outcome != RECORD_ADMITTED && !enter(self, facts, outcome, now))
		return;
	item = describe(self, facts, outcome, now);
	pthread_mutex_lock(&self->lock);
	item->number = ++self->number;
	push(outcome == RECORD_ADMITTED ? &self->admissions : &self->refusals, item);
	pthread_mutex_unlock(&self->lock);
}

/* ---- what is shown ---- */

static void
write_violations(const recent *self, const kept *item, GString *out)
{
	static const char *const keys[PARTS] = { "field", "reason", "rule" };
	char buffer[LINE_HASH_MAX];

	if (item->violations == 0)
		return;
	json_write(out, "violations:[");
	for (size_t i = 0; i < MIN(item->violations, VIOLATIONS_MAX); i++) {
		json_open(out, '{');
		for (size_t part = 0; part < PARTS; part++) {
			const char *text = line_redact_reason(
				&self->rules, item->texts[NAMES + i * PARTS + part], buffer);

			if (text == NULL)
				continue;
			json_key(out, keys[part]);
			json_string_cut(out, text, part == FIELD ? NAME_BYTES_MAX : REASON_BYTES_MAX);
		}
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
	if (item->violations > VIOLATIONS_MAX)
		json_write(out, "more:z", item->violations - VIOLATIONS_MAX);
}

static void
write_decision(const recent *self, const kept *item, GString *out)
{
	char buffer[LINE_HASH_MAX];
	char text[LIMEN_TIMESTAMP_TEXT_MAX];
	char seconds[G_ASCII_DTOSTR_BUF_SIZE];

	log_time_print(item->time, text);
	json_write(out, "{number:i time:s subject:s verdict:s code:d enforce:S",
	           (int64_t)item->number, text, item->subject, record_outcomes[item->outcome],
	           item->code, item->enforce);
	for (size_t i = 0; i < NAMES; i++) {
		const char *shown = line_redact(&self->rules, names[i].part, item->texts[i], buffer);

		if (shown == NULL || shown[0] == '\0')
			continue;
		json_key(out, names[i].key);
		json_string_cut(out, shown, NAME_BYTES_MAX);
	}
	write_violations(self, item, out);
	if (item->wait >= 0)
		json_write(out, "retry-after:i",
		           item->wait / LIMEN_SECOND + (item->wait % LIMEN_SECOND > 0));
	json_write(out, "duration:j", g_ascii_formatd(seconds, sizeof(seconds), "%.6f",
	                                              (double)item->nanoseconds / 1e9));
	if (item->document != NULL)
		json_write(out, "document:j", item->document);
	g_string_append_c(out, '}');
}

static bool
is_like(const recent *self, const char *wanted, const kept *item, size_t index)
{
	char buffer[LINE_HASH_MAX];
	const char *shown = line_redact(&self->rules, names[index].part, item->texts[index], buffer);

	return wanted == NULL || strcmp(wanted, shown == NULL ? "" : shown) == 0;
}

static bool
is_wanted(const recent *self, const recent_filter *filter, const kept *item)
{
	return item->number > filter->since && (item->document != NULL || !filter->documented) &&
	       (filter->verdict == NULL ||
	        strcmp(filter->verdict, record_outcomes[item->outcome]) == 0) &&
	       is_like(self, filter->namespace, item, NAMESPACE) &&
	       is_like(self, filter->entry, item, ENTRY) &&
	       is_like(self, filter->user, item, item->texts[USER] != NULL ? USER : REQUESTER);
}

/* Moves to the older of two decisions, the newest first, and returns the newer; NULL: none is left. */
static kept *
next_newest(const GList **first, const GList **second)
{
	const GList **from = first;
	const GList *found;

	if (*first == NULL || (*second != NULL && ((const kept *)(*second)->data)->number >
	                                                  ((const kept *)(*first)->data)->number))
		from = second;
	found = *from;
	if (found == NULL)
		return NULL;
	*from = found->next;
	return found->data;
}

/* Takes references of the decisions that are wanted, the newest first; with the lock held. */
static GPtrArray *
choose(recent *self, const recent_filter *filter)
{
	GPtrArray *chosen = g_ptr_array_new_with_free_func((GDestroyNotify)unref);
	const GList *refusals = self->refusals.kept.head;
	const GList *admissions = self->admissions.kept.head;
	kept *item;

	while (chosen->len < filter->number &&
	       (item = next_newest(&refusals, &admissions)) != NULL && item->number > filter->since) {
		if (!is_wanted(self, filter, item))
			continue;
		atomic_fetch_add(&item->references, 1);
		g_ptr_array_add(chosen, item);
	}
	return chosen;
}

void
recent_write(recent *self, const recent_filter *filter, GString *out)
{
	g_autoptr(GPtrArray) chosen = NULL;
	g_autoptr(GString) rows = g_string_new("{");
	char since[LIMEN_TIMESTAMP_TEXT_MAX];

	if (self == NULL)
		return;
	pthread_mutex_lock(&self->lock);
	chosen = choose(self, filter);
	log_time_print(self->since, since);
	json_write(out, "since:s number:i lost:{refusals:i admissions:i}", since, (int64_t)self->number,
	           (int64_t)self->refusals.lost, (int64_t)self->admissions.lost);
	json_write(rows, "namespaces:[");
	senders_write(self->namespaces, "namespace", &self->rules, REDACT_NAMESPACE, rows);
	json_write(rows, "] requesters:[");
	senders_write(self->requesters, "requester", &self->rules, REDACT_PEER, rows);
	pthread_mutex_unlock(&self->lock);
	json_write(out, "decisions:[");
	for (size_t i = 0; i < chosen->len; i++)
		write_decision(self, chosen->pdata[i], out);
	g_string_append(out, "],");
	g_string_append(out, rows->str + 1);
	g_string_append_c(out, ']');
}

/* ---- followers ---- */

/* Calls of more() without news after which a comment tells that the stream goes on. */
#define QUIET_MOST 3

typedef struct follower {
	http_stream stream;
	recent *from;
	recent_filter filter; /* 'since' is the last decision that was looked at */
	char *texts[4];       /* of the filter */
	unsigned quiet;
} follower;

static bool
follow(http_stream *stream, GString *out)
{
	follower *self = (follower *)stream;
	g_autoptr(GPtrArray) chosen = NULL;
	uint64_t before = self->filter.since;
	bool dropped;

	pthread_mutex_lock(&self->from->lock);
	dropped = self->from->refusals.last_lost > before;
	chosen = choose(self->from, &self->filter);
	self->filter.since = self->from->number;
	pthread_mutex_unlock(&self->from->lock);
	for (guint i = chosen->len; i > 0 && !dropped; i--) {
		const kept *item = chosen->pdata[i - 1];

		print_append(out, "id: %" G_GUINT64_FORMAT "\ndata:", item->number);
		write_decision(self->from, item, out);
		g_string_append(out, "\n\n");
	}
	self->quiet = chosen->len > 0 ? 0 : self->quiet + 1;
	if (dropped)
		g_string_append(out, "event: dropped\ndata: {}\n\n");
	else if (self->quiet % QUIET_MOST == 1)
		g_string_append(out, ":\n\n");
	return !dropped;
}

static void
end_following(http_stream *stream)
{
	follower *self = (follower *)stream;

	pthread_mutex_lock(&self->from->lock);
	self->from->followers--;
	pthread_mutex_unlock(&self->from->lock);
	for (size_t i = 0; i < G_N_ELEMENTS(self->texts); i++)
		g_free(self->texts[i]);
	g_free(self);
}

bool
recent_follow(recent *self, const recent_filter *filter, http_response *response)
{
	follower *added = g_new0(follower, 1);
	const char **const texts[] = { &added->filter.verdict, &added->filter.namespace,
		                       &added->filter.entry, &added->filter.user };
	bool good;

	*added = (follower){ .stream = { follow, end_following }, .from = self, .filter = *filter };
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		*texts[i] = added->texts[i] = g_strdup(*texts[i]);
	added->filter.number = SIZE_MAX;
	pthread_mutex_lock(&self->lock);
	good = self->followers < RECENT_FOLLOWERS;
	self->followers++;
	/* Without a number, or with one of an earlier process, it begins now. */
	if (filter->since == 0 || filter->since > self->number)
		added->filter.since = self->number;
	pthread_mutex_unlock(&self->lock);
	if (!good) {
		end_following(&added->stream);
		return false;
	}
	response->content_type = "text/event-stream";
	response->stream = &added->stream;
	return true;
}
