# SPDX-License-Identifier: Apache-2.0
"""The playground: texts in YAML and JSON, and edits of the policy, hostile ones too."""
import threading

from kit import *

MODULES = "%s/plugins:%s/tests/modules" % ((os.environ["LIMEN_BUILDDIR"],) * 2)
POLICY = """identifiers: [{name: everybody, type: always}]
limits:
- {name: harmless, type: test-type, data: {types: [rtt]}}
- {name: seldom, type: rate, data: {rate: 2/h}}
- {name: script, type: jq, data: {script: 'true'}}
applications: [{identifier: everybody, apply: [harmless, seldom, script]}]
templates: [{group: example.org, kind: Fleet, path: spec.pod}]
---
apiVersion: v1
kind: LimitRange
metadata: {name: r, namespace: shop}
spec: {limits: [{type: Container, max: {memory: 1Gi}, default: {memory: 1Gi}}]}
"""
POD = """apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: shop}
spec: {containers: [{name: c, image: i, resources: {limits: {memory: %s}}}]}
"""
SET = """apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: shop}
spec:
  template:
    metadata: {labels: {app: web}, name: other}
    spec: {containers: [{name: c, image: i, resources: {limits: {memory: 2Gi}}}]}
"""
TASK = "test: {type: rtt}\n"


def start(*options, policy=POLICY, mode="playground"):
    return Daemon("--ui", mode, *options, "--module-path", MODULES, "--policy",
                  write("policy%d.yaml" % Daemon.number, policy), policy=None, program=LIMEND)


def post(daemon, path, body, kind="application/json"):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return ask(daemon, request("POST", path, data, ["Content-Type: " + kind]))


def announce(path, kind):
    """The status for a body of 10 MB, which is refused before it is sent."""
    return ask(trusting, ("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n"
                          "Content-Length: 10000000\r\n\r\n" % (path, kind)).encode()).status


def tell(text, daemon=None, **more):
    """What becomes of a text, in YAML or as a member."""
    if more:
        return post(daemon or trusting, "/ui/try", dict(more, text=text)).json()
    return post(daemon or trusting, "/ui/try", text.encode(), "application/yaml").json()


def shown(found):
    return [(one["about"]["label"], one["about"]["line"], one["decision"]["code"])
            for one in found["results"]]


def first(found):
    return [(one["severity"], one["line"], one["column"]) for one in found["problems"]][:1]


trusting = start("--trust-hints-from", "127.0.0.1", "--recent-documents", "--max-batch", "20")

# ---- texts ----

found = tell(TASK + "---\n" + POD % ("p", "2Gi") + "---\n" + SET)
is_equal("several documents and a workload", shown(found), [
    ("task", 1, 200), ('Pod "p"', 3, 403), ('StatefulSet "web"', 8, 200),
    ('StatefulSet "web", pods of spec.template', 13, 403)])
is_equal("nothing is wrong with them", found["problems"], [])
is_equal("the pods follow their workload", found["results"][3]["about"], {
    "document": 3, "line": 13, "label": 'StatefulSet "web", pods of spec.template',
    "path": "/spec/template", "derived": True})
typo = tell(SET.replace("limits:", "limts:"))
is_true("a misspelt key is a warning, as with limen check", len(typo["results"]) == 2 and [
    (one["severity"], one["line"]) for one in typo["problems"]] == [("warning", 7)] and
    'did you mean "limits"?' in typo["problems"][0]["text"], typo["problems"])
is_true("and have their names, and the namespace", 'pods "web-0" is forbidden' in
        found["results"][3]["decision"]["reason"], found["results"][3])
is_true("each with its trace", all(one["decision"]["trace"] is not None for one in found["results"]))
is_equal("JSON is told apart", shown(tell(json.dumps({"test": {"type": "trace"}}))),
         [("task", 1, 403)])
