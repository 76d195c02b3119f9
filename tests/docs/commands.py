# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of the pages, in order, and compares what they print with what is shown.

They run in a copy of the examples, with limen and limend in front of PATH. A block is a shell of
its own. limend runs in the background until the page ends, or the next limend starts that listens
like it. Ports are replaced by free ones, and the rows "use" of pages.txt replace other texts.
"""
import socket

from pages import *

PATIENCE = int(os.environ.get("LIMEN_TEST_PATIENCE", "60"))
BUILD = os.environ.get("LIMEN_BUILDDIR", "")
# Commands that begin with another word have a row "skip": make check may be run by root. So has
# make in the top folder, which is that of limen itself.
SAFE = '''. ./embed cc cd cp curl echo exec export for install jq limen limend make mkdir mkfifo nginx python3
while "$LIMEN_BUILDDIR/tests/kit/serve" "$LIMEN_BUILDDIR/tests/cases/run_cases"'''.split()
TOOLS = ("curl", "dot", "jq", "python3")
LIMEND = r"""#!/bin/sh
case " $* " in *" --check "* | *" --help "*) exec "$LIMEND" "$@" ;; esac
case " $* " in *" --unix "*) run=$WORK/unix ;; *) run=$WORK/tcp ;; esac
if [ -e "$run.pid" ]; then
	pid=$(cat "$run.pid")
	kill -KILL "$pid" && for n in 1 2 3 4 5 6 7 8 9; do ! kill -0 "$pid" || sleep 0.1; done
fi 2> /dev/null
rm -f "$run.addresses"
case " $* " in *" --listen "* | *" --unix "*) ;; *) set -- "$@" --listen "127.0.0.1:$LIMEN_PORT" ;; esac
"$LIMEND" "$@" --address-file "$run.addresses" > "$run.log" 2>&1 &
echo $! > "$run.pid"
while [ ! -e "$run.addresses" ] && kill -0 $! 2> /dev/null; do sleep 0.02; done
cat "$run.log"
kill -0 $!
"""
out = os.path.join(work, "out")
shells = []


@atexit.register
def end_shells():
    """Ends what still runs in the background."""
    while shells:
        try:
            os.killpg(shells[-1].pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        shells.pop().wait()


def copy_examples():
    """Pages may change theirs."""
    target = os.path.join(work, "tree/docs/examples")
    shutil.rmtree(target, True)
    subprocess.run(["sh", "-c", "cp -R '%s/docs/examples' '%s' && chmod -R u+w '%s'" % (SOURCE, target, target)],
                   check=True)


def write_script(name, text):
    path = os.path.join(work, "bin", name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)


def link_all(source, target, but):
    for name in os.listdir(source):
        if name not in (but, ".git"):
            os.symlink(os.path.join(source, name), os.path.join(target, name))


def make_work():
    for name in "bin", "out", "pc", "etc/limen", "run", "tree/docs":
        os.makedirs(os.path.join(work, name))
    link_all(SOURCE, os.path.join(work, "tree"), "docs")
    os.symlink(os.path.join(SOURCE, "conf.d"), os.path.join(work, "etc/limen/conf.d"))
    for kind in sorted(os.listdir(os.path.join(BUILD, "plugins"))) if BUILD else ():
        os.makedirs(os.path.join(work, "modules", kind))
        for path in glob.glob(os.path.join(BUILD, "plugins", kind, ".libs", "*.so")):
            os.symlink(path, os.path.join(work, "modules", kind, os.path.basename(path)))
    link_all(os.path.join(SOURCE, "docs"), os.path.join(work, "tree/docs"), "examples")
    for name in "limen", "limen-testkit":
        path = os.path.join(BUILD, name + ".pc")
        if os.path.exists(path):
            with open(path) as file, open(os.path.join(work, "pc", name + ".pc"), "w") as copy:
                text = re.sub(r"(?m)^includedir=.*", "includedir=%s/include -I%s/include" % (SOURCE, BUILD), file.read())
                text = re.sub(r"(?m)^libdir=.*", "libdir=%s/.libs" % BUILD, text)
                copy.write(re.sub(r"(?m)^moduledir=.*", "moduledir=%s/modules" % work, text))
    write_script("limen", '#!/bin/sh\nexec "$LIMEN" "$@"\n')
    write_script("limend", LIMEND)
    write_script("cc", '#!/bin/sh\nexec %s %s "$@"\n' % (os.environ.get("CC", "cc"),
                                                         os.environ.get("SANITIZE_CFLAGS", "")))


def make_environment():
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and
           name not in ("LIMEN_POLICY", "NO_COLOR", "COLUMNS", "TERM", "MFLAGS", "CC", "CFLAGS")}
    env.update(PATH="%s/bin:%s" % (work, env["PATH"]), WORK=work, HOME=work, LC_ALL="C", TZ="UTC",
               PKG_CONFIG_PATH=work + "/pc", PYTHONDONTWRITEBYTECODE="1",
               LIMEN_MODULE_PATH=work + "/modules" if BUILD else os.environ["LIMEN_MODULE_PATH"])
    return env


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


class Page:
    """One page: its texts that are replaced, and its shell."""

    def __init__(self, name):
        self.name, self.ports = name, {"8443": free_port()}
        folder = os.path.dirname(name) if name.startswith("docs/examples/") else "."
        for row in rows_of(name, "in"):
            folder = row.left
        self.folder = os.path.join(work, "tree", folder)

    def put_port(self, found):
        if found[2] not in self.ports:
            self.ports[found[2]] = free_port()
        return found[1] + self.ports[found[2]]

    def translate(self, text):
        for row in rows_of(self.name, "use"):
            text = text.replace(row.left, row.right.replace("$WORK", work))
        return self.use_ports(text)

    def use_ports(self, text):
        return re.sub(r"(127\.0\.0\.1:|localhost:|0\.0\.0\.0:|\[::\]:)(\d{4,5})\b", self.put_port, text)

    def blur(self, text):
        """Without what differs each time; ports are those of the page again."""
        for shown, port in self.ports.items():
            text = re.sub(r":%s\b" % port, ":" + shown, text)
        text = re.sub(r"\b\d+ us,", "N us,", text.replace("\r", "").replace(work, ""))
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:]+\.\d{6}Z|Date: .*|nginx/[\d.]+", "-", text)
        text = re.sub(r'"(replica|rates|duration|age)":(\{[^}]*\}|"[^"]*"|[\d.e-]+)', r'"\1":-', text)
        return re.sub(r"(?i)(Content-Length: |Retry-After: |;[tw]=)\d+", r"\1-", text).strip()

    def run(self, commands):
        """Runs them in one shell; gives each one's exit status, or None, and what it printed."""
        script = ["cd '%s' || exit" % self.folder]
        for number, command in enumerate(commands):
            script.append("{ %s\n} > '%s/%d' 2>&1 < /dev/null\nset -- $?; echo $1 > '%s/%d.status'; (exit $1)"
                          % (command, out, number, out, number))
        for name in os.listdir(out):
            os.unlink(os.path.join(out, name))
        shell = subprocess.Popen(["sh", "-c", "\n".join(script)], stdin=subprocess.DEVNULL, start_new_session=True,
                                 env=dict(environment, LIMEN_PORT=self.ports["8443"]))
        shells.append(shell)
        try:
            shell.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)
        for number in range(len(commands)):
            try:
                with open("%s/%d.status" % (out, number)) as status, open("%s/%d" % (out, number), "rb") as said:
                    yield int(status.read()), said.read().decode(errors="replace")
            except (OSError, ValueError):
                yield None, "it did not end, or the shell did before"


