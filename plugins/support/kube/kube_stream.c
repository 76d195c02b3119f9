/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_stream.c - one watch: a line of JSON for each change, until the server ends
 * it (Kubernetes API concepts, "Efficient detection of changes" and "Watch
 * bookmarks").
 *
 * An event that is not understood ends the watch, and a list follows: otherwise a missed
 * change would never be noticed.
 */
#include <limen/host.h>
#include <stdio.h>
#include <string.h>

#include "kube_reflector.h"

/* Objects have at most 1.5 MB in etcd; fields managed by servers come on top. */
#define EVENT_MAX ((size_t)4 << 20)

/* A watch that ends within a second has failed: otherwise limen would retry without delay. */
#define SHORTEST ((int64_t)1000000000)

typedef struct stream {
	kube_reflector *reflector;
	kube_outcome outcome; /* of the event that ended the watch, if one did */
	bool changed;         /* since the last commit */
	bool wrong;           /* 'error' is about what was read */
} stream;

/* Notes why the watch ends; false. */
#define end(item, why, ...) \
	((item)->outcome = (why), (item)->wrong = true, \
	 kube_text_fail((item)->reflector->error, __VA_ARGS__))

/* ---- events ---- */

static bool
take_change(stream *item, limen_value type, limen_value object)
{
	kube_reflector *reflector = item->reflector;
	const kube_listener *listener = &reflector->watch->listener;
	bool taken;

	item->wrong = true; /* unless taken */
	item->outcome = KUBE_GONE;
	listener->count(listener->data, KUBE_CHANGE);
	if (!limen_value_is(type, "DELETED"))
		taken = listener->put(listener->data, object, reflector->error);
	else
		taken = listener->drop(listener->data, object, reflector->error);
	item->wrong = !taken;
	item->changed = true;
	return taken;
}

static bool
take_event(stream *item, limen_value event)
{
	limen_value type = limen_value_get(event, "type");
	limen_value object = limen_value_get(event, "object");
	const char *message = limen_value_string(limen_value_get(object, "message"), NULL);
	char version[KUBE_VERSION_MAX];
	int64_t code = 0;
	bool good = false;

	/* A Status object: the watch is over, and 410 says that its version is too old. */
	if (limen_value_is(type, "ERROR")) {
		limen_value_int(limen_value_get(object, "code"), &code);
		end(item, code == 410 ? KUBE_GONE : KUBE_BAD, "status %lld: %.200s",
		    (long long)code, message == NULL ? "" : message);
	} else if (!kube_read_version(object, version)) {
		end(item, KUBE_GONE, "an event has no resourceVersion");
	} else if (limen_value_is(type, "ADDED") || limen_value_is(type, "MODIFIED") ||
	           limen_value_is(type, "DELETED")) {
		good = take_change(item, type, object);
	} else if (limen_value_is(type, "BOOKMARK")) {
		item->changed = true; /* everything up to it has been told */
		good = true;
	} else {
		end(item, KUBE_GONE, "an event has an unknown type");
	}
	if (good)
		memcpy(item->reflector->version, version, sizeof version);
	return good;
}

static bool
take_line(void *data, const char *text, size_t length)
{
	stream *item = data;
	limen_documents *owner = NULL;
	int result = limen_documents_parse("event.json", text, length, 0, &owner, NULL);
	bool good;

	if (result != LIMEN_OK)
		return end(item, KUBE_GONE, "%s",
		           result == LIMEN_ENOMEM ? limen_result_text(LIMEN_ENOMEM)
		                                  : "an event is not JSON");
	good = take_event(item, limen_documents_get(owner, 0));
	limen_documents_free(owner);
	return good;
}

/* Commits the changes that arrived together.  Returns false to end the watch. */
static bool
settle(void *data)
{
	stream *item = data;
	const kube_listener *listener = &item->reflector->watch->listener;

	if (!item->changed)
		return true;
	item->changed = false;
	if (listener->commit(listener->data, false, item->reflector->error))
		return !kube_ask_again(item->reflector);
	item->wrong = true;
	item->outcome = KUBE_GONE;
	return false;
}

static void
note_begin(void *data)
{
	stream *item = data;
	const kube_listener *listener = &item->reflector->watch->listener;

	listener->tell(listener->data, NULL);
}

/* ---- the watch ---- */

/*
 * A broken connection does not invalidate the events before it.  A server that could not
 * be reached may return with an older state, restored from a backup, and would then wait
 * silently for the version to resume from.
 */
static kube_outcome
conclude(stream *item, kube_end how, const kube_answer *answer, int64_t began)
{
	if (how == KUBE_STOPPED)
		return KUBE_OVER;
	if (item->wrong)
		return kube_fail(item->reflector, "watch", item->outcome);
	/* The listener ended the watch, because it wants a list. */
	if (how == KUBE_ENDED)
		return KUBE_GOOD;
	if (how != KUBE_DONE || answer->status != 200) {
		kube_explain(item->reflector, "watch", answer);
		return answer->status == 410 || answer->status == 0 ? KUBE_GONE : KUBE_BAD;
	}
	if (limen_host_monotonic() - began >= SHORTEST)
		return KUBE_GOOD;
	kube_text_fail(item->reflector->error, "the server ends it at once");
	return kube_fail(item->reflector, "watch", KUBE_BAD);
}

kube_outcome
kube_stream(kube_reflector *reflector)
{
	const kube_watch *watch = reflector->watch;
	limen_duration length = watch->times->watch / LIMEN_SECOND;
	char version[3 * KUBE_VERSION_MAX + 4];
	char path[sizeof version + 512];
	stream item = { .reflector = reflector, .outcome = KUBE_GOOD };
	kube_request request = {
		.path = path,
		.max = EVENT_MAX,
		.line = take_line,
		.head = note_begin,
		.pause = settle,
		.data = &item,
	};
	kube_answer answer;
	kube_outcome outcome;
	kube_end how;
	int64_t began = limen_host_monotonic();

	length += (limen_duration)kube_random((uint64_t)length + 1);
	kube_text_escape(reflector->version, version, sizeof version);
	snprintf(path, sizeof path,
	         "%s?watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%lld",
	         watch->path, version, (long long)length);
	/* A server that does not end it in time has lost the connection. */
	request.timeout = length * LIMEN_SECOND + watch->times->line;
	watch->listener.count(watch->listener.data, KUBE_WATCH);
	how = kube_session_get(&reflector->session, &request, &answer);
	/* Complete events may have arrived before the transfer failed. */
	if (how != KUBE_STOPPED && !item.wrong && settle(&item) && how == KUBE_DONE)
		kube_ask_again(reflector);
	outcome = conclude(&item, how, &answer, began);
	kube_answer_clear(&answer);
	return outcome;
}