ITEMS = "kind: List\napiVersion: v1\nitems:\n- " + (POD % ("p", "1Mi")).replace("\n", "\n  ")
is_equal("a list", shown(tell(ITEMS)), [('Pod "p"', 4, 200)])
is_equal("kinds that the policy names", shown(tell(
    "apiVersion: example.org/v1\nkind: Fleet\nmetadata: {name: f, namespace: shop}\n"
    "spec: {pod: {spec: {containers: [{name: c, resources: {limits: {memory: 2Gi}}}]}}}\n")),
    [('Fleet "f"', 1, 200), ('Fleet "f", pods of spec.pod', 4, 403)])
REVIEW = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
    "uid": "u", "operation": "CREATE", "namespace": "shop", "userInfo": {"username": "u"},
    "kind": {"group": "", "version": "v1", "kind": "Pod"}, "name": "p",
    "resource": {"group": "", "version": "v1", "resource": "pods"},
    "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {
        "containers": [{"name": "c", "resources": {"limits": {"memory": "2Gi"}}}]}}}}
is_equal("a review", shown(tell(json.dumps(REVIEW))), [("AdmissionReview", 1, 403)])
found = tell("task: {test: {type: rtt}}\nhints: {requester: 192.0.2.1}\n", hints={"requester": "192.0.2.9"})
is_true("a question, whose hints are its own",
        "requester: 192.0.2.1\n" in found["results"][0]["decision"]["diagnostics"], found)
found = tell(TASK, hints={"requester": "192.0.2.9"})
is_true("hints go to each", "requester: 192.0.2.9\n" in found["results"][0]["decision"]["diagnostics"],
        found)
found = tell(POD % ("p", "2Gi"), namespace="shop", user="u")
is_equal("so does who asks", shown(found), [('Pod "p"', 1, 403)])
is_equal("a member that does not fit", tell(TASK, namespace="shop")["results"][0]["error"]["code"], 400)
is_true("no rate is charged", all(shown(tell(TASK)) == [("task", 1, 200)] for _ in range(4)))

for title, text, wanted in (
        ("a syntax error", "test:\n  type: [\n", ("problem", 3, 1)),
        ("one in JSON", '{"test":\n {"type": }}', ("problem", 2, 11)),
        ("what is no request", TASK + "---\nfoo: 1\n", ("problem", 3, 1)),
        ("nothing", "", ("problem", 1, 1)),
        ("only comments", "# none\n", ("problem", 0, 0)),
        ("an alias that multiplies", "a: &a [" + "x," * 1000 + "]\n" +
         "".join("b%d: &b%d [%s]\n" % (i, i, ",".join(["*" + ("a" if i == 0 else "b%d" % (i - 1))] * 9))
                 for i in range(9)), None),
        ("lists in lists", "".join("%s- kind: List\n%s  apiVersion: v1\n%s  items:\n" % (("  " * i,) * 3)
                                   for i in range(8))[2:] + "                []\n", None),
        ("a list that is none", "kind: PodList\napiVersion: v1\nitems: {a: {}}\n", ("problem", 3, 8)),
        ("too many", (TASK + "---\n") * 21, ("problem", 41, 1))):
    found = tell(text)
    is_true(title + " is a problem, and nothing else", found["results"] == [] and
            any(one["severity"] == "problem" for one in found["problems"]) and
            (wanted is None or first(found) == [wanted]), str(found)[:500])
is_equal("10 MB are refused", announce("/ui/try", "application/yaml"), 413)
is_equal("another type, too", post(trusting, "/ui/try", TASK.encode(), "text/yaml").status, 415)

# ---- edits ----


def edit_once(policy, text="", daemon=None, **more):
    return post(daemon or trusting, "/ui/edit", dict(more, policy=policy, text=text) if text else
                dict(more, policy=policy))


def edit(*arguments, **more):
    """Again if a busy machine did not manage it within five seconds."""
    found = []
    wait_for(lambda: found.append(edit_once(*arguments, **more)) or found[-1].status != 503)
    return found[-1]


