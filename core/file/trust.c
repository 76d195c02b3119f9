/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trust.c - follows a path from the root as path_resolution(7) describes, links included, and
 * refuses it if other users could replace a step of it or change the file.  It also words the
 * problem.
 */
#include "trust.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writable.h"

/* As many as Linux follows (path_resolution(7)). */
#define MAX_LINKS 40

/*
 * A path that is followed as the kernel does it, from the root on: a step that strangers
 * cannot replace stays while the next one is checked.
 */
typedef struct {
	char here[PATH_MAX]; /* the path resolved so far, without links */
	char next[PATH_MAX]; /* 'here' and the next name */
	char room[PATH_MAX]; /* holds 'rest' at its end */
	char *rest;          /* the part of the path not resolved yet */
	struct stat status;  /* of 'here' */
	int links;           /* that were followed */
	bool groups;
	trust_fault *fault;
} way;

static bool
blame(trust_fault *fault, const char *path, const char *who)
{
	*fault = (trust_fault){ .who = who };
	snprintf(fault->path, sizeof(fault->path), "%s", path);
	return false;
}

static bool
blame_error(trust_fault *fault, const char *path, int error)
{
	blame(fault, path, NULL);
	fault->error = error;
	return false;
}

static const char *
find_stranger(const struct stat *status, bool groups)
{
	return groups || (status->st_mode & S_IWOTH) != 0 ? writable_stranger(status) : NULL;
}

/* Checks that 'who', who may write to 'directory' (status 'outer'), cannot replace 'path' in it. */
static bool
check_entry(const char *directory, const struct stat *outer, const char *who, const char *path,
            const struct stat *status, trust_fault *fault)
{
	if (who == NULL)
		return true;
	if ((outer->st_mode & S_ISVTX) == 0)
		return blame(fault, directory, who);
	return !writable_is_strangers(status) || blame(fault, path, NULL);
}

static bool
go_to(way *on, const char *path)
{
	memcpy(on->here, path, strlen(path) + 1);
	return lstat(path, &on->status) == 0 || blame_error(on->fault, path, errno);
}

/* Puts 'length' bytes of text and a slash before 'rest'. */
static bool
put_before(way *on, const char *text, size_t length)
{
	if (length >= (size_t)(on->rest - on->room))
		return blame_error(on->fault, on->here, ENAMETOOLONG);
	on->rest--;
	*on->rest = '/';
	on->rest -= length;
	memcpy(on->rest, text, length);
	return true;
}

/* Follows 'next', which is a link. */
static bool
follow(way *on)
{
	char target[PATH_MAX];
	ssize_t length = readlink(on->next, target, sizeof(target));

	if (length <= 0 || (size_t)length >= sizeof(target) || on->links++ == MAX_LINKS)
		return blame_error(on->fault, on->next, length < 0 ? errno : ELOOP);
	return put_before(on, target, (size_t)length) && (target[0] != '/' || go_to(on, "/"));
}

/* Checks and enters 'name' in 'here'. */
static bool
enter(way *on, const char *name)
{
	const char *slash = strcmp(on->here, "/") == 0 ? "" : "/";
	struct stat status;
	bool groups;
	int size = snprintf(on->next, sizeof(on->next), "%s%s%s", on->here, slash, name);

	if (size < 0 || (size_t)size >= sizeof(on->next))
		return blame_error(on->fault, on->here, ENAMETOOLONG);
	if (lstat(on->next, &status) != 0)
		return blame_error(on->fault, on->next, errno);
	/* Groups that may write to a directory owned by root are trusted: root allowed it. */
	groups = on->groups && on->status.st_uid != 0;
	if (!check_entry(on->here, &on->status, find_stranger(&on->status, groups), on->next,
	                 &status, on->fault))
		return false;
	return S_ISLNK(status.st_mode) ? follow(on) : go_to(on, on->next);
}

/* Resolves the first name of 'rest'. */
static bool
step(way *on)
{
	char name[NAME_MAX + 1];
	size_t length;

	on->rest += strspn(on->rest, "/");
	length = strcspn(on->rest, "/");
	if (length >= sizeof(name))
		return blame_error(on->fault, on->here, ENAMETOOLONG);
	memcpy(name, on->rest, length);
	name[length] = '\0';
	on->rest += length;
	if (length == 0 || strcmp(name, ".") == 0)
		return true;
	if (strcmp(name, "..") == 0)
		return writable_parent(on->here, on->next) && go_to(on, on->next);
	return enter(on, name);
}

static bool
start(way *on, const char *path)
{
	on->rest = on->room + sizeof(on->room) - 1;
	on->rest[0] = '\0';
	if (!go_to(on, "/") || !put_before(on, path, strlen(path)))
		return false;
	if (path[0] == '/')
		return true;
	if (getcwd(on->next, sizeof(on->next)) == NULL)
		return blame_error(on->fault, path, errno);
	return put_before(on, on->next, strlen(on->next));
}

static bool
is_way_safe(const char *path, bool groups, trust_fault *fault)
{
	way on = { .groups = groups, .fault = fault };

	if (!start(&on, path))
		return false;
	while (on.rest[0] != '\0')
		if (!step(&on))
			return false;
	return true;
}

/* Checks 'path' itself and its parent directory. */
static bool
is_place_safe(const char *path, bool groups, trust_fault *fault)
{
	char directory[PATH_MAX];
	struct stat status;
	struct stat outer;
	const char *who;

	if (!writable_parent(path, directory))
		return blame_error(fault, "", ENAMETOOLONG);
	if (stat(path, &status) != 0 || stat(directory, &outer) != 0)
		return blame_error(fault, path, errno);
	who = find_stranger(&status, groups);
	if (who != NULL)
		return blame(fault, path, who);
	if (lstat(path, &status) != 0)
		return blame_error(fault, path, errno);
	return check_entry(directory, &outer, find_stranger(&outer, groups), path, &status, fault);
}

bool
trust_file(const char *file, const char *real, const char *directory, bool groups,
           trust_fault *fault)
{
	return is_way_safe(real, groups, fault) && is_way_safe(file, groups, fault) &&
	       is_place_safe(real, groups, fault) && is_place_safe(file, groups, fault) &&
	       is_place_safe(directory, groups, fault);
}

void
trust_report(const trust_fault *fault, const char *text, limen_diag *diag, limen_value where)
{
	if (fault->error != 0) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s: %s: %s", text, fault->path,
		               strerror(fault->error));
	} else if (fault->who == NULL) {
		limen_diag_add(
			diag, LIMEN_SEVERITY_PROBLEM, where,
			"%s: %s belongs to another user, in a directory where every user may add "
			"files", text, fault->path);
		limen_diag_hint(diag, "use a directory of your own that is not below another "
		                      "user's");
	} else {
		bool all = strcmp(fault->who, "every user") == 0;

		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s: %s may change %s", text,
		               fault->who, fault->path);
		limen_diag_hint(diag, "remove write permission for %s from it",
		                all ? "others" : "the group");
	}
}
