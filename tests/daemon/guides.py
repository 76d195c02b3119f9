# SPDX-License-Identifier: Apache-2.0
"""The sections "In ten minutes" of guides: their commands, in order, with what they print.

Addresses that a test cannot have (port 80, /etc/nginx, the API of a pScheduler host) are replaced
by others, in the commands and in copies of the examples, and a rate of ten a minute by one of ten
an hour, so that a slow machine does not fill its bucket again.
"""
import http.server
import threading

from kit import *

SOURCE = os.environ["LIMEN_SRCDIR"]
MODULES = os.path.join(os.environ["LIMEN_BUILDDIR"], "plugins")


def read_blocks(page):
    """The blocks "sh" and "console" of the section, as (language, text)."""
    with open(os.path.join(SOURCE, "docs", page)) as file:
        section = file.read().split("## In ten minutes\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^```(sh|console)\n(.*?)^```$", section, re.M | re.S)


def commands_of(blocks):
    """Each command, with the lines below it; None for a block "sh", which shows none."""
    for language, text in blocks:
        if language == "sh":
            yield from ((line.split("   # ")[0], None) for line in text.splitlines())
        else:
            for part in text.split("$ ")[1:]:
                command, _, shown = part.partition("\n")
                yield command, shown


def blur(text):
    """Without what differs each time: dates, versions, and how much of a rate is left until when."""
    text = re.sub(r"Date: .*|nginx/[0-9.]+", "-", text.replace("\r", ""))
    return re.sub(r"(Content-Length: |Retry-After: |;[tw]=)\d+", r"\1-", text).strip()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False


def add_command(name, line):
    write("bin/" + name, "#!/bin/sh\n%s\n" % line)
    os.chmod("bin/" + name, 0o755)


def run_guide(page, replaced, background=None):
    """Runs its commands; that which begins with 'background' runs on while the others do."""
    for command, shown in commands_of(read_blocks(page)):
        for old, new in replaced:
            command = command.replace(old, new)
        if background and command.startswith(background):
            running.append(subprocess.Popen("exec " + command, shell=True, stderr=open("background.log", "w")))
            continue
        done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        if shown is None:
            is_true("%s: %s" % (page, command), done.returncode == 0, done.stdout)
        else:
            is_equal("%s: %s" % (page, command), blur(done.stdout), blur(shown))
        yield command


os.mkdir("bin")
os.environ["PATH"] = os.path.join(work, "bin") + ":" + os.environ["PATH"]
os.environ["LIMEN_MODULE_PATH"] = MODULES
add_command("limen", 'exec "%s" "$@"' % os.environ["LIMEN"])
add_command("limend", 'exec "%s" "$@"' % LIMEND)
shutil.copytree(os.path.join(SOURCE, "docs/examples"), "docs/examples")


@atexit.register
def end_all():
    for process in running:
        process.terminate()
        process.wait()


# ---- nginx, in front of a server that stands for an API ----

if not shutil.which("nginx") or not shutil.which("curl"):
    skip("the guide of nginx", "no nginx or no curl")
else:
    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    front, gate = free_port(), free_port()
    for name, pairs in (("nginx.conf", [("listen 80;", "listen 127.0.0.1:%d;" % front), ("127.0.0.1:8443", "127.0.0.1:%d" % gate),
                                        ("127.0.0.1:8000", "127.0.0.1:%d" % server.server_port)]),
                        ("limits.yaml", [("10/min", "10/h")])):
        path = "docs/examples/gateways/" + name
        os.chmod(path, 0o644)
        with open(path) as file:
            text = file.read()
        for old, new in pairs:
            if old not in text:
                raise SystemExit("%s has no %r" % (name, old))
            text = text.replace(old, new)
        write(path, text)
    os.mkdir("nginx")
    folders = "".join("%s_temp_path %s/%s; " % (kind, work, kind) for kind in
                      ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    write("main.conf", "%spid nginx.pid; error_log nginx.log; worker_processes 1;\nevents { }\n"
          "http { access_log off; %s include %s/nginx/*.conf; }\n" %
          ("user root; " if os.getuid() == 0 else "", folders, work))
    nginx = shutil.which("nginx")
    running.append(subprocess.Popen([nginx, "-p", work, "-c", "main.conf", "-g", "daemon off;"],
                                    stderr=subprocess.DEVNULL))
    wait_for(lambda: os.path.exists("nginx.pid") and os.path.getsize("nginx.pid"))
    add_command("nginx", 'exec %s -p %s -c main.conf "$@"' % (nginx, work))
    for command in run_guide("gateways/nginx.md", [
            ("limend ", "limend --listen 127.0.0.1:%d " % gate), ("http://127.0.0.1/", "http://127.0.0.1:%d/" % front),
            ("/etc/nginx/conf.d/", work + "/nginx/")], "limend "):
        if command.endswith("reload"):
            is_true("nginx and limend listen", wait_for(lambda: answers(front) and answers(gate)))
    with open("background.log") as file:
        said = file.read()
    is_true("limend tells where its page is", "the console is at http://127.0.0.1:%d/ui\n" % gate in said, said)

# ---- perfSONAR, with a server that answers as the API of pScheduler does ----


class Tasks(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/pscheduler/tasks?expanded&detail":
            return self.send_error(404)
        self.path = "/docs/examples/perfsonar/tasks.json"
        return super().do_GET()

    def log_message(self, *_):
        pass


os.symlink(os.path.join(SOURCE, "conf.d"), "conf.d")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tasks)
threading.Thread(target=server.serve_forever, daemon=True).start()
for _ in run_guide("perfsonar.md", [("https://localhost/", "http://127.0.0.1:%d/" % server.server_port)]):
    pass
is_true("the tasks of the host were fetched", os.path.exists("tasks.json"))
finish()
