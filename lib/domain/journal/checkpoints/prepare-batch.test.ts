import { describe, expect, it } from "vitest";
import type { EngineEvent } from "#lib/core/engine/ports";
import { createMask, NO_MASK } from "#lib/core/redaction/mask-texts";
import { outputContext } from "#lib/domain/journal/checkpoints/load-outputs";
import { prepareBatch } from "#lib/domain/journal/checkpoints/prepare-batch";
import { unseal } from "#lib/platform/secrets/seal";

const run = {
  runId: "018f2f6e-0000-7000-8000-000000000001",
  workspaceId: "018f2f6e-0000-7000-8000-000000000002",
  mask: NO_MASK,
};
const now = new Date(10_000);

function event(kind: EngineEvent["kind"], nodeId: string, more: Partial<EngineEvent> = {}): EngineEvent {
  return { kind, nodeId, iteration: "", attempt: 1, at: new Date(9_000), ...more };
}

async function prepare(...events: EngineEvent[]) {
  return prepareFor(run, ...events);
}

async function prepareFor(journaled: typeof run, ...events: EngineEvent[]) {
  const batch = await prepareBatch(journaled, events, now);
  return { events: JSON.parse(batch.events), checkpoints: JSON.parse(batch.checkpoints) };
}

function open(checkpoint: { node_id: string; sealed: string }): unknown {
  const context = outputContext(run.runId, checkpoint.node_id, "");
  return unseal(run.workspaceId, context, Buffer.from(checkpoint.sealed, "base64"));
}

describe("what is stored of a step (contract, Redaction; decisions, Redaction)", () => {
  it("payloads and errors are sanitized, and the original of a changed output is sealed", async () => {
    const { events, checkpoints } = await prepare(
      event("step_started", "a", { inputData: { to: "ada@example.org" } }),
      event("step_failed", "a", { error: { code: "UNKNOWN", message: "no mail for ada@example.org" } }),
      event("step_completed", "b", { outputData: { mail: "ada@example.org" } }),
      event("step_completed", "c", { outputData: { n: 1 } }),
    );
    expect(JSON.stringify(events)).not.toContain("ada@");
    expect(checkpoints.map((checkpoint: { node_id: string }) => checkpoint.node_id)).toEqual(["b"]);
    expect(open(checkpoints[0])).toEqual({ mail: "ada@example.org" });
  });

  it("an output with characters that PostgreSQL refuses is stored without them and sealed with them", async () => {
    const { events, checkpoints } = await prepare(event("step_completed", "a", { outputData: { text: "x\u0000y" } }));
    expect(events[0].output_data).toEqual({ text: "x\ufffdy" });
    expect(open(checkpoints[0])).toEqual({ text: "x\u0000y" });
  });

  it("a step that started and ended in one write is one row with both payloads; a retried one is not", async () => {
    const { events } = await prepare(
      event("step_started", "a", { inputData: { i: 1 } }),
      event("step_completed", "a", { outputData: { o: 1 }, durationMs: 4 }),
      event("step_started", "b", { attempt: 2, inputData: { i: 2 }, answeredAttempts: 1 }),
      event("step_completed", "b", { attempt: 2, outputData: { o: 2 } }),
    );
    expect(events).toMatchObject([
      { node_id: "a", input_data: { i: 1 }, output_data: { o: 1 }, duration_ms: 4 },
      { node_id: "b", kind: "step_started", attempt: 2, answered_attempts: 1 },
      { node_id: "b", attempt: 2 },
    ]);
  });

  it("a secret of the definition is stored in no payload and no message, and an output with it is sealed", async () => {
    const mask = createMask([{ text: "hunter2", masked: "[REDACTED]" }]);
    const { events, checkpoints } = await prepareFor(
      { ...run, mask },
      event("step_started", "a", { inputData: { headers: { "x-team": "blue", "x-session": "s=hunter2" } } }),
      event("step_completed", "a", { outputData: { password: "hunter2" } }),
      event("step_failed", "b", { error: { code: "UNKNOWN", message: "no such key: hunter2" } }),
    );
    expect(JSON.stringify(events)).not.toContain("hunter2");
    expect(events[0]).toMatchObject({
      input_data: { headers: { "x-team": "blue", "x-session": "s=[REDACTED]" } },
      output_data: { password: "[REDACTED]" },
      output_sealed: true,
    });
    expect(checkpoints).toHaveLength(1);
    expect(open(checkpoints[0])).toEqual({ password: "hunter2" });
  });

  it("times are stored as ages, so that only the database's clock counts", async () => {
    expect((await prepare(event("step_skipped", "a"))).events[0].age_ms).toBe(1_000);
  });
});
