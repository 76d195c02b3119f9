/* SPDX-License-Identifier: Apache-2.0 */
#include "../echo.h"

ECHO("LimitRanger");
