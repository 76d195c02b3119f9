/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant_text.c - looks for an address in the read-only segments of the program and its
 * libraries, through dl_iterate_phdr().
 */
#include "constant_text.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>

typedef struct search {
	uintptr_t address;
	bool constant;
} search;

static int
look_into(struct dl_phdr_info *object, size_t size, void *data)
{
	search *wanted = data;

	(void)size;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t start = object->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD && wanted->address >= start &&
		    wanted->address - start < part->p_memsz) {
			wanted->constant = (part->p_flags & PF_W) == 0;
			return 1;
		}
	}
	return 0;
}

bool
is_constant_text(const char *text)
{
	search wanted = { .address = (uintptr_t)text };

	dl_iterate_phdr(look_into, &wanted);
	return wanted.constant;
}
