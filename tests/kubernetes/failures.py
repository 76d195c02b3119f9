# SPDX-License-Identifier: Apache-2.0
"""limend killed, and its certificate replaced while it is asked."""
from collections import Counter

from gate import *
from limits import NOTHING

DEFAULTS = {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}


def ask_for_pod(subject, name="try"):
    """A dry run: the status, the message, and what the container got."""
    status, body = subject.create("failures", "pods", pod(name, NOTHING), "?dryRun=All")
    if status != 201:
        return status, body.get("message", "")
    return status, body["spec"]["containers"][0]["resources"]


def check_kill(subject, gate, register):
    is_equal("limend gives defaults", ask_for_pod(subject), (201, DEFAULTS))
    gate.kill()
    status, message = ask_for_pod(subject)
    is_true("killed, with failurePolicy Fail, no pod passes", status == 500 and message.startswith(
        'Internal error occurred: failed calling webhook "defaults.limend.webhook"'),
        (status, message))
    answer = subject.create("failures", "events", {
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": "lost"},
        "involvedObject": {"kind": "Pod", "namespace": "failures", "name": "web"}})
    is_equal("but events do, of which it is Ignore", answer[0], 201)
    register(subject, gate, "--failure-policy", "Ignore")
    is_true("with Ignore pods pass as they are",
            wait_for(lambda: ask_for_pod(subject) == (201, NOTHING)), ask_for_pod(subject))
    gate.start()
    is_true("until limend is there again",
            wait_for(lambda: ask_for_pod(subject) == (201, DEFAULTS)), ask_for_pod(subject))
    register(subject, gate)


def check_reload(subject, gate):
    """The policy is loaded again while it is asked."""
    wrong = Counter()
    stop = threading.Event()
    threads = load(subject, stop, wrong)
    wait_for(lambda: sum(wrong.values()) >= 20)
    gate.daemon.signal(signal.SIGHUP)
    loaded = wait_for(lambda: (gate.metric("limend_policy_loads_total") or 0) >= 2)
    is_true("SIGHUP loads the policy again", loaded, gate.daemon.said())
    finish_load(threads, stop)
    is_equal("without a wrong answer", set(wrong), {(201, True)})


def load(subject, stop, seen):
    """Some threads that create pods without an end, and count what they see."""
    def run(number):
        while not stop.is_set():
            try:
                status, body = ask_for_pod(subject, "load-%d" % number)
                seen[(status, body == DEFAULTS or body)] += 1
            except (OSError, http.client.HTTPException) as error:
                seen[("error", str(error))] += 1
    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    return threads


def finish_load(threads, stop):
    stop.set()
    for thread in threads:
        thread.join()


def check_certificates(subject, gate):
    """Certificates of two authorities, which API servers are told to believe both."""
    names = []
    for number in range(6):
        names.append("swap%d" % number)
        make_certificate(names[-1], ("first", "second")[number % 2])
    seen = Counter()
    stop = threading.Event()
    threads = load(subject, stop, seen)
    serials = set()
    for name in names:
        before = gate.serial()
        count = sum(seen.values())
        put(name)
        wait_for(lambda: gate.serial() != before)
        serials.add(gate.serial())
        wait_for(lambda: sum(seen.values()) >= count + 20)
    with open("used.key", "w") as file:
        file.write("no key")
    is_true("a pair that is none is told of",
            gate.daemon.says("the certificate stays as it was"), gate.daemon.said())
    finish_load(threads, stop)
    is_equal("every new certificate was shown", len(serials), len(names))
    is_equal("and of %d answers meanwhile none was wrong" % sum(seen.values()), set(seen),
             {(201, True)})
    put("limend")


def check(subject, gate, register):
    known = gate.objects()
    subject.apply(objects(namespace("failures"), limit_range(
        "failures", {"type": "Container", "default": {"cpu": "1"}})))
    wait_for(lambda: gate.knows(known + 1))
    check_kill(subject, gate, register)
    check_reload(subject, gate)
    check_certificates(subject, gate)
