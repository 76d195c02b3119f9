# SPDX-License-Identifier: Apache-2.0
"""Says what limend has to answer, by an engine in this process and the documents.

No test: soak.py asks it.  Standard input has the policies by name and, by name, the
questions: the path, what is sent, and whether it may be refused for a rate.  Standard
output has for each policy and question the forms that an answer may have: one, and
where a rate may refuse a second, the refusal.  A form is a list, one value a line.

An answer is put together here as docs/decision-service.md, docs/pscheduler-remote.md
and docs/webhook.md say, and by no code of limend.
"""
import base64
import json
import re
import sys

import limen

PATIENCE = 60
# All decisions are made at one time, so that no bucket gains anything.
NOW = 1800000000
MOST_TAKES = 10000
WARNING_MAX = 120
REASONS = {403: "Forbidden", 422: "Invalid", 429: "TooManyRequests", 500: "InternalError"}


def answer_question(engine, question):
    """POST /v1/decide, and a line of a batch."""
    decision = engine.decide(question["task"], hints=question.get("hints"), diagnostics=False,
                             time=NOW)
    known = {"id": question["id"]} if "id" in question else {}
    return decision, dict(known, **decision.as_dict())


def answer_passed(engine, question):
    """POST /v1/passed."""
    decision = engine.decide(question["task"], hints=question.get("hints"), prioritize=False,
                             diagnostics=False, time=NOW)
    assert not decision.patch, "no question here is one of a task that is rewritten"
    return decision, {"passed": decision.admitted, "message": decision.reason}


def read_fields(asked):
    """The envelope of a review, as a program that has no review gives it."""
    rows = {"uid": asked.get("uid"), "user": asked["userInfo"].get("username"),
            "subresource": asked.get("subResource")}
    for name in ("operation", "namespace", "name"):
        rows[name] = asked.get(name)
    for name in ("group", "version", "kind"):
        rows[name] = asked["kind"].get(name)
        rows["requested_" + name] = asked.get("requestKind", {}).get(name)
    for name in ("group", "version", "resource"):
        rows["resource_" + name if name != "resource" else name] = asked["resource"].get(name)
    return {name: text for name, text in rows.items() if text is not None}


def decide_review(engine, phase, asked):
    fields = read_fields(asked)
    hints = {name: fields[name] for name in ("user", "operation", "namespace", "resource")
             if name in fields}
    groups = asked["userInfo"].get("groups", [])
    return engine.decide(asked.get("object"), subject="object", hints=dict(hints, groups=groups),
                         fields=fields, groups=groups, old=asked.get("oldObject"), phase=phase,
                         dry_run=asked.get("dryRun", False), diagnostics=False, time=NOW)


def put_status(decision):
    messages = decision.messages
    told = messages[0] if len(messages) == 1 else "[%s]" % ", ".join(messages)
    if not messages or decision.code == 500:
        told = decision.reason
    status = {"status": "Failure", "code": decision.code, "reason": REASONS[decision.code],
              "message": told}
    return dict(status, details=decision.details) if decision.details else status


def answer_review(engine, phase, review):
    """POST /admission/mutate and /admission/validate."""
    decision = decide_review(engine, phase, review["request"])
    response = {"uid": review["request"]["uid"], "allowed": decision.admitted}
    if not decision.admitted:
        response["status"] = put_status(decision)
    elif decision.patch:
        text = json.dumps(decision.patch, separators=(",", ":"), ensure_ascii=False).encode()
        response["patchType"] = "JSONPatch"
        response["patch"] = base64.b64encode(text).decode()
    if decision.annotations:
        response["auditAnnotations"] = {re.sub("[^A-Za-z0-9._-]", "-", key): text
                                        for key, text in decision.annotations.items()}
    if decision.warnings:
        response["warnings"] = [one if len(one) <= WARNING_MAX else one[:WARNING_MAX - 3] + "..."
                                for one in decision.warnings]
    return decision, {"apiVersion": review["apiVersion"], "kind": "AdmissionReview",
                      "response": response}


def answer(engine, path, sent):
    """The last decision, and the lines of the answer."""
    if path == "/v1/decide/batch":
        found = [answer_question(engine, one) for one in sent]
    elif path == "/v1/decide":
        found = [answer_question(engine, sent)]
    elif path == "/v1/passed":
        found = [answer_passed(engine, sent)]
    else:
        found = [answer_review(engine, path.rsplit("/", 1)[1], sent)]
    return found[-1][0], [line for _, line in found]


def find_forms(policy, path, sent, limited):
    """In an engine of its own, whose buckets nobody else drains."""
    with limen.Engine() as engine:
        engine.load_text(json.dumps(policy))
        if not engine.wait_ready(PATIENCE):
            sys.exit("the engine is not ready")
        decision, lines = answer(engine, path, sent)
        forms = [lines]
        for _ in range(MOST_TAKES if limited else 0):
            if decision.code == 429:
                return forms + [lines]
            decision, lines = answer(engine, path, sent)
        if limited:
            sys.exit("no bucket refuses %s" % json.dumps(sent))
        return forms


def main():
    asked = json.load(sys.stdin)
    json.dump({letter: {name: find_forms(policy, *question)
                        for name, question in asked["questions"].items()}
               for letter, policy in asked["policies"].items()}, sys.stdout)


main()
