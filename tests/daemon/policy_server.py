# SPDX-License-Identifier: Apache-2.0
"""A server that has policies, and a daemon that decides by them."""
import http.server
import threading

from kit import *

QUESTION = request("POST", "/v1/decide", json.dumps(
    {"task": {"test": {"type": "idle", "spec": {}}}}).encode(), ["Content-Type: application/json"])
REFUSING = dict(PASSING, applications=[])
STAYS = "the policy stays as it was"


class PolicyServer:
    """Answers GET of a path with what is in 'pages': a policy, a text, a status, an Event that
    it waits for, saying nothing, or bytes, whose length it does not say."""

    def __init__(self, **pages):
        self.pages = pages
        self.asked = {}
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.make_handler())
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def make_handler(self):
        pages, asked = self.pages, self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.path.strip("/")
                page = pages.get(name, 404)
                if isinstance(page, threading.Event):
                    asked[name] = asked.get(name, 0) + 1
                    page.wait()
                    return
                if isinstance(page, bytes):
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(page)
                    asked[name] = asked.get(name, 0) + 1
                    return
                text = page if isinstance(page, str) else json.dumps(page)
                self.send_response(page if isinstance(page, int) else 200)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())
                asked[name] = asked.get(name, 0) + 1

            def log_message(self, *_):
                pass

        return Handler

    def url(self, name):
        return "http://127.0.0.1:%d/%s" % (self.server.server_address[1], name)

    def is_asked(self, name, more):
        """Waits until 'name' has been asked for so many times more."""
        wanted = self.asked.get(name, 0) + more
        return wait_for(lambda: self.asked.get(name, 0) >= wanted)


def admits(daemon):
    answer = ask(daemon, QUESTION)
    return None if answer is None else answer.json().get("admitted")


def comes_to(daemon, wanted):
    """Is that decided at last?"""
    return wait_for(lambda: admits(daemon) is wanted)


def figure(daemon, name):
    text = ask(daemon, request("GET", "/metrics")).body
    return int(re.search(r"^limend_%s_total (\d+)$" % name, text, re.M).group(1))


def loads(daemon):
    """What /metrics counts: loads, and those that failed."""
    return figure(daemon, "policy_loads"), figure(daemon, "policy_load_failures")
