/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd_head.c - checks method, target, version and headers, and refuses bad requests before their
 * bodies are read.  Works around parser errors of old versions of libmicrohttpd.
 */
#include <stdlib.h>
#include <string.h>

#include "http/arguments.h"
#include "mhd.h"

/* Headers that limend reads. */
typedef enum header {
	HEADER_LENGTH,
	HEADER_CODING,
	HEADER_HOST,
	HEADER_TYPE,
	HEADER_ENCODING, /* but "identity" */
	HEADER_ORIGIN,
	HEADER_FETCH_SITE,
	HEADERS
} header;

static const struct {
	const char *name;
	size_t length;
	bool framing; /* says where the body ends */
} headers[HEADERS] = {
#define NAME(text) text, sizeof(text) - 1
	[HEADER_LENGTH] = { NAME("content-length"), true },
	[HEADER_CODING] = { NAME("transfer-encoding"), true },
	[HEADER_HOST] = { NAME("host"), false },
	[HEADER_TYPE] = { NAME("content-type"), false },
	[HEADER_ENCODING] = { NAME("content-encoding"), false },
	[HEADER_ORIGIN] = { NAME("origin"), false },
	[HEADER_FETCH_SITE] = { NAME("sec-fetch-site"), false },
#undef NAME
};

typedef struct head {
	http_pair *next; /* where the next header goes, among those of the request */
	/*
	 * 'end' is the end of the last header seen in the buffer of libmicrohttpd; NULL: not
	 * tracked, as this version needs no workaround.  'line_end' is the length of a line end.
	 */
	const char *end;
	size_t line_end;
	unsigned counts[HEADERS];    /* how often each header occurs */
	const char *values[HEADERS]; /* its first value; NULL: absent */
	uint64_t length;             /* Content-Length */
	bool old;                    /* HTTP/1.0 */
	bool broken;                 /* a name or a value has forbidden bytes */
} head;

/* RFC 9110, 5.5: a proxy may read the value differently from a NUL or CR on. */
static bool
is_value(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (g_ascii_iscntrl(text[i]) && text[i] != '\t')
			return false;
	return true;
}

/*
 * libmicrohttpd 0.9.75 appends a folded line (RFC 9112, 5.2) to the name of the header.  Such a
 * Content-Length would be ignored, and the body would be read as the next request.
 */
static void
count_header(head *found, const char *name, size_t length, const char *value)
{
	for (size_t i = 0; i < HEADERS; i++) {
		bool same = length == headers[i].length;
		bool longer = length > headers[i].length && headers[i].framing;

		if ((!same && !longer) || (name[0] | 0x20) != headers[i].name[0] ||
		    g_ascii_strncasecmp(name, headers[i].name, headers[i].length) != 0)
			continue;
		if (longer)
			found->broken = true;
		else if ((i != HEADER_ENCODING || g_ascii_strcasecmp(value, "identity") != 0) &&
		         found->counts[i]++ == 0)
			found->values[i] = value;
	}
}

bool
mhd_ends_early(const char *version)
{
	return g_str_has_prefix(version, "0.9.") && atoi(version + strlen("0.9.")) < 76;
}

/*
 * libmicrohttpd before 0.9.76 takes a line that begins with ':' for the end of the head, and the
 * rest of the head for a request.  Such a line leaves a gap in the buffer between the last header
 * and the end.  A gap between two headers that is no line end is an error, too.
 */
static void
follow(head *found, const char *name, const char *value, size_t value_length)
{
	size_t gap;

	if (found->end == NULL)
		return;
	gap = (size_t)(name - found->end);
	if (found->line_end == 0)
		found->line_end = gap;
	if (gap != found->line_end)
		found->broken = true;
	found->end = value + value_length;
}

/* Is the last header followed only by the empty line that ends the head? */
static bool
ends_well(const exchange *talk, const head *found, const char *method)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(talk->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	size_t left = info == NULL ? 0 : (size_t)(method + info->header_size - found->end);

	if (found->line_end == 0)
		return left == 2 || left == 4;
	return left == 2 * found->line_end;
}

