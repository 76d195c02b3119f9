# SPDX-License-Identifier: Apache-2.0
"""Makes answers of a built-in plugin and of a webhook comparable."""
import re
from fractions import Fraction

SUFFIXES = {"n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 1000),
            "": Fraction(1), "k": Fraction(10**3), "M": Fraction(10**6), "G": Fraction(10**9),
            "T": Fraction(10**12), "Ki": Fraction(2**10), "Mi": Fraction(2**20),
            "Gi": Fraction(2**30), "Ti": Fraction(2**40)}
QUANTITY = re.compile(r"(?<= is )([0-9.]+)([A-Za-z]*)(?=[,.]|$)")
PREFIXES = (re.compile(r'^admission webhook "[a-z.]+" denied the request: '),
            re.compile(r'^[a-z]+ "[^"]*" is forbidden: '),
            re.compile(r'^[A-Za-z]+ "[^"]*" is invalid: '), re.compile("^Too many requests: "))
BEGIN = re.compile(r", (?=minimum |maximum |[a-z./-]+ max limit |limit reached |spec\.)")


def exact(found):
    """A total of 1.20 is in units of its own: 1572864k for 1536Mi."""
    return str(Fraction(found.group(1).rstrip(".")) * SUFFIXES[found.group(2)]) + \
        ("." if found.group(1).endswith(".") else "")


def causes(message):
    """The set of the violations in 'message', with numbers in one notation."""
    for prefix in PREFIXES:
        message = prefix.sub("", message)
    if message.startswith("[") and message.endswith("]"):
        message = message[1:-1]
    return frozenset(QUANTITY.sub(exact, one) for one in BEGIN.split(message))


def outcome(answer):
    """What became of a request: what is stored, or why it was refused."""
    status, body = answer
    if status != 201 and status != 200:
        return status, body.get("reason"), causes(body.get("message", ""))
    spec = body["spec"]
    if body["kind"] == "PersistentVolumeClaim":
        return status, spec["resources"]
    resources = {one["name"]: one["resources"]
                 for one in spec["containers"] + spec.get("initContainers", [])}
    return status, resources, body["metadata"].get("annotations", {}).get(
        "kubernetes.io/limit-ranger")
