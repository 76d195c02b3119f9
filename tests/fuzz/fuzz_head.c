/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heads of requests as limend takes them from libmicrohttpd: a line "METHOD TARGET
 * VERSION", lines "NAME:VALUE", and "certificate" for a first line where one is
 * required.  What is let through, and what a query says, is found out once more here by
 * the letter of the documents (RFC 9110, RFC 9112, WHATWG URL).
 */
#include <jansson.h>
#include <string.h>
#include <strings.h>

#include "fuzz.h"
#include "http/arguments.h"
#include "transport/mhd.h"

const fuzz_target fuzz_this = { "head", NULL, 20000 };

enum { FIELDS_MAX = 100, BODY_MAX = 300, URL_MAX = 400, TARGET_MAX = 17000 };

typedef struct field {
	const char *name;
	const char *value;
	size_t name_length;
	size_t value_length;
} field;

/* What the text of a request consists of. */
static struct {
	bool certificate; /* is required */
	char *method;
	char *target;
	char *version;
	field fields[FIELDS_MAX];
	size_t count;
	client peer;
} run;

/* ---- in the place of libmicrohttpd ---- */

int
MHD_get_connection_values_n(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                            MHD_KeyValueIteratorN take, void *data)
{
	(void)connection;
	FUZZ_CHECK(kind == MHD_HEADER_KIND);
	for (size_t i = 0; take != NULL && i < run.count; i++) {
		const field *one = &run.fields[i];

		FUZZ_CHECK(take(data, kind, one->name, one->name_length, one->value,
		                one->value_length) == MHD_YES);
	}
	return (int)run.count;
}

