# SPDX-License-Identifier: Apache-2.0
# core/scalar: numbers, quantities, dates, durations, addresses, CIDR sets.
core_sources += core/scalar/address.c
core_sources += core/scalar/calendar.c core/scalar/calendar.h
core_sources += core/scalar/cidr_range.c core/scalar/cidr_range.h
core_sources += core/scalar/cidr_set.c
core_sources += core/scalar/decimal.c core/scalar/decimal.h
core_sources += core/scalar/duration.c
core_sources += core/scalar/fraction.c core/scalar/fraction.h
core_sources += core/scalar/number.c core/scalar/scalar.h
core_sources += core/scalar/quantity.c
core_sources += core/scalar/quantity_add.c
core_sources += core/scalar/quantity_compare.c
core_sources += core/scalar/quantity_parse.c
core_sources += core/scalar/quantity_print.c
core_sources += core/scalar/quantity_ratio.c
core_sources += core/scalar/quantity_round.c
core_sources += core/scalar/si.c
core_sources += core/scalar/timestamp.c
core_sources += core/scalar/uri_path.c
core_sources += core/scalar/cidr_table.h
core_sources += core/scalar/quantity.h
