"""A headless Chromium that opens pages for the tests, driven over its own debugging pipe."""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
MISSING = "no Chromium here; on Debian: apt-get install chromium"
PATIENCE = 60  # seconds for one answer: a loaded machine starts a browser slowly
_SWITCHES = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"),
    "--remote-debugging-pipe",
]

# The texts whose contrast with what lies behind them is below the 4.5 : 1 that WCAG AA asks for.
PALE_TEXTS = """(() => {
  const numbers = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = text => {
    const [r, g, b] = numbers(text).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = node => {
    for (; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      if (numbers(colour)[3] !== 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const pale = [];
  for (const node of document.body.querySelectorAll('*')) {
    const own = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
    if (!own || !node.getClientRects().length) continue;
    const style = getComputedStyle(node);
    const pair = [light(node.namespaceURI.endsWith('svg') ? style.fill : style.color), light(behind(node))];
    if ((Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05) < 4.5) pale.push(node.textContent.trim());
  }
  return pale;
})()"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Browser:
    """One tab. Whatever a page complains of (a blocked resource, an error) is kept in `complaints`."""

    def __init__(self, profile: Path) -> None:
        ours, theirs = os.pipe(), os.pipe()  # (their input, our output), (our input, their output)
        self._out, self._in, self._rest = ours[1], theirs[0], b""
        self._numbers = itertools.count(1)
        self.complaints: list[str] = []

        # Chromium reads commands from descriptor 3 and answers on 4; the shell puts the pipe's ends there.
        move = f'exec "$@" 3<&{ours[0]} 4>&{theirs[1]}'
        command = ["bash", "-c", move, "bash", CHROMIUM, *_SWITCHES, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(command, pass_fds=(ours[0], theirs[1]), stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        tab = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._call("Target.attachToTarget", {"targetId": tab, "flatten": True})["sessionId"]
        for domain in ("Page", "Log", "Runtime"):
            self._call(f"{domain}.enable")

    def close(self) -> None:
        """End the browser and wait until it is gone; it removes what it holds in the temporary folder."""
        os.write(self._out, json.dumps({"id": next(self._numbers), "method": "Browser.close"}).encode() + b"\0")
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def open(self, page: Path, *, width: int = 1400, dark: bool = False) -> None:
        """Open `page` in a window `width` CSS pixels wide."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", {"features": features})
        self._call("Page.navigate", {"url": page.as_uri()})
        deadline = time.monotonic() + PATIENCE
        ready = f"document.readyState === 'complete' && location.href === {json.dumps(page.as_uri())}"
        while not self.value(ready):
            assert time.monotonic() < deadline, f"{page} did not load"
            time.sleep(0.02)

    def value(self, expression: str) -> Any:
        """Return what a JavaScript expression gives in the page."""
        answer = self._call("Runtime.evaluate", {"expression": expression, "returnByValue": True})
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def screenshot(self, file: Path) -> None:
        """Write a PNG of the whole page."""
        answer = self._call("Page.captureScreenshot", {"captureBeyondViewport": True})
        file.write_bytes(base64.b64decode(answer["data"]))

    def pdf(self, file: Path) -> None:
        """Write the page as it is printed."""
        file.write_bytes(base64.b64decode(self._call("Page.printToPDF", {"printBackground": False})["data"]))

    def _call(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters or {}}
        if hasattr(self, "_session"):
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            if answer.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
                self.complaints.append(json.dumps(answer["params"]))

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], PATIENCE)
            data = os.read(self._in, 1 << 16) if ready else b""
            assert data, "Chromium gave no answer"
            self._rest += data
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message
