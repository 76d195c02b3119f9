#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Ask limend about a task: ask.py SOCKET REQUESTER < TASK.json"""

import http.client
import json
import socket
import sys


class UnixConnection(http.client.HTTPConnection):
    """HTTP over the unix socket of limend."""

    def __init__(self, path, timeout=5.0):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def decide(path, question):
    """Returns whether limend admits, and why or why not."""
    try:
        connection = UnixConnection(path)
        connection.request("POST", "/v1/decide", json.dumps(question),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        body = json.loads(answer.read())
        if answer.status != 200:
            return False, body["message"]
        return body["admitted"] is True, body["reason"]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
        return False, f"limend gave no decision: {error}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path, requester = sys.argv[1:]
    admitted, reason = decide(path, {"task": json.load(sys.stdin),
                                     "hints": {"requester": requester}})
    print("admitted:" if admitted else "refused:", reason)
    return 0 if admitted else 1


if __name__ == "__main__":
    sys.exit(main())
