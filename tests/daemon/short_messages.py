# SPDX-License-Identifier: Apache-2.0
"""--messages=short: requesters are told what was decided, and the decision log has why."""
import urllib.parse

from kit import *

# All names and texts of it have "zz" in them, and so has what its scripts say.
POLICY = {
    "schema": 4,
    "identifiers": [
        {"name": "zz-friend", "description": "zz", "type": "ip-cidr-list",
         "data": {"cidrs": ["192.0.2.0/24"]}}],
    "classifiers": [{"name": "zz-friends", "description": "zz", "identifiers": ["zz-friend"]}],
    "rewrite": {"script": 'if .test.spec.stretch then .test.spec.d = 1 | change("zz-d") else . end'},
    "priority": {"script": 'set(.test.spec.p; "zz-p")'},
    "limits": [
        {"name": "zz-good", "description": "zz", "type": "jq",
         "data": {"script": 'if .test.spec.bad then "zz-bad" else true end'}},
        {"name": "zz-few", "description": "zz", "type": "rate",
         "data": {"rate": "1/PT10H", "burst": 2, "key": ["requester"]}}],
    "applications": [{"description": "zz-application", "classifier": "zz-friends",
                      "apply": [{"require": "all", "limits": ["zz-good", "zz-few"]}]}],
    "admission": [
        {"name": "zz-sizes", "plugin": "LimitRanger", "data": {"manifests": [
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "zz-range"},
             "spec": {"limits": [{"type": "Container", "max": {"cpu": "2"},
                                  "default": {"cpu": "1"}}]}}]}},
        {"name": "zz-audit", "plugin": "LimitRanger", "enforce": "audit", "data": {"manifests": [
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "zz-trial"},
             "spec": {"limits": [{"type": "Container", "max": {"memory": "1Gi"}}]}}]}},
        {"name": "zz-events", "plugin": "EventRateLimit", "retryAfter": True,
         "data": {"limits": [{"type": "User", "qps": 1, "burst": 1}]}},
        {"name": "zz-broken", "plugin": "chain", "match": {"resources": ["configmaps"]},
         "data": {"validate": "error", "reason": "zz-broken"}}],
}
MODULES = ["--module-path", os.environ["LIMEN_MODULE_PATH"] + ":" +
           os.path.join(os.environ["LIMEN_BUILDDIR"], "tests/modules")]
JSON = ["Content-Type: application/json"]
CURIOUS = {"diagnostics": True, "explain": True}


def pod(cpu, memory="1Gi"):
    resources = {"limits": {"cpu": cpu, "memory": memory}, "requests": {"cpu": cpu, "memory": memory}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default"},
            "spec": {"containers": [{"name": "c", "image": "i", "resources": resources if cpu else {}}]}}


def review(uid, made, resource="pods", user="ann"):
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": uid, "kind": {"group": "", "version": "v1", "kind": made["kind"]},
        "resource": {"group": "", "version": "v1", "resource": resource}, "name": "p",
        "namespace": "default", "operation": "CREATE",
        "userInfo": {"username": user, "groups": ["staff"]}, "object": made}}


def question(spec, requester="192.0.2.7", **more):
    return dict({"task": {"schema": 1, "test": {"type": "rtt", "spec": spec}},
                 "hints": {"requester": requester}}, **more)


