# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, spoken to through chromedriver (W3C WebDriver, JSON over HTTP)."""
import atexit
import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

from kit import finish, skip

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of the standard
PATIENCE = 60

OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--no-first-run", "--disable-default-apps", "--disable-extensions", "--mute-audio",
           "--window-size=1280,900"]


class Browser:
    def __init__(self, programs):
        self.profile = tempfile.mkdtemp()
        self.session = None
        self.log = open(os.path.join(self.profile, "driver.log"), "w+")
        # Port 0 is any that is free; it is told on standard output.
        self.driver = subprocess.Popen([programs[0], "--port=0"], stdout=subprocess.PIPE,
                                       stderr=self.log, text=True)
        self.port = None
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"binary": programs[1], "args":
                                   OPTIONS + ["--user-data-dir=" + self.profile + "/user"]}}}})
        self.session = "/session/" + made["sessionId"]

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, None if body is None else json.dumps(body),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        value = json.loads(answer.read())["value"]
        connection.close()
        if answer.status != 200:
            raise RuntimeError("%s %s: %s" % (method, path, value))
        return value

    def post(self, path, body):
        return self.call("POST", self.session + path, body)

    def open(self, url):
        self.post("/url", {"url": url})

    def run(self, script, *arguments):
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector):
        return self.run("const e = document.querySelector(arguments[0]);"
                        "return e && e.textContent", selector)

    def wait_for(self, script, *arguments):
        """Returns what the script returns once that is true, or None."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.run(script, *arguments)
            if found:
                return found
            time.sleep(0.02)
        return None

    def set(self, selector, text):
        self.run("document.querySelector(arguments[0]).value = arguments[1]", selector, text)

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).click()", selector)

    def press(self, *keys):
        actions = [{"type": "keyDown", "value": key} for key in keys]
        actions += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def messages(self):
        """What the page wrote to the console, among it every violation of its policy."""
        return [one["message"] for one in self.post("/se/log", {"type": "browser"})]

    def requests(self):
        """URLs of all that was asked for."""
        events = [json.loads(one["message"])["message"]
                  for one in self.post("/se/log", {"type": "performance"})]
        return [one["params"]["request"]["url"] for one in events
                if one["method"] == "Network.requestWillBeSent"]

    def picture(self):
        return base64.b64decode(self.call("GET", self.session + "/screenshot"))

    def end(self):
        try:
            if self.session is not None:
                self.call("DELETE", self.session)
        except (RuntimeError, OSError, ValueError):
            pass
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
        self.log.close()
        shutil.rmtree(self.profile, True)


def browse(name):
    """Returns a browser, which ends with the test; without one, skips 'name' and ends the test."""
    programs = shutil.which("chromedriver"), shutil.which("chromium")
    if None in programs:
        skip(name, "no chromium or chromedriver")
        finish()
    try:
        browser = Browser(programs)
    except (RuntimeError, OSError, ValueError) as error:
        skip(name, "it does not start: " + str(error).split("\n")[0])
        finish()
    atexit.register(browser.end)
    return browser
