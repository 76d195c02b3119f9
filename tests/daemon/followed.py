# SPDX-License-Identifier: Apache-2.0
"""Clients that follow GET /v1/recent as text/event-stream."""
from recent_kit import *


class Follower:
    """Reads a stream as it comes."""

    def __init__(self, daemon, query="", **more):
        self.made = daemon.connect()
        self.made.sendall(request("GET", "/v1/recent" + query, headers=["Accept: text/event-stream"], **more))
        self.made.settimeout(0.05)
        self.text = b""
        self.ended = False

    def read(self):
        try:
            part = self.made.recv(65536)
            self.ended = self.ended or not part
            self.text += part
        except TimeoutError:
            pass
        return self.text.decode()

    def entries(self):
        return [json.loads(line[5:]) for line in self.read().splitlines() if line.startswith("data:{")]


daemon = start()
send(daemon, [review("team-1", memory="2Gi")])
every = Follower(daemon)
some = Follower(daemon, "?namespace=team-2&verdict=refused")
later = Follower(daemon, "?since=0")
wait_for(lambda: "text/event-stream" in every.read() and "text/event-stream" in some.read() and
         "\n:\n" in every.read().replace("\r", ""))
send(daemon, [review("team-2", memory="2Gi")])
send(daemon, [review("team-3", cpu="3")])
is_true("a follower is told what comes", wait_for(lambda: len([one for one in every.entries()
        if one["verdict"] != "admitted"]) == 2), every.text)
is_equal("oldest first", [one["namespace"] for one in every.entries() if one["verdict"] != "admitted"],
         ["team-2", "team-3"])
is_true("each with its number as id", all("id: %d\n" % one["number"] in every.text.decode() for one in every.entries()))
is_equal("only what is wanted", [one["namespace"] for one in some.entries()], ["team-2"])
again = Follower(daemon, "?since=1")
is_true("since a number, after a pause", wait_for(lambda: len(again.entries()) >= 2), again.text)
more = [Follower(daemon) for _ in range(12)]
is_true("16 follow", wait_for(lambda: all("text/event-stream" in one.read() for one in more)))
answer = ask(daemon, request("GET", "/v1/recent", headers=["Accept: text/event-stream"]))
is_true("and no more", answer.status == 503 and "16 clients follow already" in answer.json()["message"], answer)
for one in more:
    one.made.close()
is_true("until some have left", wait_for(lambda: "text/event-stream" in Follower(daemon).read()))
began = time.monotonic()
is_equal("they do not hold up the end", (daemon.end(), time.monotonic() - began < 15), (0, True))
is_true("which ends them", wait_for(lambda: every.read() and every.ended), every.text)

daemon = start("--recent", "5")
slow = Follower(daemon)
wait_for(lambda: "text/event-stream" in slow.read())
# Each time up to five are kept, several times before the stream goes on.
is_true("one for whom decisions fell out is told", wait_for(lambda: send(
    daemon, [review("team-2", memory="2Gi")] * 20) or "event: dropped" in slow.read()), slow.text)
is_true("and dropped", wait_for(lambda: slow.read() and (slow.ended or slow.text.endswith(b"0\r\n\r\n"))), slow.text)
daemon.end()

finish()