class Asked:
    """A daemon whose every answer is looked through for what comes from the policy."""

    def __init__(self, *options):
        self.daemon = Daemon("--trust-hints-from", "127.0.0.0/8", *MODULES, *options,
                             program=LIMEND, policy=POLICY)
        self.told = []

    def send(self, method, path, body=None, headers=JSON):
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        with self.daemon.connect() as connection:
            connection.sendall(request(method, path, body, headers))
            text = b""
            while True:
                part = connection.recv(65536)
                text += part
                head, _, rest = text.partition(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: (\d+)", head)
                if not part or (length and len(rest) >= int(length.group(1))):
                    break
        self.told.append((path, body, text))
        head, _, rest = text.partition(b"\r\n\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:])
        return Answer(int(head.split()[1]), headers, rest.decode())

    def post(self, path, body):
        return self.send("POST", path, body)

    def lines(self, log, count):
        """The lines of the log, once there are as many."""
        def read():
            with open(log) as file:
                text = file.read()
            return text.splitlines() if text.count("\n") >= count else None
        return [json.loads(line) for line in wait_for(read) or []]


def passed(asked, spec, more=""):
    task = json.dumps({"test": {"type": "rtt", "spec": spec}})
    return asked.send("GET", "/v1/passed?requester=192.0.2.9&task=%s%s" %
                      (urllib.parse.quote(task), more), None, [])


log = os.path.join(work, "decisions")
short = Asked("--messages=short", "--decision-log", log, "--ui", "playground")
if not is_true("limend listens", short.daemon.urls, short.daemon.said()):
    finish()
is_true("nothing is lost, so nothing is warned of", "kept nowhere" not in short.daemon.said(),
        short.daemon.said())

# ---- what is told ----

FULL = ["admitted", "code", "reason", "messages", "diagnostics", "identifiers", "classifiers",
        "priority", "rewritten", "patch", "warnings", "retry_after"]
answer = short.post("/v1/decide", question({}, id="mine", **CURIOUS))
is_equal("admitted", answer.json(), dict(zip(FULL, [
    True, 200, "admitted", [], None, [], [], 0,
    {"schema": 1, "test": {"type": "rtt", "spec": {}}}, [], [], None]), id="mine"))
answer = short.post("/v1/decide", question({"p": 7}, run=True))
is_equal("a priority", answer.json()["priority"], 7)
answer = short.post("/v1/decide?status=verdict", question({}, **CURIOUS))
found = answer.json()
is_true("too many: when to come back", answer.status == 429 and found["code"] == 429 and
        found["retry_after"] > 30000 and int(answer.headers["retry-after"]) > 30000 and
        found["reason"] == "too many requests, try again later", answer)
made_id = found["id"]
is_true("a name to find it by", len(made_id) == 36, found)
found = short.post("/v1/decide", question({"bad": 1}, "192.0.2.8", id=8, **CURIOUS)).json()
is_equal("refused", found, dict(zip(FULL, [
    False, 403, "refused by the policy", [], None, [], [], None, None, None, [], None]), id=8))
found = short.post("/v1/decide", question({}, "nonsense", id="?")).json()
is_equal("cannot tell", (found["code"], found["reason"]), (500, "cannot be decided now"))
found = short.post("/v1/decide", {"object": pod("3"), "user": "ann", "id": "o", **CURIOUS}).json()
is_equal("an object", (found["code"], found["reason"], found["patch"], sorted(found)),
         (403, "refused by the policy", None, sorted(FULL + ["id"])))
found = short.post("/v1/decide/batch", [question({"bad": 1}, "192.0.2.8", id="b1", **CURIOUS), 7,
                                        question({"stretch": 1}, "192.0.2.8", id="b2")]).json()
is_equal("a batch", ([one.get("reason") for one in found], found[1]["error"]["code"],
                     found[2]["rewritten"]["test"]["spec"]),
         (["refused by the policy", None, "admitted"], 400, {"stretch": 1, "d": 1}))
answer = short.send("POST", "/v1/decide/batch", json.dumps(
    question({"bad": 1}, "192.0.2.8", id="b3", **CURIOUS)).encode(),
                    ["Content-Type: application/x-ndjson"])
is_equal("a batch of lines", answer.json()["reason"], "refused by the policy")
answers = [passed(short, {}), passed(short, {"bad": 1}), passed(short, {"bad": 1}, "&status=verdict"),
           passed(short, {"stretch": 1})]
is_equal("yes or no", [(one.status, one.json()["passed"], one.json()["message"]) for one in answers],
         [(200, True, "admitted"), (200, False, "refused by the policy"),
          (404, False, "refused by the policy"),
          (200, False, "the task would pass only after it was rewritten")])
passed_id = answers[1].json()["id"]
answer = short.send("GET", "/v1/passed?requester=nonsense&task=%7B%22test%22:%7B%22type%22:%22rtt%22%7D%7D",
                    None, [])
unknown_id = answer.json().get("id")
is_equal("neither", (answer.status, answer.json()["message"], len(unknown_id or "")),
         (500, "cannot be decided now", 36))

event = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e", "namespace": "default"}}
config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "p", "namespace": "default"}}
reviews = {
    "r-yes": review("r-yes", pod("1")), "r-no": review("r-no", pod("3")),
    "r-event": review("r-event", event, "events"), "r-many": review("r-many", event, "events"),
    "r-broken": review("r-broken", config, "configmaps")}
