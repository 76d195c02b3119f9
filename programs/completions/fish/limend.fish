# SPDX-License-Identifier: Apache-2.0
#
# Completion of limend for fish; that of limen knows how to read its help.
functions -q __limen_register; or source (status dirname)/limen.fish
type -q limend; or return
complete -c limend -f
__limen_register limend '' (limend --help 2>/dev/null)
