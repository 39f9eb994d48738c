import { describe, expect, it } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import type { BreakerPort, Destination } from "#lib/core/engine/ports";
import { forgetIdleBreakers } from "#lib/domain/connections/forget-idle-breakers";
import { listCircuits } from "#lib/domain/connections/list-circuits";
import { seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";
import { postgresBreaker } from "#worker/supervise/postgres-breaker";

await openTestDatabase();

const failure = new StepError("UPSTREAM_ERROR", "503");
const workspaceId = (await seedWorkflow(db(), { nodes: [], edges: [] })).workspaceId;

const to = (connector: string, origin: string | null = null, connectionId: string | null = null) => ({
  connector,
  connectionId,
  origin,
});
const breakerOf = (ofWorkspace: string, isTest = false) => postgresBreaker({ workspaceId: ofWorkspace, isTest });

async function call(breaker: BreakerPort, destination: string | Destination, error: StepError | null): Promise<void> {
  const called = typeof destination === "string" ? to(destination) : destination;
  await breaker.report(called, await breaker.admit(called), error);
}

async function rows(connector: string) {
  const text = "select state, cardinality(failures) as failures from circuit_breakers where connector = $1";
  return (await db().query(text, [connector])).rows;
}

async function addConnection(name: string): Promise<string> {
  const id = uuidv7();
  await db().query(
    `insert into connections (id, workspace_id, connector, name, credentials_sealed, created_by)
     values ($1, $2, 'http', $3, 'sealed', (select created_by from workflows where workspace_id = $2 limit 1))`,
    [id, workspaceId, name],
  );
  return id;
}

function backdate(connector: string, interval: string) {
  const text = "update circuit_breakers set retry_at = retry_at - $2::interval where connector = $1";
  return db().query(text, [connector, interval]);
}

describe("circuit breakers, shared by all workers (decisions, Connectors)", () => {
  it("a closed breaker does not write successes", async () => {
    await call(breakerOf(workspaceId), "quiet", null);
    expect(await rows("quiet")).toEqual([]);
  });

  it("five failures that two workers see at the same time open the breaker for both", async () => {
    const workers = [breakerOf(workspaceId), breakerOf(workspaceId)];
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => call(workers[index % 2] as BreakerPort, "busy", failure)),
    );
    expect(await rows("busy")).toEqual([{ state: "open", failures: 5 }]);
    for (const worker of workers) {
      const error = await worker.admit(to("busy")).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "UPSTREAM_ERROR",
        reason: "circuit_open",
        message: expect.stringMatching(/^circuit open/),
      });
      expect((error as StepError).retryAfterMs).toBeLessThanOrEqual(60_000);
      expect((error as StepError).retryAfterMs).toBeGreaterThan(50_000);
    }
  });

  it("after a minute, one of many calls passes as the probe, and its success closes the breaker", async () => {
    await backdate("busy", "61 seconds");
    const worker = breakerOf(workspaceId);
    const admitted = await Promise.allSettled(Array.from({ length: 6 }, () => worker.admit(to("busy"))));
    const passes = admitted.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(passes).toEqual([{ isProbe: true }]);
    await worker.report(to("busy"), { isProbe: true }, null);
    expect(await rows("busy")).toEqual([{ state: "closed", failures: 0 }]);
    expect(await worker.admit(to("busy"))).toEqual({ isProbe: false });
  });

  it("a breaker opens no matter what the service writes into its errors", async () => {
    const odd = new StepError("UPSTREAM_ERROR", "500: \u0000 of ada@example.com");
    for (let count = 0; count < 5; count += 1) await call(breakerOf(workspaceId), "odd", odd);
    expect(await rows("odd")).toEqual([{ state: "open", failures: 5 }]);
  });

  it("a breaker does not affect other workspaces", async () => {
    const other = await seedWorkflow(db(), { nodes: [], edges: [] });
    for (let count = 0; count < 5; count += 1) await call(breakerOf(workspaceId), "mine", failure);
    expect(await breakerOf(other.workspaceId).admit(to("mine"))).toEqual({ isProbe: false });
  });

  it("five failures of one origin never refuse another origin, connection, or connector", async () => {
    const worker = breakerOf(workspaceId);
    const [mine, yours] = [await addConnection("mine"), await addConnection("yours")];
    const failing = to("http", "https://a.example.com", mine);
    for (let count = 0; count < 5; count += 1) await call(worker, failing, failure);
    await expect(worker.admit(failing)).rejects.toThrow("circuit open: http at https://a.example.com failed too often");
    for (const other of [
      to("http", "https://b.example.com", mine),
      to("http", "https://a.example.com:8443", mine),
      to("http", "http://a.example.com", mine),
      to("http", "https://a.example.com", yours),
      to("http", "https://a.example.com", null),
      to("http", null, mine),
      to("shop", "https://a.example.com", mine),
    ]) {
      expect(await worker.admit(other)).toEqual({ isProbe: false });
    }
  });

  it("tests of drafts have their own breaker, which is not listed", async () => {
    const tests = breakerOf(workspaceId, true);
    for (let count = 0; count < 5; count += 1) await call(tests, "drafted", failure);
    await expect(tests.admit(to("drafted"))).rejects.toThrow("circuit open");
    expect(await breakerOf(workspaceId).admit(to("drafted"))).toEqual({ isProbe: false });
    expect((await listCircuits(workspaceId)).map(({ connector }) => connector)).not.toContain("drafted");
  });

  it("a closed breaker is deleted with its last failure, and an open one an hour after its next probe is possible", async () => {
    const worker = breakerOf(workspaceId);
    for (const [name, count] of [
      ["once", 1],
      ["down", 5],
      ["gone", 5],
      ["fresh", 1],
    ] as const) {
      for (let at = 0; at < count; at += 1) await call(worker, name, failure);
    }
    await db().query(
      "update circuit_breakers set failures = array[now() - interval '6 minutes'] where connector = 'once'",
    );
    await backdate("gone", "62 minutes");
    await forgetIdleBreakers();
    expect(await rows("once")).toEqual([]);
    expect(await rows("gone")).toEqual([]);
    expect(await rows("fresh")).toHaveLength(1);
    expect(await rows("down")).toHaveLength(1);
  });
});
