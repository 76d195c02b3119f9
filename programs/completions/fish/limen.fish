# SPDX-License-Identifier: Apache-2.0
#
# Completion of limen for fish.  Commands, options, their values and arguments come from
# what limen says with --help, types from "limen explain", so that there is nothing here to
# keep up with them.

set -g __limen_kinds identifier rewriter limit admission prioritizer store

function __limen_command
    set -l words (commandline -opc)
    set -e words[1]
    set -l skip 0
    set -l found
    for word in $words
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch $word
            case --module-path --color
                set skip 1
            case '-*'
            case '*'
                test "$found" != suggest -o $word = limits; and set -a found $word
                test "$found" = module -o "$found" = suggest; and continue
                string join ' ' $found
                return 0
        end
    end
    set -q found[1]; or return 1
    echo $found
end

function __limen_using
    test (__limen_command; or echo '') = "$argv"
end

function __limen_types
    string join \n $__limen_kinds
    limen explain 2>/dev/null | string match -r '^[^ ]+/[^ ]+'
end

# The words that the help of an option lists, such as "auto, always or never".
function __limen_listed
    echo $argv | sed 's/ *([^)]*)//g' | string match -r '[A-Za-z]+(?:(?:,? or|,) [A-Za-z]+)+' |
        string replace -ar ',? or |, ' \n
end

# Registers the options of a program or, with a condition, of one of its commands.
function __limen_register
    set -l program $argv[1]
    set -l condition $argv[2]
    set -l help $argv[3..]
    for line in $help
        set -l parts (string match -r '^  (-[A-Za-z], |)--([a-z-]+)(=[^ ]+|) +(.*)$' -- $line)
        or continue
        # Alternatives, as fish leaves out groups that do not take part.
        set -l spec -c $program -l $parts[3] -d $parts[5]
        test -z "$condition"; or set -a spec -n $condition
        test -z "$parts[2]"; or set -a spec -s (string sub -s 2 -l 1 -- $parts[2])
        switch "$parts[4]"
            case ''
            case =DIR =DIRS
                set -a spec -x -a '(__fish_complete_directories)'
            case '=PATH*' '*FILE*'
                set -a spec -r -F
            case '*'
                set -a spec -x
                set -l values (__limen_listed $parts[5])
                string match -qr 'FORMAT|HOW|LEVEL|MODE|PHASE|POLICY|WHAT|WHEN' -- $parts[4]
                and test -n "$values"; and set -a spec -a "$values"
        end
        complete $spec
    end
end

# Registers the arguments of a command, by its usage in its help.
function __limen_register_arguments
    set -l name $argv[1]
    set -l condition "__limen_using $name"
    set -l usage (string match -rg '^  limen .*\[OPTION\.\.\.\](.*)' -- $argv[2..])
    set -l words (string match -ar '\b[a-z]+\b' -- $usage)
    test $name = suggest; and set words events limits
    test -n "$words"; and complete -c limen -n $condition -a "$words"
    switch "$usage"
        case '*KIND/*'
            complete -c limen -n $condition -a '(__limen_types)'
        case '*KIND*'
            complete -c limen -n $condition -a "$__limen_kinds"
        case '*FILE*' '*LOG*' '*POLICY*' '*REQUEST*'
            complete -c limen -n $condition -F
    end
end

# Registers the commands that a help lists, with their options; $argv[1] is what stands before them.
function __limen_register_commands
    set -l before $argv[1]
    for line in (limen $before --help 2>/dev/null | sed -n '/^Commands:/,/^$/p')
        set -l parts (string match -r '^  ([a-z-]+) +(.*)$' -- $line)
        or continue
        set -l condition 'not __limen_command'
        test -n "$before"; and set condition "__limen_using $before"
        complete -c limen -n $condition -a $parts[2] -d $parts[3]
        __limen_register_command $before $parts[2]
    end
end

function __limen_register_command
    set -l help (limen $argv --help 2>/dev/null)
    __limen_register limen "__limen_using $argv" $help
    __limen_register_arguments "$argv" $help
end

type -q limen; or return
complete -c limen -f
__limen_register limen 'not __limen_command' (limen --help 2>/dev/null)
__limen_register_commands
__limen_register_commands module
__limen_register_command suggest limits
__limen_register_command new-module
