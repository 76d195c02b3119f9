/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conf_files.h - reads the files of a policy and sorts them into sections; compile_*.c
 * interprets the sections.
 *
 * Arrays of several files are joined in byte order of the file names; what may
 * stand only once is checked here.  Everything is kept as values that know
 * their place.
 */
#ifndef LIMEN_CORE_CONF_CONF_FILES_H
#define LIMEN_CORE_CONF_CONF_FILES_H

#include "base/arena.h"
#include "document/document.h"

typedef enum section {
	SECTION_SCHEMA,
	SECTION_IDENTIFIERS,
	SECTION_CLASSIFIERS,
	SECTION_REWRITE,
	SECTION_LIMITS,
	SECTION_APPLICATIONS,
	SECTION_PRIORITY,
	SECTION_STORES,
	SECTION_MODULES,
	SECTION_SETTINGS,
	SECTION_ADMISSION,
	SECTION_APPLICATIONS_ON,
	SECTION_ADMISSION_ON,
	SECTION_TEMPLATES,
	SECTION_COUNT
} section;

/* A value of a section, and the root of the file that has it. */
typedef struct conf_item {
	limen_value key;   /* members of an object section: the key; else none */
	limen_value value;
	limen_value root;
} conf_item;

typedef struct conf_list {
	conf_item *items;
	size_t count;
	size_t capacity;
} conf_list;

/* Plugins of kube-apiserver whose own configuration a policy may hold. */
typedef enum manifest_plugin {
	MANIFESTS_LIMIT_RANGER,
	MANIFESTS_EVENT_RATE_LIMIT,
	MANIFESTS_COUNT
} manifest_plugin;

typedef struct conf_file {
	char *name;     /* as named */
	uint64_t hash;  /* of its contents; 0: it could not be read */
	size_t entries; /* how many entries and manifests it has */
} conf_file;

typedef struct conf {
	document **documents;
	size_t document_count;
	limen_value off; /* "enabled" of the first file that is turned off */
	size_t off_count;
	conf_list sections[SECTION_COUNT];
	conf_list manifests[MANIFESTS_COUNT]; /* conf_manifests.h */
	conf_list named; /* paths of files that AdmissionConfigurations name */
	conf_file *files; /* read, in order */
	size_t file_count;
	size_t own_count; /* of them, not named by an AdmissionConfiguration */
	bool is_foreign; /* written or chosen by others: LIMEN_ENGINE_FOREIGN_POLICIES */
} conf;

/*
 * Returns how much of the name of the file that holds 'value' is its directory, the slash
 * included: what relative paths in it are relative to.
 */
size_t conf_directory(limen_value value);

/* 'path' as seen from the file that holds 'value', which names it; NULL: no memory. */
const char *conf_resolve(arena *memory, limen_value value, const char *path);

/* The key of a section in a file. */
const char *section_name(section which);

/* The schema version that first had 'which'; 0 for limen's own sections. */
int section_since(section which);

/*
 * Reads the files and directories 'paths', ended by NULL, in this order.  Problems go to 'diag',
 * which must not be NULL: '*result' is LIMEN_OK only if there were none.  Returns a conf for
 * conf_free(), also when there were problems, or NULL when memory is short.
 */
conf *conf_read_paths(const char *const *paths, int *result, limen_diag *diag);

/* As conf_read_paths(), from text. */
conf *conf_read_text(const char *name, const char *text, size_t length, int *result,
                     limen_diag *diag);

void conf_free(conf *files);

/* The schema version in force: what the files say, or the newest. */
int conf_schema(const conf *files);

#define SCHEMA_NEWEST 4

/* Sorts one document into sections (conf_sections.c); false when memory is short. */
bool conf_add_document(conf *files, document *doc, limen_diag *diag);

/* Takes over 'doc' to live as long as 'files'; false when memory is short. */
bool conf_keep_document(conf *files, document *doc);

bool conf_list_add(conf_list *list, limen_value key, limen_value value, limen_value root);

/*
 * Reads the file 'path', which counts as one of the policy's from then on.
 * '*documents' is an array of '*count' documents, both the caller's.
 */
int conf_read_file(conf *files, const char *path, document ***documents, size_t *count,
                   limen_diag *diag);

/*
 * Warns of each file of 'files' that has no entries but had some in 'old'.
 */
void conf_warn_emptied(const conf *files, const conf *old, limen_diag *diag);

/* Are the files of both the same, with the same contents? */
bool conf_equal(const conf *a, const conf *b);

/* The hint for a missing module.  The library reads no environment: programs pass its path. */
#define MODULE_PATH_HINT "name the directory in --module-path, or in module_path of your own program"

/*
 * Drops module directories of files that all users may change, or that strangers own in a
 * directory where all users may put files; reports a problem for each such file.
 */
void conf_check_modules(conf *files, limen_diag *diag);

/* Drops all module directories and reports a problem; returns false if there are none. */
bool conf_refuse_modules(conf *files, limen_diag *diag);

/* Checks what needs all files: versions, sections that stand once. */
void conf_check(conf *files, limen_diag *diag);

#endif