static enum MHD_Result
note_header(void *data, enum MHD_ValueKind kind, const char *name, size_t name_length,
            const char *value, size_t value_length)
{
	head *found = data;

	(void)kind;
	if (value == NULL)
		value = "";
	*found->next++ = (http_pair){ name, value, value_length, name_length };
	follow(found, name, value, value_length);
	count_header(found, name, name_length, value);
	/* libmicrohttpd leaves a blank before the colon in the name. */
	if (!http_is_token(name, name_length) || !is_value(value, value_length))
		found->broken = true;
	return MHD_YES;
}

/* Is the body chunked, or is there no Transfer-Encoding? */
static bool
is_chunked(const head *found)
{
	const char *coding = found->values[HEADER_CODING];

	return coding == NULL || g_ascii_strcasecmp(coding, "chunked") == 0;
}

static bool
is_for_gate(const exchange *talk)
{
	const endpoint *target = endpoint_of(&talk->request);

	return target != NULL && target->gate;
}

/* RFC 9112, 3.2, 5.1, 6.1 and 6.3: ambiguous framing would allow request smuggling. */
static bool
check_framing(const head *found, bool for_gate, fault *why)
{
	const unsigned *counts = found->counts;
	const char *coding = found->values[HEADER_CODING];

	if (found->broken)
		return fault_set(why, 400, "The request has a header that HTTP does not allow");
	if (counts[HEADER_HOST] > 1)
		return fault_set(why, 400, "The request has more than one Host");
	if (coding != NULL && found->old)
		return fault_set(why, 400, "HTTP/1.0 has no Transfer-Encoding");
	if (counts[HEADER_LENGTH] > 1)
		return fault_set(why, 400, "The request has more than one Content-Length");
	if (coding != NULL && counts[HEADER_LENGTH] > 0)
		return fault_set(why, 400,
		                 "The request has both Transfer-Encoding and Content-Length");
	if (counts[HEADER_CODING] > 1 || !is_chunked(found))
		return fault_set(why, 400, "The only Transfer-Encoding known here is chunked");
	if (counts[HEADER_TYPE] > 1 && !for_gate)
		return fault_set(why, 400, "The request has more than one Content-Type");
	return true;
}

/*
 * RFC 9112, 3: a target with a blank or a NUL is refused, because parsers disagree on its end.
 * libmicrohttpd 1.0 reads two blanks as an empty target.
 */
static bool
check_line(const exchange *talk, const char *method, const char *version, fault *why)
{
	bool known = strcmp(version, MHD_HTTP_VERSION_1_1) == 0 ||
	             strcmp(version, MHD_HTTP_VERSION_1_0) == 0;
	bool cut = talk->owner->ends_early &&
	           (size_t)(version - talk->raw_target) != talk->target_length + 1;

	if (!known)
		return fault_set(why, 505, "Only HTTP/1.0 and HTTP/1.1 are known here");
	if (!http_is_token(method, strlen(method)))
		return fault_set(why, 400, "The method is not a token");
	if (talk->target_length == 0)
		return fault_set(why, 400, "The request has no target");
	if (talk->garbled || cut)
		return fault_set(why, 400, "The target has a blank or a control character");
	return true;
}

size_t
mhd_body_max(const exchange *talk)
{
	return is_for_gate(talk) ? 0 : talk->owner->options.max_body;
}

static bool
check_body(const exchange *talk, const head *found, fault *why)
{
	size_t most = mhd_body_max(talk);

	if (found->counts[HEADER_ENCODING] > 0 && !is_for_gate(talk))
		return fault_set(why, 415, "A body with a Content-Encoding is not accepted");
	if (found->length > most)
		return fault_set(why, 413,
		                 "The body has %" G_GUINT64_FORMAT " bytes; at most %zu are allowed",
		                 found->length, most);
	return true;
}

static bool
is_probe(const char *path)
{
	return strcmp(path, "/livez") == 0 || strcmp(path, "/healthz") == 0 ||
	       strcmp(path, "/readyz") == 0;
}

/* Probes need no certificate: kubelets have none, and the answer is only "ok". */
static bool
check_client(const exchange *talk, fault *why)
{
	if (talk->owner->options.require_certificate && talk->server->purpose != SERVED_HEALTH &&
	    !talk->request.peer.console && !talk->client->unix_socket &&
	    !talk->request.peer.certified && !is_probe(talk->request.path))
		return fault_set(why, 403, "A client certificate is required");
	return true;
}

