/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ui_assets.h - the files of the console (programs/limend/ui), compiled into the program, so
 * that no files need to be installed or read at run time.
 */
#ifndef LIMEND_UI_ASSETS_H
#define LIMEND_UI_ASSETS_H

#include <stddef.h>

typedef struct ui_asset {
	const char *name; /* "app.js"; NULL ends the table */
	const unsigned char *bytes;
	size_t length;
} ui_asset;

extern const ui_asset ui_assets[];

#endif
