import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { listCircuits } from "#lib/domain/connections/list-circuits";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { startTestWorker, type TestWorker } from "#worker/supervise/worker-process.fixture";
import { between, reachesStatus, startRun, useWorkerStage } from "#worker/worker-stage.fixture";

const stage = useWorkerStage();
let second: TestWorker;
beforeAll(async () => {
  second = await startTestWorker();
});
afterAll(async () => {
  second.child.kill("SIGKILL");
  await second.exited;
});

/** A vendor at a fixed address that can be switched off. */
function startVendor(port: number, calls: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    calls.push(String(request.headers["idempotency-key"]));
    response.setHeader("connection", "close").end("{}");
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

const endVendor = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

test("during a vendor's outage two workers call five times, then not at all, then once as a probe, then again", async () => {
  const calls: string[] = [];
  const vendor = await startVendor(0, calls);
  const { port } = vendor.address() as AddressInfo;
  const params = { method: "POST", url: `http://127.0.0.1:${port}/orders` };
  const definition = between(
    [node("call", "connector", { connector: "http", operation: "request", params })],
    "in>call",
    "call>out",
  );
  const run = async (status: string) => reachesStatus(await startRun(stage, definition), status);
  const together = (count: number, status: string) => Promise.all(Array.from({ length: count }, () => run(status)));
  const { workspaceId } = stage.workspace;
  await together(4, "succeeded");
  expect(await listCircuits(workspaceId)).toEqual([]);

  await endVendor(vendor);
  for (const { error } of await together(LIMITS.breakerFailures, "failed")) {
    expect(error).toMatchObject({
      code: "UPSTREAM_ERROR",
      reason: "service_unreachable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  }
  const [circuit] = await listCircuits(workspaceId);
  expect(circuit).toMatchObject({
    connector: "http",
    state: "open",
    failures: LIMITS.breakerFailures,
    last_error: expect.stringContaining("ECONNREFUSED"),
  });
  expect(Date.parse(circuit?.retry_at ?? "") - Date.parse(circuit?.opened_at ?? "")).toBe(LIMITS.breakerOpenMs);

  // The vendor is up again, but no worker calls it before the minute is over, whichever one has the run.
  const again = await startVendor(port, calls);
  for (const { error } of await together(8, "failed")) {
    expect(error.reason).toBe("circuit_open");
    expect(error.message).toMatch(/^circuit open: http .* Its last failure: .*ECONNREFUSED/);
    expect(error.retryAfterMs).toBeGreaterThan(0);
  }
  expect(calls).toHaveLength(4);

  await db().query("update circuit_breakers set retry_at = clock_timestamp() where workspace_id = $1", [workspaceId]);
  await run("succeeded");
  expect(calls).toHaveLength(5);
  expect(await listCircuits(workspaceId)).toEqual([]);
  await together(4, "succeeded");
  expect(calls).toHaveLength(9);
  await endVendor(again);
});
