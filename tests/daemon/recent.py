# SPDX-License-Identifier: Apache-2.0
"""The decisions that limend keeps: GET /v1/recent counts and shows exactly what was not admitted."""
from recent_kit import *

# ---- exact counts, and they stay ----

daemon = start()
refused = [NAMESPACES[number % 18] for number in range(37)]
would = [NAMESPACES[8 + number] for number in range(12)]
bodies = ([review(name, memory="2Gi") for name in refused] + [review(name, cpu="3") for name in would])
bodies += [review(NAMESPACES[number % 20]) for number in range(10000 - len(bodies))]
send(daemon, bodies)
wanted = {name: (refused.count(name), would.count(name), 0) for name in NAMESPACES}
is_equal("10,000 reviews: counts by namespace", count_by_namespace(daemon), wanted)
found = recent(daemon, number=1000).json()
kinds = [one["verdict"] for one in found["decisions"]]
is_equal("all that were not admitted are kept", (kinds.count("refused"), kinds.count("would-refuse")), (37, 12))
is_true("and a few that were", 0 < kinds.count("admitted") <= 200, kinds)
is_equal("nothing fell out", found["lost"], {"refusals": 0, "admissions": 0})
is_true("the worst stands first", found["namespaces"][0]["refused"] == 3, found["namespaces"][0])
numbers = [one["number"] for one in found["decisions"]]
is_equal("the newest stands first", numbers, sorted(numbers, reverse=True))

one = recent(daemon, verdict="refused", namespace="team-3", number=1).json()["decisions"][0]
is_equal("a refusal", {key: one.get(key) for key in (
    "endpoint", "subject", "verdict", "namespace", "kind", "name", "controller", "user", "entry", "code", "enforce")},
    {"endpoint": "/admission/validate", "subject": "object", "verdict": "refused", "namespace": "team-3",
     "kind": "Pod", "name": "web-", "controller": "ReplicaSet/web", "user": "ann", "entry": "sizes",
     "code": 403, "enforce": "enforce"})
is_equal("says what would pass, and which rule says so", one["violations"], [
    {"field": "spec.containers[0].resources.limits[memory]",
     "reason": "maximum memory usage per Container is 1Gi, but limit is 2Gi",
     "rule": 'container "c": memory request 2Gi (given), limit 2Gi (given); LimitRange "mem" '
             'spec.limits[0].max is 1Gi'}])
one = recent(daemon, verdict="would-refuse", number=1).json()["decisions"][0]
is_true("a refusal that was only recorded", one["enforce"] == "audit" and one["entry"] == "trial" and
        one["code"] == 200, one)
is_equal("says it just so", one["violations"], [
    {"field": "spec.containers[0].resources.limits[cpu]",
     "reason": "maximum cpu usage per Container is 2, but limit is 3",
     "rule": 'container "c": cpu request 3 (given), limit 3 (given); LimitRange "cpu" spec.limits[0].max is 2'}])
is_equal("no document without --recent-documents", "document" in one, False)

# LIMEN_ADMISSIONS=100000 is the whole of it.
send(daemon, [review(NAMESPACES[number % 20]) for number in range(int(os.environ.get("LIMEN_ADMISSIONS", 5000)))])
is_equal("admissions push nothing out", count_by_namespace(daemon), wanted)
again = recent(daemon, number=1000, verdict="refused").json()["decisions"]
is_equal("not one refusal", len(again), 37)

# ---- filters ----

last = recent(daemon, number=1).json()["number"]
send(daemon, [review("x", "tmp-", ephemeral_storage="2Gi")])
news = recent(daemon, since=last, verdict="would-refuse").json()["decisions"]
is_true("since a number; a warning counts as well", len(news) == 1 and news[0]["entry"] == "hint" and
        news[0]["enforce"] == "warn" and "ephemeral-storage" in news[0]["violations"][0]["reason"] and
        not news[0]["violations"][0]["reason"].startswith("[") and
        'LimitRange "tmp" spec.limits[0].max is 1Gi' in news[0]["violations"][0]["rule"], news)