for name, memory in (("big", "2Gi"), ("small", "1Mi")):
    review = json.loads(json.dumps(REVIEW))
    review["request"]["name"] = review["request"]["object"]["metadata"]["name"] = name
    review["request"]["object"]["spec"]["containers"][0]["resources"]["limits"]["memory"] = memory
    is_equal("a %s pod is decided" % name,
             post(trusting, "/admission/validate", review).json()["response"]["allowed"], name == "small")
WIDE = POLICY.replace("max: {memory: 1Gi}", "max: {memory: 4Gi}")
answer = edit(WIDE, TASK + "---\n" + SET)
found = answer.json()
is_equal("an edit: what changes, and what stays", [
    (one["about"]["label"], one["before"]["code"], one["after"]["code"], one["changed"])
    for one in found["results"]], [
        ("task", 200, 200, False), ('StatefulSet "web"', 200, 200, False),
        ('StatefulSet "web", pods of spec.template', 403, 200, True)])
is_equal("and of the decisions that were kept", (found["recent"]["decided"], [
    (one["about"]["name"], one["before"]["code"], one["after"]["code"])
    for one in found["recent"]["changed"]]), (2, [("big", 403, 200)]))
is_true("without their documents", "document" not in found["recent"]["changed"][0]["about"])
is_equal("they may be left out", edit(WIDE, recent=False).json()["recent"], {"changed": [], "decided": 0})
is_equal("the policy in force is as before", shown(tell(POD % ("p", "2Gi"))), [('Pod "p"', 1, 403)])
found = edit(POLICY.replace("types: [rtt]", "typos: [rtt]"), TASK).json()
is_equal("a broken policy decides nothing", (found["results"], found["recent"]["decided"]), ([], 0))
is_true("and is told of, with line and column", any(
    (one["severity"], one["line"]) == ("problem", 3) and one["column"] > 0 and "typos" in one["text"]
    for one in found["policy-problems"]), found)
is_equal("no policy", edit(1).status, 400)
found = edit("modules: [/tmp]\n" + POLICY).json()
is_true("modules of its own are refused", "modules" in found["policy-problems"][0]["text"], found)
is_true("an empty request decides those that were kept", edit(WIDE).json()["recent"]["decided"] == 2)

# A file that limend may read, and an edit may not.
secret = write("kubeconfig", "secret-of-limend: [\n")
CLUSTER = "admission: [{name: c, plugin: LimitRanger, data: {cluster: {kubeconfig: %s}}}]\n" % secret
is_true("the policy in force could read it", any(
    "Permission" not in line for line in start(policy=CLUSTER).said().splitlines() if secret in line))
found = edit(CLUSTER)
is_true("an edit cannot read files", "ermission denied" in found.body and
        "secret-of" not in found.body, found)
beside = os.path.join(os.path.dirname(os.path.realpath("/proc/%d/exe" % trusting.process.pid)),
                      "kubeconfig-of-a-test")
with open(beside, "w") as file:
    file.write("secret-of-limend: [\n")
found = edit(CLUSTER.replace(secret, beside))
os.unlink(beside)
is_true("not even those beside the program", "ermission denied" in found.body, found)
calls = socket.create_server(("127.0.0.1", 0))
found = edit("identifiers: [{name: l, type: ip-cidr-list-url, data: {source: 'http://127.0.0.1:%d/', "
             "update: PT1H, retry: PT1M, fail-state: true}}]\n"
             "applications: [{identifier: l, apply: []}]\n" % calls.getsockname()[1], TASK)
calls.settimeout(0.2)
try:
    calls.accept()
    is_true("nor call anybody", False)
except OSError:
    is_true("nor call anybody", found.status == 200, found)


def children(daemon):
    return [pid for task in os.listdir("/proc/%d/task" % daemon.process.pid)
            for pid in open("/proc/%d/task/%s/children" % (daemon.process.pid, task)).read().split()]


def descriptors(pid):
    where = "/proc/%s/fd" % pid
    return {int(fd): os.readlink(os.path.join(where, fd)) for fd in os.listdir(where)}


