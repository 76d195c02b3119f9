/* SPDX-License-Identifier: Apache-2.0 */
/*
 * zone.c - time zones by name.  GLib reads the zone database: it knows the rules behind
 * the last change that a file lists, which a reader of ours would need a parser for.
 * The C library knows one zone only, that of the process, which is never changed here.
 */
#include "zone.h"

#include <glib.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define WEEK (7 * 86400 * LIMEN_SECOND)

/* GLib's directory of zones unless TZDIR is set. */
#define ZONES "/usr/share/zoneinfo"

struct zone {
	GTimeZone *named; /* NULL: local */
};

static const char *
zones_directory(void)
{
	const char *directory = g_getenv("TZDIR");

	return directory == NULL ? ZONES : directory;
}

char *
zone_file(const char *name)
{
	return g_build_filename(zones_directory(), name, NULL);
}

/* No path leads out of the database, and no rule such as "CET-1CEST" is a name in it. */
static bool
is_name(const char *name)
{
	char *path;
	bool found;

	if (g_ascii_isalpha(name[0]) == 0 || strstr(name, "..") != NULL)
		return false;
	path = zone_file(name);
	found = g_file_test(path, G_FILE_TEST_IS_REGULAR);
	g_free(path);
	return found;
}

static bool
reject(limen_diag *diag, limen_value where, const char *name)
{
	if (access(zones_directory(), R_OK | X_OK) != 0) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "no time zone database in %s, so '%s' is unknown", zones_directory(),
		               name);
		limen_diag_hint(diag, "install the package tzdata");
		return false;
	}
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "'%s' is not a time zone", name);
	limen_diag_hint(diag, "use an IANA name such as 'Europe/Berlin'");
	return false;
}

/* The C library takes UTC, silently, if the zone of the process cannot be read. */
static bool
check_local(limen_value where, limen_diag *diag)
{
	const char *name = g_getenv("TZ");

	if (name != NULL && name[0] == ':')
		name++;
	/* TZ may also hold a path, or a rule, which has a digit. */
	if (name != NULL && name[0] != '\0')
		return is_name(name) || strpbrk(name, "0123456789") != NULL ||
		       (name[0] == '/' && access(name, R_OK) == 0) || reject(diag, where, name);
	if (name != NULL || !g_file_test("/etc/localtime", G_FILE_TEST_IS_SYMLINK) ||
	    access("/etc/localtime", R_OK) == 0)
		return true;
	return reject(diag, where, "local");
}

/*
 * GLib returns a zone of the same name while it is in use: that of the policy before, with the
 * data of before.  So each is read by another spelling of its path.
 */
static GTimeZone *
read_zone(const char *name)
{
	static atomic_uint count;
	char *path = g_strdup_printf("%s/%.*s%s", zones_directory(),
	                             2 * (int)(atomic_fetch_add(&count, 1) % 8), "./././././././",
	                             name);
	GTimeZone *read = g_time_zone_new_identifier(path);

	g_free(path);
	return read;
}

zone *
zone_open(const char *name, limen_value where, limen_diag *diag)
{
	bool local = strcmp(name, "local") == 0;
	bool utc = strcmp(name, "UTC") == 0; /* known without a database */
	zone *self;

	if (local ? !check_local(where, diag) : !utc && !is_name(name) && !reject(diag, where, name))
		return NULL;
	self = g_new0(zone, 1);
	if (local)
		return self;
	self->named = utc ? g_time_zone_new_utc() : read_zone(name);
	if (self->named != NULL)
		return self;
	reject(diag, where, name);
	g_free(self);
	return NULL;
}

void
zone_close(zone *self)
{
	if (self != NULL && self->named != NULL)
		g_time_zone_unref(self->named);
	g_free(self);
}

static int64_t
to_seconds(limen_time time)
{
	return time / LIMEN_SECOND - (time % LIMEN_SECOND < 0 ? 1 : 0);
}

int32_t
zone_offset(const zone *self, limen_time time)
{
	limen_timestamp local;
	int interval;

	if (self->named == NULL) {
		limen_timestamp_local(time, &local);
		return local.offset;
	}
	interval = g_time_zone_find_interval(self->named, G_TIME_TYPE_UNIVERSAL, to_seconds(time));
	return g_time_zone_get_offset(self->named, interval);
}

limen_time
zone_change(const zone *self, limen_time start, limen_time end)
{
	int32_t offset = zone_offset(self, start);
	limen_time same = start;
	limen_time other = start;

	while (other < end && zone_offset(self, other) == offset) {
		same = other;
		other = end - other > WEEK ? other + WEEK : end;
	}
	if (zone_offset(self, other) == offset)
		return end + 1;
	/* Changes come with a second, which lies between the two. */
	while (to_seconds(other) - to_seconds(same) > 1) {
		limen_time middle = (to_seconds(same) + to_seconds(other)) / 2 * LIMEN_SECOND;

		if (zone_offset(self, middle) == offset)
			same = middle;
		else
			other = middle;
	}
	return to_seconds(other) * LIMEN_SECOND;
}
