/* SPDX-License-Identifier: Apache-2.0 */
#include "prometheus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The line at hand. */
typedef struct reader {
	scrape *out;
	char *family; /* whose samples are being read */
	const char *line;
} reader;

static bool
fail(reader *self, const char *why)
{
	if (self->out->fault == NULL)
		self->out->fault = g_strdup_printf("%s: %s", why, self->line);
	return false;
}

static size_t
name_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:");
}

static bool
read_type(reader *self, const char *rest)
{
	char **words = g_strsplit(rest, " ", 2);
	bool good = words[0] != NULL && words[1] != NULL && self->family != NULL &&
	            strcmp(words[0], self->family) == 0 &&
	            (strcmp(words[1], "counter") == 0 || strcmp(words[1], "gauge") == 0 ||
	             strcmp(words[1], "histogram") == 0);

	if (good && strcmp(words[1], "counter") == 0)
		good = g_str_has_suffix(words[0], "_total");
	if (good && strcmp(words[1], "counter") != 0)
		good = !g_str_has_suffix(words[0], "_total");
	if (good)
		g_hash_table_insert(self->out->families, g_strdup(words[0]), g_strdup(words[1]));
	g_strfreev(words);
	return good || fail(self, "TYPE");
}

static bool
read_help(reader *self, const char *rest)
{
	size_t length = name_length(rest);

	if (length == 0 || rest[length] != ' ' || rest[length + 1] == '\0')
		return fail(self, "HELP");
	g_free(self->family);
	self->family = g_strndup(rest, length);
	if (g_hash_table_contains(self->out->families, self->family))
		return fail(self, "the family stands twice");
	return true;
}

/* NAME="VALUE" with \\, \" and \n escaped; returns what follows, or NULL. */
static const char *
read_label(const char *at)
{
	size_t length = name_length(at);

	if (length == 0 || strncmp(at + length, "=\"", 2) != 0)
		return NULL;
	for (at += length + 2; *at != '"'; at++) {
		if (*at == '\0')
			return NULL;
		if (*at == '\\' && strchr("\\\"n", *++at) == NULL)
			return NULL;
		if (*at == '\0')
			return NULL;
	}
	return at + 1;
}

static const char *
read_labels(const char *at)
{
	do {
		at = read_label(at + 1);
	} while (at != NULL && *at == ',');
	return at != NULL && *at == '}' ? at + 1 : NULL;
}

static bool
belongs(const reader *self, const char *name)
{
	const char *type = self->family == NULL
	                           ? NULL
	                           : g_hash_table_lookup(self->out->families, self->family);
	size_t length;

	if (type == NULL)
		return false;
	if (strcmp(type, "histogram") != 0)
		return strcmp(name, self->family) == 0;
	length = strlen(self->family);
	return strncmp(name, self->family, length) == 0 &&
	       (strcmp(name + length, "_bucket") == 0 || strcmp(name + length, "_sum") == 0 ||
	        strcmp(name + length, "_count") == 0);
}

static bool
read_sample(reader *self)
{
	size_t length = name_length(self->line);
	const char *end = self->line + length;
	char *name = g_strndup(self->line, length);
	bool good = belongs(self, name);
	char *series;
	char *rest;
	double *value;

	g_free(name);
	if (!good)
		return fail(self, "a sample outside of its family");
	if (*end == '{')
		end = read_labels(end);
	if (end == NULL || *end != ' ')
		return fail(self, "labels");
	value = g_new(double, 1);
	*value = g_ascii_strtod(end + 1, &rest);
	series = g_strndup(self->line, (gsize)(end - self->line));
	good = rest != end + 1 && *rest == '\0';
	if (!g_hash_table_insert(self->out->samples, series, value))
		return fail(self, "the series stands twice");
	return good || fail(self, "value");
}

static bool
read_line(reader *self)
{
	if (!g_utf8_validate(self->line, -1, NULL))
		return fail(self, "UTF-8");
	if (g_str_has_prefix(self->line, "# HELP "))
		return read_help(self, self->line + 7);
	if (g_str_has_prefix(self->line, "# TYPE "))
		return read_type(self, self->line + 7);
	return read_sample(self);
}

void
scrape_read(scrape *out, const char *text)
{
	reader self = { .out = out };
	char **lines = g_strsplit(text, "\n", -1);

	out->families = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	out->samples = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	out->fault = NULL;
	for (char **line = lines; *line != NULL && out->fault == NULL; line++) {
		self.line = *line;
		if (line[1] == NULL) {
			if ((*line)[0] != '\0')
				fail(&self, "the last line has no end");
			break;
		}
		read_line(&self);
	}
	g_free(self.family);
	g_strfreev(lines);
}

void
scrape_clear(scrape *self)
{
	g_hash_table_destroy(self->families);
	g_hash_table_destroy(self->samples);
	g_free(self->fault);
}

double
scrape_value(const scrape *self, const char *series)
{
	const double *value = g_hash_table_lookup(self->samples, series);

	return value == NULL ? -1 : *value;
}
