/* SPDX-License-Identifier: Apache-2.0 */
/*
 * version.c - libjq does not tell its version, so it is asked for functions that
 * came with one (the NEWS of jq 1.7 and 1.8).
 */
#include "version.h"

#include <jq.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>


static const version_feature features[] = {
	{ "abs/0", "1.7", NULL },
	{ "add/1", "1.8", NULL },
	{ "debug/1", "1.7", NULL },
	{ "have_decnum/0", "1.7", NULL },
	{ "have_literal_numbers/0", "1.7", NULL },
	{ "leaf_paths/0", "1.3", "1.8" },
	{ "ltrim/0", "1.7.1", NULL },
	{ "pick/1", "1.7", NULL },
	{ "recurse_down/0", "1.3", "1.7" },
	{ "rtrim/0", "1.7.1", NULL },
	{ "skip/2", "1.8", NULL },
	{ "toarray/0", "1.7", NULL },
	{ "toboolean/0", "1.8", NULL },
	{ "trim/0", "1.7.1", NULL },
	{ "trimstr/1", "1.8", NULL },
	{ "@base32d", "1.7", NULL },
	{ "@urid", "1.8", NULL },
};

/* The newest first. */
static const struct {
	const char *version;
	const char *script;
} probes[] = {
	{ "1.8", "trimstr(\"a\")" },
	{ "1.7.1", "trim" },
	{ "1.7", "pick(.a)" },
	{ "1.6", "." },
};

static const char *installed = "1.6";

static void
ignore(void *unused, jv message)
{
	(void)unused;
	jv_free(message);
}

static bool
compiles(const char *script)
{
	jq_state *jq = jq_init();
	bool good;

	if (jq == NULL)
		return false;
	jq_set_error_cb(jq, ignore, NULL);
	good = jq_compile(jq, script) != 0;
	jq_teardown(&jq);
	return good;
}

static void
probe(void)
{
	size_t i = 0;

	while (i + 1 < sizeof(probes) / sizeof(probes[0]) && !compiles(probes[i].script))
		i++;
	installed = probes[i].version;
}

/* The first object makes the seed of libjq's hashes, without a lock (jq 1.6). */
static void
prepare(void)
{
	jv_free(jv_object_set(jv_object(), jv_string("a"), jv_true()));
}

void
version_prepare(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare);
}

const char *
version_installed(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, probe);
	return installed;
}

const version_feature *
version_find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		if (strlen(features[i].name) == length &&
		    memcmp(features[i].name, name, length) == 0)
			return &features[i];
	}
	return NULL;
}

/* All versions are "1.", a digit, and perhaps more. */
bool
version_is_newer(const char *version)
{
	return strcmp(version, version_installed()) > 0;
}
