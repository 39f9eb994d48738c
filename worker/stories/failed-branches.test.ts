import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STEP_ERROR_CODES, type StepErrorCode } from "#lib/contract/run/step-error";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

/** A server that answers with the status in the path, and never answers `/0`. */
let service: Server;
beforeAll(async () => {
  service = createServer((request, response) => {
    const status = Number(request.url?.slice(1));
    if (status === 0) return;
    response.writeHead(status, { "content-type": "application/json", "retry-after": "7" });
    response.end(JSON.stringify({ id: "e1", mail: "ada@example.org" }));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

const STATUS_OF = { AUTH_EXPIRED: 401, RATE_LIMITED: 429, VALIDATION_ERROR: 422, UPSTREAM_ERROR: 503, TIMEOUT: 0 };

function request(code: keyof typeof STATUS_OF): GraphNode {
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/${STATUS_OF[code]}`;
  return node("it", "connector", {
    connector: "http",
    operation: "request",
    params: { url, ...(code === "TIMEOUT" ? { timeout_ms: 50 } : {}) },
  });
}

function throwing(id: string, code: StepErrorCode): GraphNode {
  const error = code === "UNKNOWN" ? "new Error('no')" : `{ code: "${code}", message: "no", retryAfterMs: 7000 }`;
  return node(id, "code", { source: `throw ${error}` });
}

/** Returns a step and the steps inside it, its regular end, and a report of its error on its Failed branch. */
function rescued(...nodes: GraphNode[]) {
  const fields = ["code", "reason", "message", "status", "body", "retryAfterMs"].map((name) => {
    return { name, value: `{{it.error.${name}}}` };
  });
  const report = node("report", "transform", { fields });
  const out = node("out", "return_output", { properties: [{ name: "x", type: "object", value: "{{report}}" }] });
  return between([...nodes, report, out], "in>it>out", "it.failed>report>out");
}

async function runsInto(expected: object, ...nodes: GraphNode[]) {
  const run = await stage.startDefinition(rescued(...nodes));
  const { output } = await stage.reaches(run, "succeeded");
  expect(output.x).toMatchObject(expected);
  expect(await stage.kinds(run)).toEqual(expect.arrayContaining(["it:failed_continued", "report:completed"]));
  return run;
}

describe("a failed step on a real worker takes the path that its author drew", () => {
  it.each(Object.keys(STATUS_OF) as (keyof typeof STATUS_OF)[])("an HTTP request: %s", async (code) => {
    const isAnswered = code !== "TIMEOUT";
    const run = await runsInto(
      {
        code,
        // Later steps read a redacted value, like all stored parts of an error.
        ...(isAnswered ? { status: STATUS_OF[code], body: { id: "e1", mail: "[REDACTED_EMAIL]" } } : { status: null }),
        retryAfterMs: code === "RATE_LIMITED" || code === "UPSTREAM_ERROR" ? 7_000 : null,
      },
      request(code),
    );
    const step = await stage.step(run, "it");
    expect(step).toMatchObject({ status: "failed_continued", error: { code } });
    expect(step?.error?.body).toEqual(isAnswered ? { id: "e1", mail: "[REDACTED_EMAIL]" } : undefined);
  });

  it.each(STEP_ERROR_CODES)("code, and a loop around it: %s", async (code) => {
    const pause = code === "UNKNOWN" ? null : 7_000;
    await runsInto(
      { code, reason: code === "UNKNOWN" ? "code_threw" : code.toLowerCase(), retryAfterMs: pause },
      throwing("it", code),
    );
    const loop = node("it", "loop", { items: [1, 2] });
    await runsInto({ code, retryAfterMs: pause }, loop, { ...throwing("inside", code), parentId: "it" });
  });

  it.each(STEP_ERROR_CODES)("a sub-run that failed: %s", async (code) => {
    const definition = between([throwing("child", code)], "in>child>out");
    const { slug } = await stage.addAction({ definition });
    // A timeout of the sub-run is not a timeout of the step.
    const expected = code === "TIMEOUT" ? "UPSTREAM_ERROR" : code;
    await runsInto(
      { code: expected, message: expect.stringContaining("ended with status") },
      node("it", "sub_workflow", { action_slug: slug, input: { name: "Ada" } }),
    );
  });

  it("JSONata that fails on its data", async () => {
    await runsInto(
      { code: "VALIDATION_ERROR", reason: "code_failed" },
      node("it", "transform", { jsonata: "1 + 'a'" }),
    );
  });
});
