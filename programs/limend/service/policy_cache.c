/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_cache.c - files of policies in the cache directory, each named by the hash of its URL,
 * which may hold a password.  A directory that other users may write to is not used: they could
 * replace the policy.
 */
#include "policy_cache.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

#define WRITABLE_BY_OTHERS (S_IWGRP | S_IWOTH)

static bool
is_private(const struct stat *facts)
{
	return (facts->st_uid == geteuid() || facts->st_uid == 0) &&
	       (facts->st_mode & WRITABLE_BY_OTHERS) == 0;
}

/* Returns why the directory cannot be used, or NULL. */
static const char *
judge_directory(const char *directory)
{
	struct stat facts;

	if ((g_mkdir(directory, 0700) != 0 && errno != EEXIST) || stat(directory, &facts) != 0)
		return g_strerror(errno);
	if (!S_ISDIR(facts.st_mode))
		return g_strerror(ENOTDIR);
	return is_private(&facts) ? NULL : "other users may write to it";
}

static char *
make_path(const char *directory, const char *url)
{
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, url, -1);
	g_autofree char *name = g_strdup_printf("policy-%s", hash);

	return g_build_filename(directory, name, NULL);
}

void
policy_cache_store(const char *directory, const char *url, const policy_text *content)
{
	const char *why = judge_directory(directory);
	g_autofree char *path = make_path(directory, url);
	g_autoptr(GError) reason = NULL;

	if (why == NULL &&
	    !g_file_set_contents_full(path, content->text, (gssize)content->length,
	                              G_FILE_SET_CONTENTS_CONSISTENT, 0600, &reason))
		why = reason->message;
	if (why != NULL)
		log_print(LIMEN_LOG_WARNING, "policy",
		          "the policy cannot be kept in the cache directory %s: %s", directory,
		          why);
}

bool
policy_cache_read(const char *directory, const char *url, policy_text *out, limen_time *stored)
{
	g_autofree char *path = make_path(directory, url);
	struct stat facts;
	gsize length = 0;

	if (judge_directory(directory) != NULL || lstat(path, &facts) != 0 ||
	    !S_ISREG(facts.st_mode) || !is_private(&facts) ||
	    !g_file_get_contents(path, &out->text, &length, NULL))
		return false;
	out->length = length;
	out->shown = g_steal_pointer(&path);
	*stored = facts.st_mtime * LIMEN_SECOND;
	return true;
}
