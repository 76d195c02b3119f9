/* SPDX-License-Identifier: Apache-2.0 */
/*
 * route.c - the limit "route": passes HTTP requests whose method and path match one of its
 * patterns, and tells rates which.  pScheduler has no such limit.
 */
#include <limen/module.h>
#include <limen/version.h>
#include <string.h>

struct route {
	limen_strings routes;
};

static const limen_option options[] = {
	LIMEN_OPT_STRINGS(struct route, routes, .key = "routes", .required = true, .minimum_count = 1,
	                  .pattern = "^(\\*|[^ |*]+(\\|[^ |*]+)*) /[^ ?#]*$",
	                  .help = "Patterns such as \"GET|HEAD /users/*/posts\": '*' is one segment, "
	                          "'**' at the end the rest, and the method '*' any"),
	LIMEN_OPT_END
};

static bool
is_segment(const char *segment, size_t size, const char *text)
{
	return size == strlen(text) && memcmp(segment, text, size) == 0;
}

/* Returns what is wrong with the path of a pattern, or NULL. */
static const char *
find_fault(const char *path)
{
	while (*path == '/') {
		const char *segment = path + 1;
		size_t size = strcspn(segment, "/");
		bool is_last = segment[size] == '\0';
		bool is_wild = is_segment(segment, size, "*") ||
		               (is_last && is_segment(segment, size, "**"));

		if (!is_wild && memchr(segment, '*', size) != NULL)
			return "'*' must be a whole segment, and '**' the last one";
		if ((size == 0 && !is_last) || is_segment(segment, size, ".") ||
		    is_segment(segment, size, ".."))
			return "paths are compared without empty segments, '.' and '..'";
		path = segment + size;
	}
	return NULL;
}

static int
open_route(void *self, limen_opening *opening, limen_diag *diag)
{
	const struct route *route = self;
	limen_iter iter = limen_iter_start(limen_opening_option(opening, "routes"));
	int result = LIMEN_OK;

	for (size_t i = 0; i < route->routes.count; i++) {
		const char *fault = find_fault(strchr(route->routes.items[i], ' ') + 1);
		limen_value where;

		limen_iter_next(&iter, NULL, &where);
		if (fault == NULL)
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "invalid route '%s': %s",
		               route->routes.items[i], fault);
		result = LIMEN_EINVAL;
	}
	return result == LIMEN_OK ? limen_opening_use_http(opening, LIMEN_HTTP_PATH, NULL) : result;
}

/* Returns true if 'method' is one of those before the blank of 'pattern'. */
static bool
matches_method(const char *pattern, const char *method)
{
	size_t length = strlen(method);

	if (pattern[0] == '*')
		return true;
	for (;; pattern++) {
		size_t size = strcspn(pattern, "| ");

		if (size == length && memcmp(pattern, method, size) == 0)
			return true;
		pattern += size;
		if (*pattern == ' ')
			return false;
	}
}

/* Compares segment by segment; both begin with '/'. */
static bool
matches_path(const char *pattern, const char *path)
{
	while (*pattern == '/' && *path == '/') {
		size_t size = strcspn(++pattern, "/");
		size_t length = strcspn(++path, "/");

		if (strcmp(pattern, "**") == 0)
			return true;
		if (size == 1 && *pattern == '*' ? length == 0
		                                 : size != length || memcmp(pattern, path, size) != 0)
			return false;
		pattern += size;
		path += length;
	}
	return *pattern == '\0' && *path == '\0';
}

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct route *route = self;
	limen_value document = limen_request_document(req);
	const char *method = limen_value_string(limen_value_get(document, "method"), NULL);
	const char *path = limen_value_string(limen_value_get(document, "path"), NULL);

	if (limen_request_subject(req) != LIMEN_SUBJECT_HTTP || method == NULL || path == NULL) {
		limen_reply_reason(reply, "Not an HTTP request");
		return LIMEN_FAIL;
	}
	for (size_t i = 0; i < route->routes.count; i++) {
		const char *pattern = route->routes.items[i];

		if (!matches_method(pattern, method) || !matches_path(strchr(pattern, ' ') + 1, path))
			continue;
		limen_reply_route(reply, pattern);
		return LIMEN_PASS;
	}
	limen_reply_reason(reply, "No route is '%s %s'", method, path);
	return LIMEN_FAIL;
}

LIMEN_LIMIT("route",
	.version = LIMEN_VERSION,
	.summary = "Passes HTTP requests of some methods and paths",
	.options = options,
	.instance_size = sizeof(struct route),
	.open = open_route,
	.check = check);
