"""Lists the published actions, calls one over REST and prints its output. Standard library only."""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

BASE = os.environ.get("SIGNALBOX_URL", "http://localhost:3000").rstrip("/") + "/api/v1/runtime"
KEY = os.environ.get("SVC_API_KEY", "")
RETRIED = {429, 502, 503, 504}
RETRIES = 4
MAX_WAIT_SECONDS = 60


class ApiError(Exception):
    """A refused request. `code` is for programs, the message for people."""

    def __init__(self, body: dict):
        self.code = body.get("code", "UNKNOWN")
        details = f" {json.dumps(body['details'])}" if "details" in body else ""
        super().__init__(f"{self.code}: {body.get('error', 'no message')}{details}")


def ask(path: str, body: dict | None = None, headers: dict | None = None) -> dict:
    """Sends a request, and sends it again after a rate limit, a busy server or a lost connection."""
    data = None if body is None else json.dumps(body).encode()
    sent = {"authorization": f"Bearer {KEY}", "content-type": "application/json", **(headers or {})}
    for attempt in range(RETRIES + 1):
        wait = 2**attempt
        try:
            with urllib.request.urlopen(urllib.request.Request(BASE + path, data, sent), timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            wait = int(refusal.headers.get("retry-after", wait))
            if refusal.code not in RETRIED or attempt == RETRIES or wait > MAX_WAIT_SECONDS:
                raise ApiError(read_json(refusal)) from refusal
        except urllib.error.URLError:
            if attempt == RETRIES:
                raise
        time.sleep(wait)
    raise AssertionError("unreachable")


def read_json(refusal: urllib.error.HTTPError) -> dict:
    try:
        return json.load(refusal)
    except ValueError:
        return {"error": f"HTTP {refusal.code}"}


def call_action(slug: str, action_input: dict) -> dict:
    for action in ask("/actions")["data"]:
        print(f"action {action['slug']}: {action['description'] or 'no description'}", file=sys.stderr)

    # One idempotency key per intended call: however often the request is repeated, it starts one run.
    run = ask(f"/actions/{slug}/run", {"input": action_input}, {"idempotency-key": str(uuid.uuid4())})
    print(f"run {run['run_id']}: {run['status']}", file=sys.stderr)
    reported_approval = None
    while run["status"] in ("accepted", "running", "waiting_for_approval"):
        if run["status"] == "waiting_for_approval":
            approval = run["approval"]
            if approval["id"] != reported_approval:
                print(f"waiting for a decision: {approval['message'] or 'approve or reject this run'}", file=sys.stderr)
            reported_approval = approval["id"]
            # The API answers at once for a run that waits for a person.
            time.sleep(2)
        run = ask(f"/runs/{run['run_id']}", headers={"prefer": "wait=25"})
    return run


def main() -> int:
    slug = sys.argv[1] if len(sys.argv) > 1 else "hello-world"
    action_input = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {"name": "Ada"}
    try:
        run = call_action(slug, action_input)
    except (ApiError, urllib.error.URLError) as error:
        print(error, file=sys.stderr)
        return 1
    if run["status"] != "succeeded":
        message = (run["error"] or {}).get("message", "no error")
        print(f"The run {run['run_id']} is {run['status']}: {message}", file=sys.stderr)
        return 1
    print(json.dumps(run["output"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
