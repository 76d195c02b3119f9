/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_cache.c - the paths of cache files.  Names of entries become part of a path
 * here: characters other than letters and digits are replaced, and a hash keeps
 * names apart that look the same afterwards.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "background.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "file/file.h"

/* With the hash they fit the 255 bytes of a file name, and leave a few for a suffix. */
#define SECTION_MAX 40
#define ENTRY_MAX   70
#define FILE_MAX    90

#define LETTERS_AND_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

static bool
check_name(const char *name)
{
	size_t length = strspn(name, LETTERS_AND_DIGITS "._-");

	return length > 0 && length <= FILE_MAX && name[length] == '\0' && name[0] != '.';
}

static void
add_plain(strbuf *out, const char *text, size_t most)
{
	for (size_t i = 0; i < most && text[i] != '\0'; i++)
		strbuf_addc(out, strchr(LETTERS_AND_DIGITS "_-", text[i]) != NULL ? text[i] : '_');
}

/* The key is fixed, as the same instance must find its file after a restart. */
static uint64_t
hash_names(const limen_host *host, const char *name, bool *failed)
{
	static const hash_key key = { { 0, 0 } };
	strbuf all = STRBUF_INIT;
	uint64_t hash;

	strbuf_add(&all, host->section, strlen(host->section) + 1);
	strbuf_add(&all, host->name, strlen(host->name) + 1);
	strbuf_adds(&all, name);
	hash = all.failed ? 0 : hash_bytes(&key, all.text, all.length);
	*failed = all.failed;
	strbuf_free(&all);
	return hash;
}

static bool
write_path(const limen_host *host, const char *name, strbuf *out)
{
	bool failed;
	uint64_t hash = hash_names(host, name, &failed);

	strbuf_adds(out, host->back->services->cache_dir);
	strbuf_addc(out, '/');
	add_plain(out, host->section, SECTION_MAX);
	strbuf_addc(out, '-');
	add_plain(out, host->name, ENTRY_MAX);
	strbuf_addf(out, "-%016llx-", (unsigned long long)hash);
	strbuf_adds(out, name);
	return !failed && !out->failed;
}

static int
refuse_directory(limen_host *host, const char *who, const char *why)
{
	limen_host_log(host, LIMEN_LOG_WARNING, "the cache directory %s cannot be used: %s%s",
	               host->back->services->cache_dir, who, why);
	return LIMEN_EIO;
}

/*
 * Makes and checks the cache directory: other users who can write to it, or own it, could
 * change decisions with forged files.  Its parent is not checked, because volumes of
 * containers are writable by all users.
 */
static int
prepare_directory(limen_host *host)
{
	const char *path = host->back->services->cache_dir;
	const char *stranger;
	struct stat status;

	if (host->back->services->passive)
		return LIMEN_OK;
	if ((mkdir(path, 0700) != 0 && errno != EEXIST) || stat(path, &status) != 0)
		return refuse_directory(host, strerror(errno), "");
	if (!S_ISDIR(status.st_mode))
		return refuse_directory(host, strerror(ENOTDIR), "");
	stranger = writable_stranger(&status);
	if (stranger != NULL)
		return refuse_directory(host, stranger, " may write to it");
	if (writable_foreign(path))
		return refuse_directory(host, "another user", " made it");
	return LIMEN_OK;
}

int
limen_host_cache_path(limen_host *host, const char *name, char *out, size_t size)
{
	strbuf path = STRBUF_INIT;
	int result = LIMEN_OK;

	if (host == NULL || name == NULL || out == NULL)
		return LIMEN_EINVAL;
	if (host->back->services->cache_dir == NULL)
		return LIMEN_ENOENT;
	if (!check_name(name))
		return LIMEN_EINVAL;
	if (!write_path(host, name, &path))
		result = LIMEN_EIO;
	else if (path.length >= size)
		result = LIMEN_ERANGE;
	if (result == LIMEN_OK)
		result = prepare_directory(host);
	if (result == LIMEN_OK)
		memcpy(out, path.text, path.length + 1);
	strbuf_free(&path);
	return result;
}