is_equal("by entry", len(recent(daemon, entry="trial", number=1000).json()["decisions"]), 12)
is_equal("by a user who sent nothing", recent(daemon, user="bob").json()["decisions"], [])
for query in ({"verdict": "no"}, {"number": "0"}, {"since": "x"}, {"user": "a", "names": "b"}):
    is_equal("not asked so: %r" % query, recent(daemon, **query).status, 400)
task = {"task": {"test": {"type": "trace", "spec": {}}}, "hints": {"requester": "192.0.2.7"}}
ask(daemon, request("POST", "/v1/decide", json.dumps(task).encode(), JSON))
found = recent(daemon).json()
one = found["decisions"][0]
is_true("a task", one["subject"] == "task" and one["requester"] == "192.0.2.7" and one["kind"] == "trace" and
        one["entry"] == "rtt" and "limit 'rtt' failed" in one["violations"][0]["reason"], one)
is_equal("counted by requester", [(row["requester"], row["refused"]) for row in found["requesters"]],
         [("192.0.2.7", 1)])
page = "\n".join(open(os.path.join(os.environ["LIMEN_SRCDIR"], "docs/recent.md")))
members = set(found) | set(found["lost"]) | {key for row in found["decisions"] + found["namespaces"] + found["requesters"]
                                             for key in row}
is_equal("every member has its row on the page", [key for key in sorted(members) if "`%s`" % key not in page], [])
daemon.end()

# ---- counts of each rule ----


def rules(daemon):
    policy = ask(daemon, request("GET", "/v1/policy")).json()
    found = {(kind, name): dict(rule["counts"], kind=kind, name=name)
             for kind, section in (("identifier", "identifiers"), ("classifier", "classifiers"), ("limit", "limits"),
                                   ("admission", "admission"))
             for name, rule in policy[section].items()}
    found.update({("application", str(number)): dict(rule["counts"], kind="application", name=str(number))
                  for number, rule in enumerate(policy["application-list"], 1)})
    return found


def fresh_rules(daemon):
    """What is shown is a second old at most."""
    time.sleep(1.1)
    return rules(daemon)


def series(daemon):
    """The same figures from /metrics."""
    names = {"limend_rule_asked_total": "asked", "limend_rule_matched_total": "matched",
             "limend_rule_refused_total": "refused", "limend_rule_would_refuse_total": "would",
             "limend_rule_errors_total": "errors"}
    found = {}
    for name, section, entry, value in re.findall(
            r'^(limend_rule_\w+)\{section="([^"]*)",entry="([^"]*)"[^}]*\} (\d+)$',
            ask(daemon, request("GET", "/metrics")).body, re.M):
        kind = section[:-1] if section.endswith("s") else section
        found.setdefault((kind, entry), {"kind": kind, "name": entry})[names[name]] = int(value)
    return found


trial = dict(POLICY, limits=POLICY["limits"] + [
    {"name": "few", "description": "", "type": "rate", "enforce": "audit", "data": {"rate": "1/PT1H"}},
    {"name": "never", "description": "", "type": "pass-fail", "data": {"pass": True}}])
trial["identifiers"] = POLICY["identifiers"] + [
    {"name": "nobody", "description": "", "type": "ip-cidr-list", "data": {"cidrs": ["203.0.113.0/24"]}}]
trial["applications"] = [{"description": "Tests", "classifier": "all", "apply": [
    {"require": "all", "limits": ["rtt", "few"]}]}, {"description": "Last", "classifier": "all", "apply": [
        {"require": "all", "limits": ["rtt"]}]}]
daemon = Daemon("--trust-hints-from", "127.0.0.1", "--threads", "2", "--ui", "playground", *MODULES,
                program=LIMEND, policy=trial)
send(daemon, [review(NAMESPACES[number % 20]) for number in range(100)] +
     [review("team-1", memory="2Gi")] * 7 + [review("team-1", cpu="3")] * 5)
send(daemon, [json.dumps({"task": {"test": {"type": "rtt", "spec": {}}}}).encode()] * 10 +
     [json.dumps({"task": {"test": {"type": "trace", "spec": {}}}}).encode()] * 3, "/v1/decide")
