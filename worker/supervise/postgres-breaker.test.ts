import { beforeAll, describe, expect, it } from "vitest";
import { StepError } from "#lib/contract/step-error";
import type { BreakerPort } from "#lib/core/engine/ports";
import { seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { postgresBreaker } from "#worker/supervise/postgres-breaker";

useTestDatabase();

const failure = new StepError("UPSTREAM_ERROR", "503");
let workspaceId: string;
beforeAll(async () => {
  workspaceId = (await seedWorkflow(db(), { nodes: [], edges: [] })).workspaceId;
});

async function call(breaker: BreakerPort, connector: string, error: StepError | null): Promise<void> {
  await breaker.report(connector, await breaker.admit(connector), error);
}

async function rows(connector: string) {
  const text = "select state, cardinality(failures) as failures from circuit_breakers where connector = $1";
  return (await db().query(text, [connector])).rows;
}

function backdate(connector: string, interval: string) {
  const text = "update circuit_breakers set retry_at = retry_at - $2::interval where connector = $1";
  return db().query(text, [connector, interval]);
}

describe("circuit breakers, shared by all workers (decisions, Connectors)", () => {
  it("successes of a closed breaker are not written", async () => {
    await call(postgresBreaker(workspaceId), "quiet", null);
    expect(await rows("quiet")).toEqual([]);
  });

  it("five failures that two workers see at the same time open it for both", async () => {
    const workers = [postgresBreaker(workspaceId), postgresBreaker(workspaceId)];
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => call(workers[index % 2] as BreakerPort, "busy", failure)),
    );
    expect(await rows("busy")).toEqual([{ state: "open", failures: 5 }]);
    for (const worker of workers) {
      const error = await worker.admit("busy").catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "UPSTREAM_ERROR",
        reason: "circuit_open",
        message: expect.stringMatching(/^circuit open/),
      });
      expect((error as StepError).retryAfterMs).toBeLessThanOrEqual(60_000);
      expect((error as StepError).retryAfterMs).toBeGreaterThan(50_000);
    }
  });

  it("after a minute one of many calls gets through as the probe, and its success closes it", async () => {
    await backdate("busy", "61 seconds");
    const worker = postgresBreaker(workspaceId);
    const admitted = await Promise.allSettled(Array.from({ length: 6 }, () => worker.admit("busy")));
    const passes = admitted.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(passes).toEqual([{ isProbe: true }]);
    await worker.report("busy", { isProbe: true }, null);
    expect(await rows("busy")).toEqual([{ state: "closed", failures: 0 }]);
    expect(await worker.admit("busy")).toEqual({ isProbe: false });
  });

  it("opens no matter what the service writes into its errors", async () => {
    const odd = new StepError("UPSTREAM_ERROR", "500: \u0000 of ada@example.com");
    for (let count = 0; count < 5; count += 1) await call(postgresBreaker(workspaceId), "odd", odd);
    expect(await rows("odd")).toEqual([{ state: "open", failures: 5 }]);
  });

  it("does not affect the breakers of another workspace", async () => {
    const other = await seedWorkflow(db(), { nodes: [], edges: [] });
    for (let count = 0; count < 5; count += 1) await call(postgresBreaker(workspaceId), "mine", failure);
    expect(await postgresBreaker(other.workspaceId).admit("mine")).toEqual({ isProbe: false });
  });
});
