/* SPDX-License-Identifier: Apache-2.0 */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "knot.h"
#include "nginx.h"

struct lab {
	struct knot *names;
	nginx *web;
	char timeout[512]; /* of the url-fetch limit, behind the option for the authority */
};

/* The list that the web server has for the identifier "research". */
static int
write_list(const lab *servers)
{
	char path[256];
	FILE *list;

	snprintf(path, sizeof(path), "%s/research.txt", nginx_files(servers->web));
	list = fopen(path, "we");
	if (list == NULL)
		return 0;
	fputs("# Networks of research\n192.0.2.0/28\n2001:db8::/32\n", list);
	return fclose(list) == 0;
}

lab *
lab_start(const char **why)
{
	lab *servers = calloc(1, sizeof(*servers));

	*why = "the servers do not start";
	if (servers == NULL)
		return NULL;
	servers->names = knot_open(why);
	if (servers->names != NULL)
		servers->web = nginx_start(why);
	if (servers->web != NULL && write_list(servers)) {
		snprintf(servers->timeout, sizeof(servers->timeout),
		         "\"ca-file\": \"%s\", \"timeout\": \"PT2S\"", nginx_ca(servers->web));
		return servers;
	}
	if (*why == NULL)
		*why = "the servers do not start";
	lab_stop(servers);
	return NULL;
}

void
lab_stop(lab *servers)
{
	if (servers == NULL)
		return;
	knot_stop(servers->names);
	nginx_stop(servers->web);
	free(servers);
}

/* Returns what stands for the word that 'text' begins with, and its length; NULL for no word. */
static const char *
find_word(const lab *servers, const char *text, size_t *length)
{
	const struct {
		const char *word;
		const char *place;
	} words[] = {
		{ "192.0.2.53", knot_address(servers->names) },
		{ "http://lists.example.net", nginx_http(servers->web) },
		{ "https://approve.example.net", nginx_https(servers->web) },
		{ "\"timeout\": \"PT2S\"", servers->timeout },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		*length = strlen(words[i].word);
		if (strncmp(text, words[i].word, *length) == 0)
			return words[i].place;
	}
	return NULL;
}

char *
lab_policy(const lab *servers, const char *path)
{
	FILE *in = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;
	FILE *out = in == NULL ? NULL : open_memstream(&text, &size);
	char *line = NULL;
	size_t capacity = 0;

	while (out != NULL && getline(&line, &capacity, in) >= 0) {
		for (const char *at = line; *at != '\0';) {
			size_t length = 0;
			const char *place = find_word(servers, at, &length);

			if (place == NULL)
				fputc(*at, out);
			else
				fputs(place, out);
			at += place == NULL ? 1 : length;
		}
	}
	free(line);
	if (in != NULL)
		fclose(in);
	if (out != NULL)
		fclose(out);
	return text;
}