told = {uid: short.post("/admission/validate", made).json()["response"] for uid, made in reviews.items()}
is_equal("reviews that pass", [told[uid] for uid in ("r-yes", "r-event")],
         [{"uid": uid, "allowed": True} for uid in ("r-yes", "r-event")])
is_equal("one that does not", told["r-no"], {"uid": "r-no", "allowed": False, "status": {
    "status": "Failure", "code": 403, "reason": "Forbidden", "message": "refused by the policy"}})
is_equal("one too many", told["r-many"], {"uid": "r-many", "allowed": False, "status": {
    "status": "Failure", "code": 429, "reason": "TooManyRequests",
    "message": "too many requests, try again later", "details": {"retryAfterSeconds": 1}}})
is_equal("one that cannot be told", told["r-broken"], {"uid": "r-broken", "allowed": False, "status": {
    "status": "Failure", "code": 500, "reason": "InternalError", "message": "cannot be decided now"}})
found = short.post("/admission/mutate", review("r-m", pod("3"))).json()["response"]
is_true("a mutation", found["allowed"] is True and "warnings" not in found, found)

faults = [short.send("POST", "/v1/decide", body).status for body in
          (b"{", b"[]", b'{"tsak":1}', b'{"task":1}', b'{"task":{},"hints":1}', b"\xff", b"")]
faults += [short.send("POST", path, b'{"kind":1}').status
           for path in ("/admission/validate", "/admission/mutate", "/v1/passed")]
faults += [short.send("GET", "/v1/passed?x=1").status, short.send("GET", "/v1/decide").status,
           short.send("POST", "/v1/decide", question({}), ["Content-Type: text/plain"]).status]
is_equal("faults are told as ever", faults, [400] * 11 + [405, 415])

leaks = [one for one in short.told if b"zz" in one[2]]
is_true("no answer names anything of the policy", len(short.told) > 30 and not leaks, leaks)
found = short.post("/admission/validate", review("r-audit", pod("1", "2Gi"))).json()["response"]
is_true("but annotations for the log of the API server do", found["allowed"] is True and
        "warnings" not in found and "maximum memory" in found["auditAnnotations"]["zz-audit"], found)
found = short.post("/ui/try", question({"bad": 1}, **CURIOUS)).json()
is_true("the playground tells those who are trusted", "zz-bad" in found["reason"] and found["trace"] and
        "zz-application" in found["diagnostics"], found)

# ---- what is kept ----

lines = short.lines(log, 21)
by_id = {line.get("id"): line for line in lines}
by_uid = {line.get("uid"): line for line in lines if "uid" in line}
is_equal("every decision is a line, and only those", len(lines), 21)
is_true("each has a name that its answer has",
        {"mine", made_id, 8, "?", "o", "b1", "b2", "b3", passed_id, unknown_id} <= set(by_id) and
        set(reviews) | {"r-m", "r-audit"} == set(by_uid), (list(by_id), list(by_uid)))
line = by_id.get(8, {})
kept = line.get("kept_back", {})
is_true("why a task was refused", "zz-bad" in line.get("reason", "") and
        line.get("identifiers") == ["zz-friend"] and "Application: zz-application" in kept["diagnostics"] and
        [one["name"] for one in kept["trace"]] == ["zz-friend", "rewrite", "zz-good", "zz-few"] and
        kept["trace"][2]["reason"] == "zz-bad", line)