static http_method
read_method(const char *method)
{
	if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
		return HTTP_GET;
	if (strcmp(method, "POST") == 0)
		return HTTP_POST;
	return strcmp(method, "CONNECT") == 0 ? HTTP_CONNECT : HTTP_OTHER;
}

/* Does the listening socket serve the path? */
static bool
check_served(served purpose, const endpoint *target, fault *why)
{
	if (purpose == SERVED_HEALTH && (target == NULL || !target->health))
		return fault_set(why, 404, "This address serves only probes and metrics");
	if (purpose == SERVED_GATE && (target == NULL || !target->gate))
		return fault_set(why, 404, "This socket serves only /v1/gate/");
	if (purpose == SERVED_CONSOLE && (target == NULL || (!target->console && !target->page)))
		return fault_set(why, 404, "This address serves only the console, at /ui");
	return true;
}

/* Lets the endpoint refuse a wrong path or method without waiting for the body. */
static bool
check_target(exchange *talk, fault *why)
{
	const endpoint *target = endpoint_of(&talk->request);

	if (!check_served(talk->server->purpose, target, why))
		return false;
	if (target != NULL && (target->methods & (unsigned)talk->request.method) != 0)
		return true;
	mhd_ask_endpoint(talk);
	return false;
}

static bool
check_query(const exchange *talk, fault *why)
{
	size_t most = talk->owner->options.max_url;

	if (talk->target_length > most)
		return fault_set(why, 414, "The URL has %zu bytes; at most %zu are allowed",
		                 talk->target_length, most);
	if (talk->crowded)
		return fault_set(why, 400, "The query has more than %d arguments", QUERY_MAX);
	return true;
}

/* Reads the headers into 'found' and the request. */
static void
read_headers(exchange *talk, const char *method, head *found)
{
	int count = MHD_get_connection_values_n(talk->connection, MHD_HEADER_KIND, NULL, NULL);

	g_array_set_size(talk->fields, (guint)count);
	found->next = (http_pair *)(void *)talk->fields->data;
	talk->request.fields = (arguments){ found->next, (size_t)count };
	MHD_get_connection_values_n(talk->connection, MHD_HEADER_KIND, note_header, found);
	talk->request.content_type = found->values[HEADER_TYPE];
	if (!talk->request.absolute)
		talk->request.host = found->values[HEADER_HOST];
	talk->request.origin = found->values[HEADER_ORIGIN];
	talk->request.fetch_site = found->values[HEADER_FETCH_SITE];
	talk->declared = UINT64_MAX;
	if (found->counts[HEADER_LENGTH] > 0)
		talk->declared = found->length =
			g_ascii_strtoull(found->values[HEADER_LENGTH], NULL, 10);
	if (found->end != NULL && !ends_well(talk, found, method))
		found->broken = true;
	/*
	 * Trailers can end early too, and chunks can lack their line end.  The connection ends,
	 * so the rest is not read as a request.
	 */
	if (found->counts[HEADER_CODING] > 0 && talk->owner->ends_early)
		talk->client->linger = true;
}

static head_verdict
check_head(exchange *talk, const head *found, const char *method, const char *version, fault *why)
{
	if (!check_line(talk, method, version, why) ||
	    !check_framing(found, is_for_gate(talk), why))
		return HEAD_BROKEN;
	if (check_client(talk, why) && check_query(talk, why) && check_target(talk, why) &&
	    check_body(talk, found, why))
		return HEAD_GOOD;
	return found->length > DISCARD_MAX ? HEAD_BROKEN : HEAD_REFUSED;
}

head_verdict
mhd_check_head(exchange *talk, const char *method, const char *version)
{
	head found = { .old = strcmp(version, MHD_HTTP_VERSION_1_1) < 0,
		.end = talk->owner->ends_early ? version + strlen(version) : NULL };
	g_auto(fault) why = { .status = 0 };
	head_verdict verdict;

	talk->request.method = read_method(method);
	talk->request.verb = method;
	talk->request.peer.certified = mhd_client_certified(talk);
	talk->request.peer.console = talk->server->purpose == SERVED_CONSOLE;
	talk->request.peer.trusted = talk->request.peer.console ||
		http_trusts(talk->owner->options.trusted, &talk->request.peer);
	read_headers(talk, method, &found);
	verdict = check_head(talk, &found, method, version, &why);
	if (why.status != 0)
		endpoint_fail(&talk->request, &talk->response, why.status, why.text);
	return verdict;
}
