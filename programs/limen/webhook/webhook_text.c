/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook_text.c - reads the texts that select requests: label selectors as of kubectl -l, match
 * conditions and versions of Kubernetes.
 */
#include "webhook.h"

#include <string.h>

#include "common/json_out.h"

#define ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Returns true for a label's value, or the part of its key behind "/". */
static bool
is_label_text(const char *text, bool may_be_empty)
{
	size_t length = strspn(text, ALNUM "-_.");

	if (length == 0)
		return may_be_empty && text[0] == '\0';
	return length <= 63 && text[length] == '\0' && g_ascii_isalnum(text[0]) &&
	       g_ascii_isalnum(text[length - 1]);
}

/* Returns true for NAME or DOMAIN/NAME. */
static bool
is_qualified_name(const char *text)
{
	const char *slash = strchr(text, '/');
	size_t length;

	if (slash == NULL)
		return is_label_text(text, false);
	length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-.");
	return length > 0 && length < 254 && text + length == slash && g_ascii_isalnum(text[0]) &&
	       g_ascii_isalnum(slash[-1]) && is_label_text(slash + 1, false);
}

/* ---- label selectors ---- */

/* Splits at commas that stand outside of brackets. */
static GPtrArray *
split_requirements(const char *text)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	const char *begin = text;
	int depth = 0;

	for (const char *at = text;; at++) {
		depth += (*at == '(') - (*at == ')');
		if (*at != '\0' && (*at != ',' || depth > 0))
			continue;
		g_ptr_array_add(parts, g_strstrip(g_strndup(begin, (gsize)(at - begin))));
		if (*at == '\0')
			return parts;
		begin = at + 1;
	}
}

/* Appends an element; 'values' is separated by commas, NULL for none. */
static bool
append_requirement(GString *out, const char *key, const char *operator, const char *values)
{
	g_auto(GStrv) items = values == NULL ? NULL : g_strsplit(values, ",", -1);

	if (!is_qualified_name(key) || (items != NULL && items[0] == NULL))
		return false;
	for (char **item = items; item != NULL && *item != NULL; item++)
		if (!is_label_text(g_strstrip(*item), true))
			return false;
	json_write(out, "{key:s operator:s", key, operator);
	if (items != NULL)
		json_write(out, "values:a", items);
	g_string_append_c(out, '}');
	return true;
}

/* Reads "KEY in (A,B)" and "KEY notin (A,B)". */
static bool
read_set(const char *text, GString *out)
{
	g_autofree char *copy = g_strdup(text);
	char *bracket = strchr(copy, '(');
	char *close = strrchr(copy, ')');
	g_auto(GStrv) words = NULL;

	if (close == NULL || close < bracket || close[1] != '\0')
		return false;
	*bracket = *close = '\0';
	words = g_strsplit_set(g_strstrip(copy), " ", 2);
	if (g_strv_length(words) != 2)
		return false;
	g_strstrip(words[1]);
	if (!g_str_equal(words[1], "in") && !g_str_equal(words[1], "notin"))
		return false;
	return append_requirement(out, words[0], words[1][0] == 'i' ? "In" : "NotIn", bracket + 1);
}

static bool
read_requirement(const char *text, GString *out)
{
	const char *equals = strchr(text, '=');
	g_autofree char *key = NULL;
	bool unequal;

	if (strchr(text, '(') != NULL)
		return read_set(text, out);
	if (equals == NULL)
		return text[0] == '!' ? append_requirement(out, text + 1, "DoesNotExist", NULL)
		                      : append_requirement(out, text, "Exists", NULL);
	unequal = equals > text && equals[-1] == '!';
	key = g_strstrip(g_strndup(text, (gsize)(equals - text) - unequal));
	equals += !unequal && equals[1] == '=' ? 2 : 1;
	/* A comma would separate two values. */
	return append_requirement(out, key, unequal ? "NotIn" : "In",
	                          *equals == '\0' ? " " : equals);
}

char *
webhook_read_selector(const char *text, GString *out)
{
	g_autoptr(GPtrArray) parts = split_requirements(text);

	for (guint i = 0; i < parts->len; i++)
		if (!read_requirement(parts->pdata[i], out))
			return g_strdup_printf("invalid label selector '%s': use KEY=VALUE, "
			                       "KEY!=VALUE, 'KEY in (A,B)', 'KEY notin (A,B)', "
			                       "KEY or !KEY, with commas between them",
			                       (const char *)parts->pdata[i]);
	return NULL;
}

/* ---- match conditions ---- */

/* Returns the first character behind the CEL string that begins at 'at', or NULL if it is open. */
static const char *
skip_string(const char *at)
{
	char quote = *at;

	for (at++; *at != quote; at++)
		if (*at == '\0' || (*at == '\\' && *++at == '\0'))
			return NULL;
	return at + 1;
}

/* Returns true if quotes are closed and brackets match. */
static bool
is_balanced(const char *expression)
{
	g_autoptr(GString) open = g_string_new(NULL);
	const char *at = expression;

	while (at != NULL && *at != '\0') {
		const char *found = strchr("([{", *at);

		if (*at == '\'' || *at == '"') {
			at = skip_string(at);
			continue;
		}
		if (found != NULL) {
			g_string_append_c(open, ")]}"[found - "([{"]);
		} else if (strchr(")]}", *at) != NULL) {
			if (open->len == 0 || open->str[open->len - 1] != *at)
				return false;
			g_string_truncate(open, open->len - 1);
		}
		at++;
	}
	return at != NULL && open->len == 0;
}

char *
webhook_read_condition(const char *text, GString *out)
{
	const char *equals = strchr(text, '=');
	g_autofree char *name = equals == NULL ? g_strdup("")
	                                       : g_strndup(text, (gsize)(equals - text));

	if (equals == NULL || !is_qualified_name(name))
		return g_strdup_printf("invalid match condition '%s': use NAME=CEL, such as "
		                       "\"no-nodes=!('system:nodes' in request.userInfo.groups)\"",
		                       text);
	if (equals[1 + strspn(equals + 1, " ")] == '\0' || !is_balanced(equals + 1))
		return g_strdup_printf("match condition '%s': the expression '%s' is empty, or has "
		                       "an open bracket or quote", name, equals + 1);
	json_write(out, "{name:s expression:s}", name, equals + 1);
	return NULL;
}

/* ---- versions ---- */

bool
webhook_read_version(const char *text, int *out)
{
	g_auto(GStrv) parts = g_strsplit(text + (text[0] == 'v'), ".", 3);
	guint64 major, minor;

	if (g_strv_length(parts) < 2 ||
	    !g_ascii_string_to_unsigned(parts[0], 10, 1, 99, &major, NULL) ||
	    !g_ascii_string_to_unsigned(parts[1], 10, 0, 999, &minor, NULL))
		return false;
	*out = (int)(major * 1000 + minor);
	return true;
}