def missing_tool(items):
    return next((tool for tool in TOOLS for item in items
                 if re.search(r"(^|[|;(] ?)%s " % tool, item.text) and not shutil.which(tool)), None)


def is_safe(page, command):
    words = [word for word in command.split() if not re.match(r"\w+=", word)] or [""]
    return words[0] in SAFE and (words[0] != "make" or words[1:2] == ["-C"] or "/docs/examples/" in page.folder)


def run_block(page, block):
    tool = missing_tool(block.items)
    if tool:
        skip("%s:%d" % (page.name, block.line), "no " + tool)
        return
    commands = [page.translate(item.text) for item in block.items]
    unsafe = [item for item, command in zip(block.items, commands) if not is_safe(page, command)]
    for item in unsafe:
        is_true(item.name(), False, "it is not in SAFE; say in pages.txt why it is not run")
    if unsafe:
        return
    for item, (status, said) in zip(block.items, page.run(commands)):
        if item.shown is None or not said + item.shown:
            wanted = int(" # refused" in item.text)
            is_true(item.name(), status == wanted, "exit status %s\n%s" % (status, said))
        else:
            shown, got = page.blur(item.shown), page.blur(said)
            is_true(item.name(), shown == got, "shown:\n%s\nprinted, with exit status %s:\n%s" % (shown, status, got))


def run_page(name, blocks):
    copy_examples()
    page = Page(name)
    for row in rows_of(name, "needs"):
        if not shutil.which(row.left):
            skip(name, "no " + row.left)
            return
    for row in rows_of(name, "before"):
        (status, said), = page.run([page.use_ports(row.left)])
        if status != 0:
            is_true("%s: before: %s" % (name, row.left), False, said)
    for block in blocks:
        run_block(page, block)
    end_shells()


environment = make_environment()
make_work()
pages = {}
for one in blocks_for("commands"):
    pages.setdefault(one.page, []).append(one)
# All of them, or the share of commands1.sh or one of its siblings.
for each in sorted(pages)[int(sys.argv[1]) - 1::3] if sys.argv[1:] else pages:
    run_page(each, pages[each])
finish()
