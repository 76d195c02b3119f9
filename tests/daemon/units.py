# SPDX-License-Identifier: Apache-2.0
"""What a unit of systemd forbids, as rules for confine.c."""
import errno
import functools
import socket
import subprocess

FLAGS = {"MemoryDenyWriteExecute": "memory", "RestrictNamespaces": "namespaces",
         "RestrictSUIDSGID": "setuid", "LockPersonality": "personality"}


def read_unit(*paths):
    """Returns what stands in [Service], a list for each key: an empty value begins it anew."""
    found = {}
    for path in paths:
        section = None
        with open(path) as file:
            for line in map(str.strip, file):
                if line.startswith("["):
                    section = line
                elif section == "[Service]" and line and line[0] not in "#;":
                    key, value = (part.strip() for part in line.split("=", 1))
                    found[key] = found.get(key, []) + [value] if value else [""]
    return found


@functools.lru_cache(None)
def expand(name):
    """Returns the system calls of a group, which may have groups in it."""
    if not name.startswith("@"):
        return frozenset([name])
    text = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    members = [line.strip() for line in text.splitlines() if line.startswith(" ")]
    return frozenset().union(*(expand(one) for one in members if not one.startswith("#")))


def expand_all(words):
    return frozenset().union(*(expand(word) for word in words))


def allowed_calls(lines):
    """Lines add to the list, or take from it; what all programs need is in it at first."""
    if not lines or lines[0].startswith("~"):
        raise ValueError("not a list of what is allowed: %r" % lines)
    found = expand("@default")
    for line in lines:
        if line.startswith("~"):
            found -= expand_all(line[1:].split())
        else:
            found |= expand_all(line.split())
    return found


def make_rules(unit, without=()):
    """The rules, less the system calls 'without'."""
    def one(key):
        return unit.get(key, [""])[-1]
    allowed = allowed_calls(unit["SystemCallFilter"]) - set(without)
    rules = ["refusal %d" % getattr(errno, one("SystemCallErrorNumber"), 0)]
    rules += ["allow " + name for name in sorted(allowed)]
    rules += ["refuse " + name for name in sorted(expand("@known") - allowed)]
    rules += ["family %d" % getattr(socket, name)
              for name in one("RestrictAddressFamilies").split()]
    rules += ["files " + one("LimitNOFILE"), "umask " + one("UMask")]
    if unit.get("CapabilityBoundingSet") == [""]:
        rules += ["flag capabilities"]
    # From here on filters can be added by anybody.
    if one("NoNewPrivileges") == "yes":
        rules += ["flag privileges"]
    rules += ["flag " + name for key, name in FLAGS.items() if one(key) == "yes"]
    return "\n".join(rules) + "\n"
