# SPDX-License-Identifier: Apache-2.0
# core/option: modules' option tables and selectors.
core_sources += core/option/option_list.c
core_sources += core/option/option_object.c
core_sources += core/option/option_scalar.c
core_sources += core/option/options.c core/option/options.h
core_sources += core/option/options_check.c
core_sources += core/option/selector.c core/option/selector.h
core_sources += core/option/selector_match.c
core_sources += core/option/option.h