def inherits_nothing(daemon):
    """Has an edit of the daemon its standard error, two files in memory, and its own rules?"""
    for pid in children(daemon):
        with open("/proc/%s/cmdline" % pid) as file:
            if "--edit-process" not in file.read():
                continue
        has = descriptors(pid)
        return has.pop(2, None) == descriptors(daemon.process.pid)[2] and all(
            "limend-edit" in text or "landlock" in text for text in has.values())
    return False


before = children(trusting)
LOOP = POLICY.replace("script: 'true'", "script: 'def f: f; f', timeout: PT1H")
HANG = POLICY.replace("type: jq, data: {script: 'true'}", "type: verdict, data: {verdict: pass, sleep: PT600S}")
other = start("--trust-hints-from", "127.0.0.1")
found = tell((TASK + "---\n") * 100, other, hints={"x": 1000000 * "y"})
is_true("hints that are large, many times", found["results"] == [] and
        "too large" in found["problems"][0]["text"], str(found)[:500])
answers = {}
threads = [threading.Thread(target=lambda name=name, policy=policy, daemon=daemon: answers.update(
    {name: edit_once(policy, TASK, daemon)})) for name, policy, daemon in
    (("loops", LOOP, trusting), ("hangs", HANG, other))]
for thread in threads:
    thread.start()
wait_for(lambda: children(trusting) != before)
is_equal("one edit at a time", edit_once(POLICY, TASK).status, 503)
is_equal("others are served meanwhile", shown(tell(TASK)), [("task", 1, 200)])
is_true("it has standard error, and no other descriptor of limend",
        wait_for(lambda: inherits_nothing(other)))
for thread in threads:
    thread.join()
found = answers["loops"].json()
is_true("a script that never ends is stopped", answers["loops"].status == 503 or
        (found["results"][0]["after"]["code"] == 500 and
         "stopped" in found["results"][0]["after"]["reason"]), found)
is_true("a module that never returns is killed", answers["hangs"].status == 503 and
        "did not decide" in answers["hangs"].body, answers["hangs"])
is_true("nothing is left of them", wait_for(lambda: children(trusting) == before), children(trusting))
is_true("and the next can be tried", edit(POLICY, TASK).status == 200)
found = edit(POLICY.replace("script: 'true'", "script: '\"x\" * [1e9][0] | length > 0'"), TASK).json()
is_equal("a script that takes all memory is an error", found["results"][0]["after"]["code"], 500)
if os.uname().machine == "x86_64":
    found = edit_once(HANG.replace("sleep: PT600S", "ends: foreign-call"), TASK)
    is_true("a call by the numbers of another architecture ends it", found.status == 503 and
            "did not decide" in found.body, found)
busy = start("--trust-hints-from", "127.0.0.1", "--timeout", "60", policy=LOOP)
found = edit_once(POLICY, TASK + "---\n" + TASK, busy).json()["results"]
is_equal("the policy in force has five seconds for all requests", [
    (one.get("before") or one["error"])["code"] for one in found], [500, 503])
busy.signal(signal.SIGKILL)
busy.wait()
is_equal("10 MB of policy", announce("/ui/edit", "application/json"), 413)
is_true("no decision was counted", "limend_decisions_total{endpoint=\"/v1/decide\",code=\"200\"} 0" in
        ask(trusting, request("GET", "/metrics")).body)
is_equal("it ends in order", trusting.end(), 0)

# ---- who may ----

strange = start()
is_equal("strangers try texts", shown(tell(TASK, strange)), [("task", 1, 200)])
is_equal("without hints", tell(TASK, strange, hints={"user": "u"})["results"][0]["error"]["code"], 403)
is_equal("and no policies", edit(POLICY, TASK, strange).status, 403)
strange.end()
view = start("--trust-hints-from", "127.0.0.1", mode="view")
is_equal("--ui view has neither", [post(view, path, {"policy": POLICY, "text": TASK}).status
                                   for path in ("/ui/try", "/ui/edit")], [403] * 2)
finish()
