# SPDX-License-Identifier: Apache-2.0
#
# Completion of limen for fish.  Commands, options and formats come from what limen
# says with --help, types from "limen explain", so that there is nothing here to keep
# up with them.

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
                set -a found $word
                test $word = module; and continue
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

# The words that the option $argv[1] takes; $argv[2] is what its help says.
function __limen_values
    switch $argv[1]
        case format
            string match -a -r '\b(?:text|json|markdown|schema|yaml|patch|review|github|dot|tap|svg|junit|html)\b' -- $argv[2]
        case log-format
            string join \n text json
        case log-level
            string join \n error warning info debug
        case color
            string join \n auto always never
        case messages
            string join \n full short
        case ui
            string join \n view playground
        case kind
            string join \n $__limen_kinds
        case phase
            string join \n mutate validate
        case failure-policy events-failure-policy
            string join \n Fail Ignore
    end
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
        if test -n "$parts[4]"
            set -l values (__limen_values $parts[3] $parts[5])
            if test -n "$values"
                set -a spec -x -a "$values"
            else
                set -a spec -r
            end
        end
        complete $spec
    end
end

type -q limen; or return
complete -c limen -f
__limen_register limen 'not __limen_command' (limen --help 2>/dev/null)
for line in (limen --help 2>/dev/null | sed -n '/^Commands:/,/^$/p')
    set -l parts (string match -r '^  ([a-z-]+) +(.*)$' -- $line)
    or continue
    complete -c limen -n 'not __limen_command' -a $parts[2] -d $parts[3]
    __limen_register limen "__limen_using $parts[2]" (limen $parts[2] --help 2>/dev/null)
end
for line in (limen module --help 2>/dev/null | sed -n '/^Commands:/,/^$/p')
    set -l parts (string match -r '^  ([a-z-]+) +(.*)$' -- $line)
    or continue
    complete -c limen -n '__limen_using module' -a $parts[2] -d $parts[3]
    __limen_register limen "__limen_using module $parts[2]" (limen module $parts[2] --help 2>/dev/null)
    complete -c limen -n "__limen_using module $parts[2]" -F
end
complete -c limen -n '__limen_using module new' -a "$__limen_kinds"
complete -c limen -n '__limen_using explain' -a '(__limen_types)'
complete -c limen -n '__limen_using new-module' -a "$__limen_kinds"
complete -c limen -n '__limen_using describe' -a 'limits namespace'
complete -c limen -n '__limen_using get' -a limits
for command in validate check suggest graph test replay describe get
    complete -c limen -n "__limen_using $command" -F
end