# Dry runs are not counted, as in all other figures.
send(daemon, [json.dumps({"task": {"test": {"type": "trace", "spec": {}}}}).encode()] * 4, "/ui/try")
found = fresh_rules(daemon)
is_equal("each rule: asked, and what came of it", {name: tuple(value for key, value in rule.items() if key not in ("kind", "name"))
         for name, rule in found.items()}, {
    ("identifier", "all"): (13, 13, 0), ("identifier", "nobody"): (13, 0, 0), ("classifier", "all"): (13, 13, 0),
    ("limit", "rtt"): (16, 6, 0, 0), ("limit", "few"): (13, 0, 12, 0), ("limit", "never"): (0, 0, 0, 0),
    ("application", "1"): (13, 3, 0, 0), ("application", "2"): (3, 3, 0, 0),
    ("admission", "sizes"): (112, 7, 0, 0), ("admission", "trial"): (105, 0, 5, 0), ("admission", "hint"): (105, 0, 0, 0)})
is_equal("/metrics has the same figures", series(daemon), found)
ranges = ask(daemon, request("GET", "/v1/policy")).json()["admission"]["sizes"]["status"]["limitRanges"]
is_equal("each item of a LimitRange", [(one["metadata"]["namespace"], item["violations"]) for one in ranges
         for item in one["spec"]["limits"] if "violations" in item], [("team-1", 7)])
daemon.signal(signal.SIGHUP)
is_true("a reload says that they begin anew", daemon.says("the counts of its rules begin at 0"), daemon.said())
is_equal("and so they do", {rule["asked"] for rule in fresh_rules(daemon).values()}, {0})


def seconds(daemon):
    return ask(daemon, request("GET", "/ui/state")).json()["history"]["seconds"]


def sums(daemon):
    return {key: sum(seconds(daemon)[key]) for key in ("admitted", "refused", "would", "errors")}


wanted = {"admitted": 101, "refused": 10, "would": 14, "errors": 0}
wait_for(lambda: sums(daemon) == wanted)
is_equal("the history stays, and has each decision once", sums(daemon), wanted)
last = seconds(daemon)
is_true("120 seconds, with the durations of those that have decisions", {len(last[key]) for key in (
    "admitted", "refused", "would", "errors", "p50", "p99")} == {120} and [
        None not in (fast, slow) and 0 < fast <= slow for fast, slow, *found in zip(
            last["p50"], last["p99"], last["admitted"], last["refused"], last["would"]) if sum(found)] and
    last["p50"][0] is None, last)
is_equal("what was kept stays", count_by_namespace(daemon)["team-1"], (7, 5, 0))
daemon.end()

# ---- bounds ----

daemon = start("--recent", "10")
send(daemon, [review("ns-%d" % number, cpu="1") for number in range(3)] +
     [review("team-1", "a-%d" % number, memory="2Gi") for number in range(30)])
found = recent(daemon, number=1000, verdict="refused").json()
is_equal("the newest ten, and how many fell out", (len(found["decisions"]), found["lost"]["refusals"]), (10, 20))
is_equal("all are counted", found["namespaces"][0]["refused"], 30)
daemon.end()

many = dict(POLICY, admission=[{"name": "sizes", "plugin": "EventRateLimit", "data": {"limits": [
    {"type": "Server", "qps": 1, "burst": 1}]}}])
daemon = Daemon("--trust-hints-from", "127.0.0.1", "--threads", "2", "--ui", "view", *MODULES, program=LIMEND, policy=many)


def counters(daemon):
    return ask(daemon, request("GET", "/v1/policy")).json()["admission"]["sizes"]["status"]["counters"]


def event(namespace):
    body = json.loads(review(namespace))
    body["request"].update(kind={"group": "", "version": "v1", "kind": "Event"},
                           resource={"group": "", "version": "v1", "resource": "events"})
    body["request"]["object"] = {"apiVersion": "v1", "kind": "Event", "metadata": {
        "name": "e", "namespace": namespace}, "involvedObject": {"kind": "Pod", "namespace": namespace, "name": "p"}}
    return json.dumps(body).encode()


