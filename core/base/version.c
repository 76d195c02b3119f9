/* SPDX-License-Identifier: Apache-2.0 */
/*
 * version.c - the version of the library that is loaded at run time.
 */
#include <limen/module.h>
#include <limen/version.h>

const char *
limen_version(unsigned *abi_major, unsigned *abi_minor)
{
	if (abi_major != NULL)
		*abi_major = LIMEN_ABI_MAJOR;
	if (abi_minor != NULL)
		*abi_minor = LIMEN_ABI_MINOR;
	return LIMEN_VERSION;
}
