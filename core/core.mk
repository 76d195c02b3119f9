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
EXTRA_DIST += core/rooms

core_iquote = -iquote $(top_srcdir)/core \
	-iquote $(top_srcdir)/core/base \
	-iquote $(top_srcdir)/core/scalar \
	-iquote $(top_srcdir)/core/pattern \
	-iquote $(top_srcdir)/core/document \
	-iquote $(top_srcdir)/core/reader \
	-iquote $(top_srcdir)/core/file \
	-iquote $(top_srcdir)/core/host \
	-iquote $(top_srcdir)/core/option \
	-iquote $(top_srcdir)/core/conf \
	-iquote $(top_srcdir)/core/module \
	-iquote $(top_srcdir)/core/policy \
	-iquote $(top_srcdir)/core/decision \
	-iquote $(top_srcdir)/core/engine
