# SPDX-License-Identifier: Apache-2.0
"""Compiles what the pages show in C and C++, with the public headers, and lets each other program
read its language: go, lua, make, nginx, Caddy and HAProxy.

Statements of C stand in a function, and know what fragment.h declares.
"""
import shlex

from pages import *

BUILD = os.environ["LIMEN_BUILDDIR"]
HEADERS = ["-I" + SOURCE + "/include", "-I" + BUILD + "/include"]
WARNINGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
TOOLS = {"go": ["gofmt", "-e"], "lua": ["haproxy", "-c", "-f"], "make": ["make", "-n", "-f"],
         "nginx": ["nginx", "-t", "-e", "stderr", "-p", ".", "-c"], "caddy": ["caddy", "validate", "--adapter", "caddyfile", "--config"],
         "haproxy": ["haproxy", "-c", "-f"]}


def flags_of(text):
    if "<glib" not in text:
        return HEADERS
    done = subprocess.run(["pkg-config", "--cflags", "glib-2.0"], stdout=subprocess.PIPE, check=True)
    return HEADERS + shlex.split(done.stdout.decode())


def complete(text):
    """A file of a fragment: declarations may stand alone, statements stand in a function."""
    if "#include" in text:
        return text
    if not re.search(r"^\{", text, re.M):
        text = "void fragment(void);\nvoid\nfragment(void)\n{\n%s}\n" % text
    return '#include "%s/tests/docs/fragment.h"\n%s' % (SOURCE, text)


def complete_nginx(text):
    if text.lstrip().startswith("location"):
        text = "server {\nset $limen_code '';\n%s}\n" % text
    text = text.replace("listen 80;", "listen unix:socket;")
    return "pid a.pid;\nevents { }\nhttp {\naccess_log off;\n%s}\n" % text


def complete_lua(text):
    with open("block.lua", "w") as file:
        file.write(text)
    return complete_haproxy("").replace("defaults", "global\n    lua-load %s/block.lua\ndefaults" % work, 1)


def complete_haproxy(text):
    if not text.startswith("global"):
        text = ("defaults\n    mode http\n    timeout connect 1s\n    timeout client 1s\n    timeout server 1s\n"
                "frontend api\n    bind :80\n%s\n" % text)
    return text.replace("/etc/haproxy/", SOURCE + "/docs/examples/gateways/")


COMPLETE = {"nginx": complete_nginx, "haproxy": complete_haproxy, "lua": complete_lua}


def compile_block(block, compiler, standard):
    with open("block", "w") as file:
        file.write(complete(block.text))
    others = ["-I" + os.path.dirname(os.path.join(SOURCE, block.source))] if block.source else []
    succeeds(block.items[0].name(), shlex.split(compiler) + WARNINGS + [standard, "-x", block.language.replace("cpp", "c++")] +
             flags_of(block.text) + others + ["block"])


def check(block):
    if block.language == "c":
        compile_block(block, os.environ.get("CC", "cc"), "-std=gnu11")
    elif block.language == "cpp":
        compile_block(block, os.environ.get("CXX", "c++"), "-std=c++17")
    elif not shutil.which(TOOLS[block.language][0]):
        skip(block.items[0].name(), "no " + TOOLS[block.language][0])
    else:
        text = COMPLETE.get(block.language, str)(block.text)
        with open("block", "w") as file:
            file.write(text)
        folder = os.path.dirname(os.path.join(SOURCE, block.source)) if block.language == "make" else work
        succeeds(block.items[0].name(), TOOLS[block.language] + [os.path.join(work, "block")], cwd=folder)


os.chdir(work)
for one in blocks_for("sources"):
    check(one)
finish()
