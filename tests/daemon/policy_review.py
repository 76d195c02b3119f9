# SPDX-License-Identifier: Apache-2.0
"""The webhook that refuses ConfigMaps with a broken policy."""
from kit import *

RATES = """admission:
- name: rates
  plugin: EventRateLimit
  data:
    store: shared
    limits:
    - {type: User, qps: %s, burst: 1}
"""
STORE = "stores:\n  shared:\n    type: memory\n"


def review(data, **more):
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u-1", "operation": "UPDATE", "namespace": "limen", "object": {
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "limen-policy"},
            "data": data}, **more}}


def ask(daemon, body):
    with daemon.connect() as connection:
        connection.sendall(request("POST", "/admission/policy", json.dumps(body).encode(),
                                   ["Content-Type: application/json"]))
        return read_answer(connection)


def decide(data):
    answer = ask(daemon, review(data))
    return answer.status, (answer.json() or {}).get("response")


daemon = Daemon("--validate-policies", "--cache-dir", os.path.join(work, "cache", "lists"),
                program=LIMEND)
is_equal("a good policy is admitted", decide({"rates.yaml": RATES % 1, "store.yaml": STORE}),
         (200, {"uid": "u-1", "allowed": True}))
status, response = decide({"rates.yaml": RATES % "many", "store.yaml": STORE})
is_equal("a broken one is refused", (status, response["allowed"], response["status"]["code"],
                                     response["status"]["reason"]), (200, False, 403, "Forbidden"))
message = response["status"]["message"]
is_true("  with file, line and column", message.startswith("rates.yaml:7:"), message)
is_true("  and with nothing of the directory", work not in message, message)
status, response = decide({"rates.yaml": RATES % 1})
is_true("files are one policy: without its store it is broken",
        "shared" in response["status"]["message"], response)
status, response = decide({"store.yaml": STORE, "torn.yaml": "admission: ["})
is_true("a file that is no YAML", response["status"]["message"].startswith("torn.yaml:"), response)
status, response = decide({"rates.yaml": "modules: [/tmp]\n" + RATES % 1, "store.yaml": STORE})
is_true("modules of its own are refused", not response["allowed"], response)
for name in ("../rates.yaml", "/rates.yaml", ".rates.yaml", ""):
    is_equal("no file is called %r" % name, decide({name: STORE})[0], 400)
is_equal("data is texts", decide({"rates.yaml": 1})[0], 400)
is_equal("a ConfigMap without data", ask(daemon, review(None)).status, 400)
is_equal("a review without uid", ask(daemon, review({}, uid=None)).status, 400)
is_equal("nothing is left behind", os.listdir(os.path.join(work, "cache", "lists")), [])
daemon.end()

daemon = Daemon(program=LIMEND)
is_equal("it is off by default", ask(daemon, review({"store.yaml": STORE})).status, 403)
finish()