const union MHD_ConnectionInfo *
MHD_get_connection_info(struct MHD_Connection *connection, enum MHD_ConnectionInfoType kind, ...)
{
	static union MHD_ConnectionInfo info;

	(void)connection;
	if (kind != MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		return NULL;
	info.socket_context = &run.peer;
	return &info;
}

/* ---- what a query says ---- */

/* Decodes "length" bytes as a form's; returns how many they are then. */
static size_t
decode(const char *text, size_t length, char *out)
{
	size_t made = 0;

	for (size_t i = 0; i < length; i++) {
		char pair[3] = "";

		if (length - i > 2)
			memcpy(pair, text + i + 1, 2);
		if (text[i] == '%' && strspn(pair, "0123456789abcdefABCDEF") == 2) {
			out[made++] = (char)strtol(pair, NULL, 16);
			i += 2;
		} else {
			out[made++] = text[i] == '+' ? ' ' : text[i];
		}
	}
	out[made] = '\0';
	return made;
}

static void
check_pair(const http_pair *pair, const char *text, size_t length)
{
	static char name[TARGET_MAX], value[TARGET_MAX];
	const char *equals = memchr(text, '=', length);
	size_t first = equals == NULL ? length : (size_t)(equals - text);
	size_t rest = equals == NULL ? 0 : length - first - 1;

	decode(text, first, name);
	FUZZ_CHECK(decode(equals == NULL ? "" : equals + 1, rest, value) == pair->length);
	FUZZ_CHECK(strcmp(name, pair->name) == 0);
	FUZZ_CHECK(memcmp(value, pair->value, pair->length + 1) == 0);
}

/* The parts of a query that are not empty, one by one, QUERY_MAX at most. */
static void
check_query(const char *target, const exchange *one)
{
	const char *mark = strchr(target, '?');
	const char *at = mark == NULL ? target + strlen(target) : mark + 1;
	size_t count = 0;

	FUZZ_CHECK(strlen(one->request.path) ==
	           (mark == NULL ? strlen(target) : (size_t)(mark - target)));
	while (*at != '\0') {
		size_t length = strcspn(at, "&");

		if (length > 0 && count < one->arguments->len)
			check_pair(&g_array_index(one->arguments, http_pair, count), at, length);
		count += length > 0;
		at += length + (at[length] == '&');
	}
	FUZZ_CHECK(one->crowded == (count > QUERY_MAX));
	FUZZ_CHECK(one->arguments->len == (count > QUERY_MAX ? QUERY_MAX : count));
}

static void
encode(GString *to, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		g_string_append_printf(to, "%%%02x", (unsigned char)text[i]);
}

/* What it says, written out, says the same. */
static void
check_again(const exchange *one)
{
	GString *target = g_string_new("?");
	GArray *again = g_array_new(FALSE, FALSE, sizeof(http_pair));

	for (guint i = 0; i < one->arguments->len; i++) {
		const http_pair *pair = &g_array_index(one->arguments, http_pair, i);

		encode(target, pair->name, strlen(pair->name));
		g_string_append_c(target, '=');
		encode(target, pair->value, pair->length);
		g_string_append_c(target, '&');
	}
	FUZZ_CHECK(query_split(target->str, again) && again->len == one->arguments->len);
	for (guint i = 0; i < again->len; i++) {
		const http_pair *was = &g_array_index(one->arguments, http_pair, i);
		const http_pair *is = &g_array_index(again, http_pair, i);

		FUZZ_CHECK(strcmp(was->name, is->name) == 0 && was->length == is->length);
		FUZZ_CHECK(memcmp(was->value, is->value, is->length + 1) == 0);
	}
	g_array_free(again, TRUE);
	g_string_free(target, TRUE);
}

/* ---- what a head says ---- */

static bool
is_field(const field *one, const char *name)
{
	return one->name_length == strlen(name) && strncasecmp(one->name, name, strlen(name)) == 0;
}

static size_t
count_fields(const char *name, const field **last)
{
	size_t count = 0;

	for (size_t i = 0; i < run.count; i++) {
		if (!is_field(&run.fields[i], name))
			continue;
		*last = &run.fields[i];
		count++;
	}
	return count;
}

static const char letters[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* RFC 9112, 3. */
static bool
is_line_well_formed(void)
{
	for (const unsigned char *at = (const unsigned char *)run.target; *at != '\0'; at++)
		if (*at <= ' ' || *at == 0x7F)
			return false;
	return run.method[0] != '\0' && strspn(run.method, letters) == strlen(run.method) &&
	       (strcmp(run.version, "HTTP/1.1") == 0 || strcmp(run.version, "HTTP/1.0") == 0);
}

/* RFC 9110, 5.6.2 and 5.5; and a name that begins like one that frames the body is a folded line. */
static bool
is_well_formed(const field *one)
{
	static const char *const framing[] = { "content-length", "transfer-encoding" };

	for (size_t i = 0; i < one->name_length; i++) {
		if (memchr(letters, one->name[i], sizeof letters - 1) == NULL)
			return false;
	}
	for (size_t i = 0; i < one->value_length; i++) {
		unsigned char c = (unsigned char)one->value[i];

		if ((c < ' ' && c != '\t') || c == 0x7F)
			return false;
	}
	for (int i = 0; i < 2; i++) {
		size_t length = strlen(framing[i]);

		if (one->name_length > length && strncasecmp(one->name, framing[i], length) == 0)
			return false;
	}
	return one->name_length > 0;
}

/* Does a body end where every reader of the head has it end? */
static bool
is_framed(void)
{
	const field *coding = NULL, *any = NULL;
	size_t codings = count_fields("transfer-encoding", &coding);
	size_t lengths = count_fields("content-length", &any);

	if (!is_line_well_formed())
		return false;
	for (size_t i = 0; i < run.count; i++) {
		if (!is_well_formed(&run.fields[i]))
			return false;
	}
	if (count_fields("host", &any) > 1 || count_fields("content-type", &any) > 1)
		return false;
	if (codings + lengths > 1 || (codings > 0 && strcmp(run.version, "HTTP/1.1") < 0))
		return false;
	return codings == 0 || strcasecmp(coding->value, "chunked") == 0;
}

static unsigned long long
declared_length(void)
{
	const field *length = NULL;

	return count_fields("content-length", &length) == 0 ? 0 : strtoull(length->value, NULL, 10);
}

static bool
is_encoded(void)
{
	for (size_t i = 0; i < run.count; i++) {
		if (is_field(&run.fields[i], "content-encoding") &&
		    strcasecmp(run.fields[i].value, "identity") != 0)
			return true;
	}
	return false;
}

static bool
is_wanted(const exchange *one)
{
	static const char *const probes[] = { "/livez", "/readyz", "/healthz", NULL };
	const endpoint *target = endpoint_of(&one->request);
	unsigned method = strcmp(run.method, "POST") == 0 ? HTTP_POST
	                  : strcmp(run.method, "GET") == 0 || strcmp(run.method, "HEAD") == 0
	                          ? HTTP_GET : 0;

	if (run.certificate && !g_strv_contains(probes, one->request.path))
		return false;
	return target != NULL && (target->methods & method) != 0;
}

static void
check_refusal(const exchange *one)
{
	const GString *body = one->response.body;
	json_t *root = json_loadb(body->str, body->len, 0, NULL);

	FUZZ_CHECK((one->response.status >= 400 && one->response.status < 500) ||
	           one->response.status == 505);
	FUZZ_CHECK(json_integer_value(json_object_get(root, "code")) == one->response.status);
	FUZZ_CHECK(json_is_string(json_object_get(root, "message")));
	json_decref(root);
}

static void
check_head(exchange *one, size_t target_length)
{
	head_verdict verdict = mhd_check_head(one, run.method, run.version);
	bool framed = target_length > 0 && is_framed();
	bool good = framed && is_wanted(one) && !is_encoded() && !one->crowded &&
	            declared_length() <= BODY_MAX && target_length <= URL_MAX;

	FUZZ_CHECK((verdict == HEAD_GOOD) == good);
	FUZZ_CHECK(framed || verdict == HEAD_BROKEN);
	FUZZ_CHECK(!framed || good || (verdict == HEAD_BROKEN) == (declared_length() > DISCARD_MAX));
	if (verdict != HEAD_GOOD)
		check_refusal(one);
}

/* ---- */

/* The path and the query of a target, which may be in absolute form. */
static const char *
skip_authority(const char *target)
{
	const char *path = target + strlen("http://");

	if (strncasecmp(target, "http://", strlen("http://")) != 0)
		return target;
	path += strcspn(path, "/?");
	return *path == '/' ? path : target;
}

/* Cuts a line off that ends with 'mark', or with the text. */
static char *
cut(char **rest, char mark)
{
	char *text = *rest;
	char *end = strchr(text, mark);

	*rest = end == NULL ? text + strlen(text) : end + 1;
	if (end != NULL)
		*end = '\0';
	return text;
}

static void
read_input(char *text)
{
	char *line = cut(&text, '\n');

	run.certificate = strcmp(line, "certificate") == 0;
	if (run.certificate)
		line = cut(&text, '\n');
	run.method = cut(&line, ' ');
	run.target = cut(&line, ' ');
	run.version = line;
	for (run.count = 0; *text != '\0' && run.count < FIELDS_MAX; run.count++) {
		char *value = cut(&text, '\n');
		char *name = cut(&value, ':');

		value += strspn(value, " \t");
		run.fields[run.count] = (field){ name, value, strlen(name), strlen(value) };
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static service shared;
	static transport owner;
	static server from = { .owner = &owner };
	static char connection;
	static watch *watched;
	char *copy = g_strndup((const char *)data, size);
	void *context;

	if (watched == NULL) {
		watched = watch_new(10 * LIMEN_SECOND);
		owner.pool = from.pool = watch_add(watched, 1, true);
	}
	read_input(copy);
	owner.options = (transport_options){ .shared = &shared, .max_body = BODY_MAX,
		                             .max_url = URL_MAX,
		                             .require_certificate = run.certificate };
	context = mhd_begin(&from, run.target, (struct MHD_Connection *)(void *)&connection);
	check_query(skip_authority(run.target), context);
	check_again(context);
	check_head(context, strlen(run.target));
	mhd_end(&owner, (struct MHD_Connection *)(void *)&connection, &context,
	        MHD_REQUEST_TERMINATED_COMPLETED_OK);
	FUZZ_CHECK(atomic_load(&owner.held) == 0);
	g_free(copy);
	return 0;
}
