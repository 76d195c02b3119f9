# SPDX-License-Identifier: Apache-2.0
"""By whom EventRateLimit told events apart is in the decision log, so that replay and suggest do the same."""
from kit import *

POD = {"kind": "Pod", "namespace": "n", "name": "p"}


def core(own=None, component=None, instance=None, about="involvedObject", **more):
    return form("v1", own, "source", about, "reportingComponent", component, instance, more)


def new(own=None, controller=None, instance=None, about="regarding", **more):
    return form("events.k8s.io/v1", own, "deprecatedSource", about, "reportingController", controller,
                instance, more)


def form(version, own, source_key, about, reporter_key, reporter, instance, more):
    event = {"apiVersion": version, "kind": "Event", "metadata": {"name": "e", "namespace": "n"},
             about: POD, "type": "Normal", "reason": "R",
             source_key: own, reporter_key: reporter, "reportingInstance": instance, **more}
    return {key: value for key, value in event.items() if value is not None}


# Event, and what the log says of its source and, where that is empty, of its reporter.
EVENTS = [
    (core({}, "ctl-a", "host-a"), "/", "ctl-a/host-a"),
    (core({}, "ctl-b", "host-b"), "/", "ctl-b/host-b"),
    (core({"component": "", "host": ""}, "ctl-b", "host-c"), "/", "ctl-b/host-c"),
    (core({"component": "ctl-a"}, "other", "host-a"), "ctl-a/", None),
    (core({"host": "host-a"}, "other"), "/host-a", None),
    (core(None, "ctl/d"), "/", "ctl%2Fd/"),
    (core(None, None, "host-e"), "/", "/host-e"),
    (core(None, reportingController="not-of-this-form"), "/", None),
    (core({}, deprecatedSource={"component": "not-of-this-form"}), "/", None),
    (core({}), "/", None),
    (new(None, "ctl-f", "host-f"), "/", "ctl-f/host-f"),
    (new({"component": "old", "host": "host-g"}, "ctl-f", "host-f"), "old/host-g", None),
    (new({}, "ctl-a", "host-a"), "/", "ctl-a/host-a"),
    (new(None, source={"component": "not-of-this-form"}), "/", None),
    (new(None, reportingComponent="not-of-this-form"), "/", None),
]


def review(event):
    group = event["apiVersion"].rpartition("/")[0]
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u-1", "kind": {"group": group, "version": "v1", "kind": "Event"},
        "resource": {"group": group, "version": "v1", "resource": "events"}, "name": "e",
        "namespace": "n", "operation": "CREATE", "userInfo": {"username": "ann"}, "object": event}}


def policy(groups):
    return {"schema": 4, "admission": [
        {"name": "events", "plugin": "EventRateLimit", "data": {
            "groups": groups, "limits": [{"type": "SourceAndObject", "qps": 1, "burst": 1}]}}]}


def told(command, *options):
    done = subprocess.run([os.environ["LIMEN"], command, "--format", "json", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, {"error": done.stdout + done.stderr}


def record(groups, *options):
    """Returns where the log is, and its lines."""
    log = os.path.join(work, "-".join(("decisions", groups, *options)))
    limend = Daemon("--decision-log", log, "--module-path", os.environ["LIMEN_MODULE_PATH"], *options,
                    program=LIMEND, policy=policy(groups))
    if not is_true("limend listens", limend.urls, limend.said()):
        finish()
    for event, _, _ in EVENTS:
        ask(limend, request("POST", "/admission/validate", json.dumps(review(event)).encode(),
                            ["Content-Type: application/json"]))
    is_equal("it ends", limend.end(), 0)
    with open(log) as file:
        return log, [json.loads(line) for line in file]


def keys(*files):
    status, found = told("suggest", *files)
    kinds = {one["type"]: one["keys"] for one in found.get("types", [])}
    return status, kinds.get("SourceAndObject")


apart = len({reporter or source for _, source, reporter in EVENTS})
for groups in "both", "core":
    log, lines = record(groups)
    is_equal(f"{groups}: all of it is recorded", len(lines), len(EVENTS))
    for line, (event, source, reporter) in zip(lines, EVENTS):
        said = line["event"]
        is_equal(f"{groups}: {source}, {reporter}", (said["source"], said.get("reporter"), said["object"]),
                 (source, reporter, "Pod/n/p//"))
    status, found = told("replay", "--policy", write("same.conf", policy(groups)), log)
    is_equal(f"{groups}: the same policy decides the same",
             (status, found.get("changed"), found.get("decided")), (0, 0, len(EVENTS))) or print("#", found)
    is_equal(f"{groups}: as many keys are proposed for", keys(log), (0, apart))
    refused = [line["verdict"] for line in lines].count("refused")
    is_true(f"{groups}: some were refused", 0 < refused < len(EVENTS), refused)

recorded = write("recorded.json", {"items": [dict(event, eventTime="2026-01-01T00:00:00Z")
                                             for event, _, _ in EVENTS]})
is_equal("recorded events have as many", keys(recorded), (0, apart))
listed = [dict(event, eventTime="2026-01-01T00:00:00Z") for event, _, _ in EVENTS if "regarding" in event]
for event in listed:
    del event["apiVersion"]
is_equal("so have those of a list, which do not say their version",
         keys(write("listed.json", {"items": listed})), (0, 4))

# A source tells who sent the event, so it is hashed where the user is hidden.
EVENTS[:] = [(core({"component": "ann", "host": "host-a"}), None, None),
             (core({}, "ctl-a", "ann"), None, None), (core({}, "ctl-b", "annex"), None, None)]
_, lines = record("both", "--decision-log-redact", "user:hash")
sources = [line["event"]["source"] for line in lines]
reporters = [line["event"].get("reporter") for line in lines]
is_true("names of users are hidden there", "ann" not in json.dumps(sources + reporters) and
        all(one.startswith("hash:") for one in sources + reporters[1:]), (sources, reporters))
is_true("and sources differ as they did", sources[0] != sources[1] == sources[2] and
        reporters[0] is None and reporters[1] != reporters[2], (sources, reporters))
finish()
