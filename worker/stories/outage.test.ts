import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { listCircuits } from "#lib/domain/connections/list-circuits";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { reservePort } from "#scripts/testing/reserve-port";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";
import { startTestWorker, type TestWorker } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();
let second: TestWorker;
beforeAll(async () => {
  second = await startTestWorker();
});
afterAll(async () => {
  second.child.kill("SIGKILL");
  await second.exited;
});

/** Starts a vendor's server at a fixed address. It can be switched off. */
async function startVendor(port: number, calls: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    calls.push(String(request.headers["idempotency-key"]));
    response.setHeader("connection", "close").end("{}");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const endVendor = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

test("during a vendor's outage, two workers stop after five calls, probe once, and continue after a success", async () => {
  const calls: string[] = [];
  // While the vendor is down, nothing else may listen there.
  const port = await reservePort();
  const vendor = await startVendor(port, calls);
  const params = { method: "POST", url: `http://127.0.0.1:${port}/orders` };
  const definition = between(
    [node("call", "connector", { connector: "http", operation: "request", params })],
    "in>call>out",
  );
  const run = async (status: string) => stage.reaches(await stage.startDefinition(definition), status);
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

  // The vendor is up again, but no worker calls it until the minute is over, no matter which one has the run.
  const again = await startVendor(port, calls);
  for (const { error } of await together(8, "failed")) {
    expect(error.reason).toBe("circuit_open");
    expect(error.message).toMatch(/^circuit open: http .* Its last failure: .*ECONNREFUSED/);
    expect(error.retryAfterMs).toBeGreaterThan(0);
  }
  expect(calls).toHaveLength(4);

  await db().query("update circuit_breakers set retry_at = now() - interval '1 ms' where workspace_id = $1", [
    workspaceId,
  ]);
  await run("succeeded");
  expect(calls).toHaveLength(5);
  expect(await listCircuits(workspaceId)).toEqual([]);
  await together(4, "succeeded");
  expect(calls).toHaveLength(9);
  await endVendor(again);
});

/** Starts a server that answers according to the path: `/ok`, `/fail`, or a redirect to `/to/<address>`. */
async function startScripted(): Promise<{ url: string; paths: string[]; server: Server }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    paths.push(path);
    if (path.startsWith("/to/")) response.setHeader("location", decodeURIComponent(path.slice("/to/".length)));
    response.statusCode = path.startsWith("/to/") ? 302 : path.startsWith("/fail") ? 503 : 200;
    response.setHeader("connection", "close").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, server };
}

const REQUEST = between(
  [node("call", "connector", { connector: "http", operation: "request", params: { url: "{{action_input.name}}" } })],
  "in>call>out",
);

describe("five failures of host A", () => {
  let [a, b]: Awaited<ReturnType<typeof startScripted>>[] = [];
  const request = async (url: string, status: string) =>
    stage.reaches(await stage.startDefinition(REQUEST, { name: url }), status);

  beforeAll(async () => {
    a = await startScripted();
    b = await startScripted();
    for (let count = 0; count < LIMITS.breakerFailures; count += 1) await request(`${a?.url}/fail`, "failed");
  });
  afterAll(async () => {
    for (const one of [a, b]) if (one) await endVendor(one.server);
  });

  test("refuse host A, but never host B, although both come from one template", async () => {
    const { error } = await request(`${a?.url}/ok`, "failed");
    expect(error).toMatchObject({
      reason: "circuit_open",
      message: expect.stringContaining(`http at ${a?.url} failed`),
    });
    for (let count = 0; count < 3; count += 1) await request(`${b?.url}/ok`, "succeeded");
    expect((await listCircuits(stage.workspace.workspaceId)).map(({ origin }) => origin)).toContain(a?.url);
  });

  test("keep a redirect of host B from calling host A, which does not count as a failure of B", async () => {
    const asked = a?.paths.length;
    const redirect = `${b?.url}/to/${encodeURIComponent(`${a?.url}/ok`)}`;
    for (let count = 0; count < LIMITS.breakerFailures + 1; count += 1) {
      const { error } = await request(redirect, "failed");
      expect(error).toMatchObject({ reason: "circuit_open", message: expect.stringContaining(`http at ${a?.url}`) });
    }
    expect(a?.paths.length).toBe(asked);
    await request(`${b?.url}/ok`, "succeeded");
  });

  test("count as one failure if they are attempts of one step", async () => {
    const definition = between(
      [
        node("call", "connector", {
          connector: "http",
          operation: "request",
          maxRetries: 1,
          params: { url: `${b?.url}/fail` },
        }),
      ],
      "in>call>out",
    );
    await stage.reaches(await stage.startDefinition(definition), "failed");
    const { rows } = await db().query("select cardinality(failures) as count from circuit_breakers where origin = $1", [
      b?.url,
    ]);
    expect(rows).toEqual([{ count: 1 }]);
    expect(b?.paths.filter((path) => path === "/fail")).toHaveLength(2);
  });

  test("behind redirects of host B count for host A", async () => {
    const [c, d] = [await startScripted(), await startScripted()];
    const redirect = `${d.url}/to/${encodeURIComponent(`${c.url}/fail`)}`;
    for (let count = 0; count < LIMITS.breakerFailures; count += 1) await request(redirect, "failed");
    expect(await request(`${c.url}/ok`, "failed")).toMatchObject({ error: { reason: "circuit_open" } });
    await request(`${d.url}/ok`, "succeeded");
    await Promise.all([endVendor(c.server), endVendor(d.server)]);
  });
});