for name, line in ("too many", by_id.get(made_id)), ("yes or no", by_id.get(passed_id)), \
        ("of a batch", by_id.get("b1")), ("of a line of a batch", by_id.get("b3")):
    is_true("why: " + name, "zz-application" in line["kept_back"]["diagnostics"], line)
line = by_uid.get("r-no", {})
kept = line.get("kept_back", {})
is_true("why a pod was refused", "maximum cpu" in kept["violations"][0]["message"] and
        "zz-range" in kept["violations"][0]["detail"] and
        "zz-range" in kept["warnings"][0] and "zz-range" in kept["trace"][0]["notes"][0], line)
line = by_uid.get("r-broken", {})
is_true("and what broke", "zz-broken" in json.dumps(line["kept_back"]["trace"]), line)
kept = by_uid["r-audit"]["kept_back"]
is_true("and a trial", "maximum memory" in kept["annotations"]["zz-audit"] and
        "zz-trial" in kept["warnings"][0], kept)
is_equal("it ends", short.daemon.end(), 0)

# ---- in other ways ----

log = os.path.join(work, "hidden")
hidden = Asked("--messages=short", "--decision-log", log, "--decision-log-redact", "peer,user:hash,name")
hidden.post("/v1/decide", question({"bad": 1}, "192.0.2.77", id=1))
hidden.post("/admission/validate", review("r", dict(event, metadata={"name": "secretname"}), "events",
                                          "secretuser"))
hidden.post("/admission/validate", review("r", dict(event, metadata={"name": "secretname"}), "events",
                                          "secretuser"))
lines = hidden.lines(log, 3)
text = json.dumps(lines)
is_true("what the log hides is hidden there, too", len(lines) == 3 and "secret" not in text and
        "192.0.2.77" not in text and "127.0.0.1" not in text, text)
is_true("and so is all that could quote it",
        not any("kept_back" in line or "reason" in line for line in lines), text)
is_equal("no leak of that one", [one for one in hidden.told if b"zz" in one[2]], [])
hidden.daemon.end()

alone = Asked("--messages", "short")
is_true("without a log a warning says so",
        alone.daemon.says("warning --messages=short without --decision-log: why something is refused "
                          "is logged nowhere", 5), alone.daemon.said())
found = alone.post("/v1/decide", question({"bad": 1}, **CURIOUS)).json()
is_equal("and there is nothing to find", found, dict(zip(FULL, [
    False, 403, "refused by the policy", [], None, [], [], None, None, None, [], None])))
alone.daemon.end()

strangers = Daemon("--messages=short", "--ui", "playground", *MODULES, program=LIMEND,
                   policy=POLICY)
answer = ask(strangers, request("POST", "/ui/try", json.dumps(dict(
    {"task": {"test": {"type": "rtt", "spec": {}}}}, **CURIOUS)).encode(), JSON))
is_true("the playground tells others what was decided", answer.status == 200 and
        answer.json()["reason"] == "refused by the policy" and "zz" not in answer.body and
        "trace" not in answer.json(), answer)
strangers.end()

log = os.path.join(work, "full")
full = Asked("--messages=full", "--decision-log", log)
found = full.post("/v1/decide", question({"bad": 1}, id=1, **CURIOUS)).json()
is_true("--messages=full tells all", "zz-bad" in found["reason"] and
        "zz-application" in found["diagnostics"] and found["trace"], found)
found = full.post("/admission/validate", review("r", pod("3"))).json()["response"]
is_true("of reviews, too", found["status"]["details"]["causes"] and found["warnings"], found)
lines = full.lines(log, 2)
is_true("and the log has no more than before", len(lines) == 2 and
        not {"id", "identifiers", "kept_back"} & (set(lines[0]) | set(lines[1])), lines)
full.daemon.end()
finish()
