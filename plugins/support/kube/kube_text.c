/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_text.c - formats error texts, reads files of bounded size, decodes base64, checks bearer
 * tokens and escapes request parameters.  Files are opened non-blocking, so that a FIFO cannot
 * block the thread.
 */
#include "kube.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../buffer.h"

bool
kube_text_fail(char why[KUBE_ERROR_MAX], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, KUBE_ERROR_MAX, format, arguments);
	va_end(arguments);
	return false;
}

/* ---- files ---- */

static char *
read_descriptor(int fd, const char *path, size_t max, char why[KUBE_ERROR_MAX])
{
	buffer content = { .max = max };
	struct stat facts;

	if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
		kube_text_fail(why, "%s is not a regular file", path);
	else if (buffer_read(&content, fd))
		return content.text;
	else if (content.too_long)
		kube_text_fail(why, "%s is longer than %zu bytes", path, max);
	else if (content.no_memory)
		kube_text_fail(why, "%s", limen_result_text(LIMEN_ENOMEM));
	else
		kube_text_fail(why, "%s: %s", path, strerror(errno));
	buffer_clear(&content);
	return NULL;
}

/* A pipe must not hold the thread. */
char *
kube_text_read(const char *path, size_t max, char why[KUBE_ERROR_MAX])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char *text;

	if (fd < 0) {
		kube_text_fail(why, "%s: %s", path, strerror(errno));
		return NULL;
	}
	text = read_descriptor(fd, path, max, why);
	close(fd);
	return text;
}

/* ---- base64 ---- */

static bool
decode(const char *text, char *out, size_t *length)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	                               "0123456789+/";
	size_t digits = 0;
	size_t padding = 0;
	unsigned bits = 0;

	*length = 0;
	for (text += strspn(text, "\r\n"); *text != '\0'; text += 1 + strspn(text + 1, "\r\n")) {
		const char *found = strchr(alphabet, *text);

		/* Nothing follows the padding. */
		if (*text != '=' && (found == NULL || padding > 0))
			return false;
		padding += *text == '=';
		bits = bits << 6 | (found == NULL ? 0 : (unsigned)(found - alphabet));
		for (int shift = 16; digits % 4 == 3 && shift >= 0; shift -= 8)
			out[(*length)++] = (char)(bits >> shift & 0xFF);
		digits++;
	}
	if (digits % 4 != 0 || padding > 2 || digits == 0)
		return false;
	*length -= padding;
	return true;
}

int
kube_text_decode(const char *text, char **out)
{
	char *decoded = malloc(strlen(text) / 4 * 3 + 4);
	size_t length;

	*out = NULL;
	if (decoded == NULL)
		return LIMEN_ENOMEM;
	if (!decode(text, decoded, &length) || memchr(decoded, '\0', length) != NULL) {
		free(decoded);
		return LIMEN_EINVAL;
	}
	decoded[length] = '\0';
	*out = decoded;
	return LIMEN_OK;
}

/* ---- parts of requests ---- */

bool
kube_text_is_token(char *text)
{
	size_t length = strlen(text);

	while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
		text[--length] = '\0';
	for (size_t i = 0; i < length; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return false;
	return length > 0;
}

bool
kube_text_escape(const char *text, char *out, size_t size)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	                            "0123456789-._";
	size_t length = 0;

	for (; *text != '\0'; text++) {
		if (size - length < 4)
			return false;
		if (strchr(plain, *text) != NULL)
			out[length++] = *text;
		else
			length += (size_t)snprintf(out + length, 4, "%%%02X",
			                           (unsigned)(unsigned char)*text);
	}
	out[length] = '\0';
	return true;
}
