# SPDX-License-Identifier: Apache-2.0
"""Loads the policy again and again while clients ask: no answer may fail or be of no version.

LIMEN_TEST_RELOADS says how often (24).
"""
from traffic import *

reloads = int(os.environ.get("LIMEN_TEST_RELOADS", "24"))
judge = Judge(record(by_unix))
daemon = Daemon("--unix", "load.sock", program=LIMEND, policy=VERSIONS["A"], listen=False)
path = os.path.join(work, "policy%d.conf" % Daemon.number)
clients = [Client(lambda: by_unix("load.sock"), judge, fresh) for fresh in (False, False, True)]


def version_now():
    return judge.judge("a task", talk(by_unix("load.sock"), QUESTIONS["a task"]).body).letters


late = []
figures = []
for number in range(reloads):
    wanted = "AB"[(number + 1) % 2]
    write(path, VERSIONS[wanted])
    # By the watch and by the signal, which meet now and then.
    if number % 3:
        daemon.signal(signal.SIGHUP)
    if not wait_for(lambda: version_now() == {wanted}):
        late.append(number)
    if number % 10 == 5:
        write(path, "{ broken")
        daemon.signal(signal.SIGHUP)
    figures.append(daemon.figures())
found = [client.end() for client in clients]
is_equal("every version is in force soon after it was written", late, [])
is_equal("no answer was of no version", sum((one["wrong"] for one in found), []), [])
is_equal("and none was lost", sum((one["lost"] for one in found), []), [])
is_true("there were answers of both", all(one["A"] > 5 and one["B"] > 5 for one in found), found)
print("# %d reloads, %d answers, the slowest after %.3f s" % (
    reloads, sum(one["answers"] for one in found), max(one["slowest"] for one in found)))

warm = figures[len(figures) // 4]
print("# descriptors, threads, KiB: %r, %r when warm, %r at the end" % (figures[0], warm,
                                                                      figures[-1]))
print("# KiB of memory in ten steps: %s" % " ".join(
    str(figures[len(figures) * step // 10][2]) for step in range(10)))
is_true("descriptors and threads are as many", wait_for(
    lambda: daemon.figures()[0] <= warm[0] + 4 and daemon.figures()[1] <= warm[1] + 2),
        (warm, daemon.figures()))
if os.environ.get("SANITIZE_CFLAGS", "").strip():
    skip("memory stays", "AddressSanitizer keeps what was freed")
else:
    is_true("memory stays", figures[-1][2] < warm[2] + 16384, (warm, figures[-1]))
is_equal("it ends in order", daemon.end(), 0)
finish()