send(daemon, [event("seldom-%d" % number) for number in range(300)] + [event("often")] * 50)
is_true("the history has events by type of limit", wait_for(lambda: {
    key: sum(values) for key, values in seconds(daemon)["events"].get("server", {}).items()} == {
        key: counters(daemon)[event] for key, event in (("granted", "admitted_by_server"), ("refused", "refused_by_server"))}),
    seconds(daemon)["events"])
is_equal("every event is in it", sum(map(sum, seconds(daemon)["events"]["server"].values())), 350)


def load_extra(burst):
    extra = {"name": "extra", "plugin": "EventRateLimit", "data": {"limits": [{"type": "Server", "qps": 1, "burst": burst}]}}
    write("policy%d.conf" % Daemon.number, dict(many, admission=[extra, *many["admission"]]))
    daemon.signal(signal.SIGHUP)
    wait_for(lambda: [entry["status"]["counters"]["admitted_by_server"] for name, entry in ask(daemon, request(
        "GET", "/v1/policy")).json()["admission"].items() if name == "extra"] == [0])


def events(daemon):
    return sum(map(sum, seconds(daemon)["events"]["server"].values()))


load_extra(999)
send(daemon, [event("often")] * 50)
wait_for(lambda: events(daemon) == 450)
load_extra(998)
time.sleep(2.2)
is_equal("an entry that stays is not counted again when another begins anew", events(daemon), 450)
rows = recent(daemon).json()["namespaces"]
is_true("200 rows and the rest", len(rows) == 201 and rows[-1]["rest"] and rows[-1]["namespace"] == "", rows[-1])
answers = metric(daemon, "limend_decisions_total", 'validate",code="429"')
is_equal("whose sum is exact", sum(row["refused"] for row in rows), answers)
is_true("the worst is among them", rows[0]["namespace"] == "often", rows[0])
is_true("a rate says when to come again", recent(daemon, number=1, verdict="refused").json()["decisions"][0]
        .get("retry-after", 0) >= 0)
daemon.end()

# ---- who may look, and at what ----

daemon = start("--recent", "0")
is_equal("--recent 0 keeps nothing", recent(daemon).status, 404)
daemon.end()
daemon = Daemon(*MODULES, program=LIMEND, policy=POLICY)
is_equal("strangers see nothing", recent(daemon).status, 403)
daemon.end()

daemon = start("--decision-log-redact", "user:hash,namespace,name")
send(daemon, [review("team-1", memory="2Gi")])
found = recent(daemon, verdict="refused").json()
one = found["decisions"][0]
is_true("what is redacted in the log is redacted here", one["user"].startswith("hash:") and
        not {"namespace", "name", "controller"} & set(one) and one["violations"] == [{}] and
        found["namespaces"] == [], found)
is_equal("and found by what is shown", len(recent(daemon, user=one["user"]).json()["decisions"]), 1)
daemon.end()

daemon = start("--recent-documents")
secret = json.loads(review("team-1", memory="2Gi"))
send(daemon, [review("team-1", memory="2Gi")])
ask(daemon, request("POST", "/v1/decide", json.dumps(task).encode(), JSON))
for one in recent(daemon, verdict="refused").json()["decisions"]:
    answer = ask(daemon, request("POST", "/v1/decide", json.dumps(one["document"]).encode(), JSON)).json()
    is_equal("a kept %s can be decided again" % one["subject"], answer and answer["code"], one["code"])
daemon.end()
for options, why in ((["--recent-documents", "--decision-log-redact", "user"], "exclude each other"),
                     (["--recent-documents", "--recent", "0"], "exclude each other"),
                     (["--decision-log-redact", "user", "--recent", "0"], "needs --decision-log"),
                     (["--recent", "100001"], "--recent takes a number from 0 to 100000")):
    found = Daemon(*options, listen=False, program=LIMEND)
    is_true("%s: status 2" % options, found.wait() == 2 and why in found.said(), found.said())
finish()
