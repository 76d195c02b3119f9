# SPDX-License-Identifier: Apache-2.0
# Completion of command lines.  The names are those that each shell looks for.
if BASH_COMPLETION
dist_bashcompletion_DATA = programs/completions/bash/limen programs/completions/bash/limend
endif
if FISH_COMPLETION
dist_fishcompletion_DATA = programs/completions/fish/limen.fish \
	programs/completions/fish/limend.fish
endif
if ZSH_COMPLETION
dist_zshcompletion_DATA = programs/completions/zsh/_limen
endif
