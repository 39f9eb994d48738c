"""Does what an agent does over MCP: lists the actions, calls one, waits for the run and prints its output.

MCP is JSON-RPC over HTTP POST, and Signalbox keeps no sessions: a tool call is one request. Standard library only.
"""

import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("SIGNALBOX_URL", "http://localhost:3000").rstrip("/") + "/mcp"
KEY = os.environ.get("SVC_API_KEY", "")
RETRIES = 4
MAX_WAIT_SECONDS = 60


class ToolError(Exception):
    """A failed tool call. `code` is the same as on REST."""

    def __init__(self, body: dict, hint: str):
        self.code = body["code"]
        super().__init__(f"{self.code}: {body['error']} {hint}")


def post(method: str, params: dict) -> dict:
    message = {"jsonrpc": "2.0", "id": str(uuid.uuid4()), "method": method, "params": params}
    headers = {
        "authorization": f"Bearer {KEY}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
    }
    request = urllib.request.Request(URL, json.dumps(message).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        reply = json.load(answer)
    if "error" in reply:
        raise RuntimeError(reply["error"]["message"])
    return reply["result"]


def call_tool(name: str, arguments: dict) -> dict:
    """Calls a tool, and calls it again when the rate limit or a busy server says to wait."""
    for attempt in range(RETRIES + 1):
        result = post("tools/call", {"name": name, "arguments": arguments})
        if not result.get("isError"):
            return result["structuredContent"]
        # The first block holds { error, code, reason, details? }. The second says in words how to continue.
        body, hint, *_ = [block["text"] for block in result["content"]] + [""]
        failure = ToolError(json.loads(body), hint)
        seconds = re.search(r"(\d+) seconds", hint)
        wait = int(seconds[1]) if seconds else 1
        is_temporary = failure.code in ("RATE_LIMIT_EXCEEDED", "SERVICE_UNAVAILABLE")
        if not is_temporary or attempt == RETRIES or wait > MAX_WAIT_SECONDS:
            raise failure
        time.sleep(wait)
    raise AssertionError("unreachable")


def call_action(slug: str, action_input: dict) -> dict:
    for action in call_tool("list_actions", {})["data"]:
        print(f"action {action['slug']}: {action.get('description', 'no description')}", file=sys.stderr)

    # One idempotency key per intended call: however often the tool is called with it, it starts one run.
    call = {"slug": slug, "input": action_input, "idempotency_key": str(uuid.uuid4()), "wait_seconds": 25}
    run = call_tool("run_action", call)
    print(f"run {run['run_id']}: {run['status']}", file=sys.stderr)
    reported_approval = None
    while run["status"] in ("accepted", "running", "waiting_for_approval"):
        if run["status"] == "waiting_for_approval":
            approval = run["approval"]
            if approval["id"] != reported_approval:
                print(f"waiting for a decision: {approval.get('message', 'approve or reject this run')}", file=sys.stderr)
            reported_approval = approval["id"]
            # The tool answers at once for a run that waits for a person.
            time.sleep(2)
        run = call_tool("wait_for_run", {"run_id": run["run_id"], "timeout_seconds": 25})
    return run


def main() -> int:
    slug = sys.argv[1] if len(sys.argv) > 1 else "hello-world"
    action_input = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {"name": "Ada"}
    try:
        run = call_action(slug, action_input)
    except (ToolError, RuntimeError, urllib.error.URLError) as error:
        print(error, file=sys.stderr)
        return 1
    if run["status"] != "succeeded":
        message = run.get("error", {}).get("message", "no error")
        print(f"The run {run['run_id']} is {run['status']}: {message}", file=sys.stderr)
        return 1
    print(json.dumps(run["output"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
