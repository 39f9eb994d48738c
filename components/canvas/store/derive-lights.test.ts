import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import { deriveLights } from "@/components/canvas/store/derive-lights";

function step(id: string, more: Partial<StepItem> = {}): StepItem {
  return {
    step_id: id,
    name: id,
    type: "transform",
    status: "completed",
    attempt: 1,
    iteration: null,
    reused: false,
    started_at: "2026-01-01T00:00:00.000Z",
    completed_at: "2026-01-01T00:00:01.000Z",
    duration_ms: 1_000,
    input: null,
    output: null,
    error: null,
    truncated: false,
    ...more,
  };
}

const run = (status: RunObject["status"], steps: StepItem[]) => ({ status, steps }) as RunObject;

test("an unchanged light is the same object, and only changed lights are new", () => {
  const first = deriveLights(run("running", [step("a"), step("b", { status: "started", duration_ms: null })]), [], {});
  const second = deriveLights(run("running", [step("a"), step("b")]), [], first);
  expect(second.a).toBe(first.a);
  expect(first.b?.status).toBe("started");
  expect(second.b).toMatchObject({ status: "completed", durationMs: 1_000 });
});

test("steps that an ended run did not reach are marked; a running run marks none", () => {
  expect(deriveLights(run("running", [step("a")]), ["a", "b"], {})).not.toHaveProperty("b");
  expect(deriveLights(run("failed", [step("a")]), ["a", "b"], {}).b?.status).toBe("not_reached");
});

test("a loop step shows its failed item, and how many items are done", () => {
  const item = (index: number, more: Partial<StepItem> = {}) =>
    step("body", { iteration: { loop_id: "each", index, count: 3, path: String(index) }, ...more });
  const light = deriveLights(run("failed", [item(0), item(1, { status: "failed" }), item(2)]), [], {}).body;
  expect(light).toMatchObject({ status: "failed", items: { done: 3, count: 3 }, durationMs: null });
});

test("a condition shows the branch it took", () => {
  const lights = deriveLights(run("succeeded", [step("c", { type: "condition", output: { result: false } })]), [], {});
  expect(lights.c?.taken).toBe("false");
});
