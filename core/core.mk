# SPDX-License-Identifier: Apache-2.0
# Sources of liblimen: one folder a room, in the order of core/rooms.
include $(top_srcdir)/core/base/room.mk
include $(top_srcdir)/core/scalar/room.mk
include $(top_srcdir)/core/pattern/room.mk
include $(top_srcdir)/core/document/room.mk
include $(top_srcdir)/core/reader/room.mk
include $(top_srcdir)/core/file/room.mk
include $(top_srcdir)/core/host/room.mk
include $(top_srcdir)/core/option/room.mk
include $(top_srcdir)/core/conf/room.mk
include $(top_srcdir)/core/module/room.mk
include $(top_srcdir)/core/policy/room.mk
include $(top_srcdir)/core/decision/room.mk
include $(top_srcdir)/core/engine/room.mk
include $(top_srcdir)/core/question/room.mk
EXTRA_DIST += core/rooms

core_iquote = -iquote $(top_srcdir)/core
