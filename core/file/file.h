/* SPDX-License-Identifier: Apache-2.0 */
/* file.h - the face of this room: reading files and folders safely, watching them. */
#ifndef LIMEN_CORE_FILE_FILE_H
#define LIMEN_CORE_FILE_FILE_H

#include "file_identity.h"
#include "file_read.h"
#include "folder.h"
#include "trust.h"
#include "watched_dirs.h"
#include "writable.h"

#endif
