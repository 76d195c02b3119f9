# SPDX-License-Identifier: Apache-2.0
"""Starts daemons, talks to them byte by byte, and prints TAP.

A test is a script that calls is_true() and is_equal() and ends with finish().
What is started ends with the script.
"""
import atexit
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

LIMEND = os.environ["LIMEND"]
# build-aux/script-under-valgrind gives these.
LAB = os.environ.get("LIMEND_LAB") or os.path.join(os.environ["LIMEN_BUILDDIR"],
                                                   "tests/daemon/limend-lab")
PATIENCE = int(os.environ.get("LIMEN_TEST_PATIENCE", "60"))

work = tempfile.mkdtemp()
atexit.register(shutil.rmtree, work, True)
os.chdir(work)
os.environ.pop("LIMEN_POLICY", None)
# ThreadSanitizer cannot see how GLib's own allocator hands memory from thread to thread.
os.environ["G_SLICE"] = "always-malloc"
running = []
count = 0
failures = 0

PASSING = {
    "schema": 4,
    "identifiers": [{"name": "all", "description": "", "type": "always", "data": {}}],
    "classifiers": [{"name": "all", "description": "", "identifiers": ["all"]}],
    "limits": [],
    "applications": [{"classifier": "all", "apply": [{"require": "all", "limits": []}]}],
}

# One whose decisions may wait for others.
BLOCKING = dict(PASSING, identifiers=[
    {"name": "all", "description": "", "type": "crowd", "data": {"party": 1, "blocking": True}}])


def write(name, content):
    path = os.path.join(work, name)
    with open(path + ".new", "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))
    os.rename(path + ".new", path)
    return path


def is_true(name, good, shown=""):
    global count, failures
    count += 1
    failures += not good
    print("ok %d - %s" % (count, name) if good else "not ok %d - %s" % (count, name), flush=True)
    if not good:
        for line in str(shown).splitlines():
            print("#", line)
    return good


def is_equal(name, found, wanted):
    return is_true(name, found == wanted, "found %r\nnot   %r" % (found, wanted))


def skip(name, why):
    global count
    count += 1
    print("ok %d - %s # SKIP %s" % (count, name, why), flush=True)


def finish(by_status=False):
    """'by_status': nobody reads the TAP, so the status has to tell, too."""
    print("1..%d" % count)
    sys.exit(1 if by_status and failures else 0)


def wait_for(condition, patience=PATIENCE):
    """Returns what 'condition' returns once that is true, or False."""
    pause = 0.01
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(pause)
        pause = min(0.1, pause * 1.2)
    return False


def with_systemd():
    with open(os.path.join(os.environ["LIMEN_BUILDDIR"], "tests/daemon/limend-lab"), "rb") as file:
        return b"NOTIFY_SOCKET" in file.read()


def inherit(listening, *options, **variables):
    """Starts a daemon that gets its socket as from systemd; it has no URLs."""
    # The variables name the process itself, which only it knows before it starts.
    script = ("import os, sys; os.dup2(int(sys.argv[1]), 3); "
              "os.environ['LISTEN_PID'] = os.environ['WATCHDOG_PID'] = str(os.getpid()); "
              "os.execv(sys.argv[2], sys.argv[2:])")
    return subprocess.Popen(
        [sys.executable, "-c", script, str(listening.fileno()), LAB, "--policy",
         write("inherit.conf", PASSING), *options], pass_fds=[listening.fileno()],
        stderr=subprocess.DEVNULL, env=dict(os.environ, LISTEN_FDS="1", **variables))


class Daemon:
    """One daemon; its URLs are in 'urls' and its log in the file 'log'."""

    number = 0

    def __init__(self, *options, program=LAB, policy=PASSING, wait=True, listen=True, **more):
        Daemon.number += 1
        self.addresses = os.path.join(work, "addresses%d" % Daemon.number)
        self.log = os.path.join(work, "log%d" % Daemon.number)
        command = [program, "--address-file", self.addresses]
        if policy is not None:
            command += ["--policy", write("policy%d.conf" % Daemon.number, policy)]
        if listen:
            command += ["--listen", "127.0.0.1:0"]
        if "--module-path" not in options:
            command += ["--module-path", os.path.join(os.environ["LIMEN_BUILDDIR"], "tests/modules")]
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(command + list(options), **{"stderr": log, **more})
        running.append(self.process)
        self.urls = []
        if wait:
            wait_for(lambda: os.path.exists(self.addresses) or self.process.poll() is not None)
            if os.path.exists(self.addresses):
                with open(self.addresses) as file:
                    self.urls = file.read().split()

    @property
    def port(self):
        return int(self.urls[0].rsplit(":", 1)[1])

    def said(self):
        with open(self.log) as file:
            return file.read()

    def says(self, text, patience=PATIENCE):
        return wait_for(lambda: text in self.said(), patience)

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, patience=PATIENCE):
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            return None

    def end(self):
        self.signal(signal.SIGTERM)
        return self.wait()

    def figures(self):
        """Descriptors, threads and KiB of memory that it has."""
        pid = self.process.pid
        with open("/proc/%d/status" % pid) as file:
            status = file.read()
        return (len(os.listdir("/proc/%d/fd" % pid)),
                int(re.search(r"Threads:\s+(\d+)", status).group(1)),
                int(re.search(r"VmRSS:\s+(\d+)", status).group(1)))

    def connect(self, tls=None):
        made = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        return tls.wrap_socket(made, server_hostname="localhost") if tls else made


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def __repr__(self):
        return "%r %r %r" % (self.status, self.headers, self.body)


def read_answer(connection, head=False, text=b""):
    """Reads one answer behind 'text'; None if the connection ends before there is a whole one."""
    try:
        while b"\r\n\r\n" not in text:
            part = connection.recv(65536)
            if not part:
                return None
            text += part
        start, body = text.split(b"\r\n\r\n", 1)
        lines = start.decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        if status == 100:
            return read_answer(connection, head, body)
        headers = {}
        for line in lines[1:]:
            name, value = line.split(":", 1)
            headers[name.lower()] = value.strip()
        wanted = 0 if head else int(headers.get("content-length", 0))
        while len(body) < wanted:
            part = connection.recv(65536)
            if not part:
                return None
            body += part
    except OSError:
        return None
    return Answer(status, headers, body.decode())


def request(method, target, body=None, headers=(), version="1.1", host="localhost"):
    lines = ["%s %s HTTP/%s" % (method, target, version), "Host: " + host]
    lines += list(headers)
    if body is not None:
        lines.append("Content-Length: %d" % len(body))
    text = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
    return text + (body or b"")


def has_ended(connection):
    """Does the other end close the connection?"""
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True
    except OSError:
        return False


def ask(daemon, text, tls=None, head=False):
    with daemon.connect(tls) as connection:
        connection.sendall(text)
        return read_answer(connection, head)


def codes(daemon, who, count):
    """The codes of so many decisions, in one batch, about tasks with the hint 'who'."""
    tasks = [{"task": {"test": {"type": "rtt", "spec": {}}}, "hints": {"who": who}}] * count
    answer = ask(daemon, request("POST", "/v1/decide/batch", json.dumps(tasks).encode(),
                                 ["Content-Type: application/json"]))
    return [one["code"] for one in answer.json()]


def metric(daemon, family, labels=""):
    found = ask(daemon, request("GET", "/metrics")).body
    line = re.search(r"^%s\{[^}]*%s[^}]*\} (\S+)$" % (family, labels), found, re.M)
    return float(line.group(1)) if line else None


def clean_up():
    for process in running:
        if process.poll() is None:
            process.kill()
            process.wait()


atexit.register(clean_up)
