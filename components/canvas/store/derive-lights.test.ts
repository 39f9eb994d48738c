import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/journal";
import type { RunObject } from "#lib/contract/run";
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

test("a light that says the same as before is the same object; only what changed is new", () => {
  const first = deriveLights(run("running", [step("a"), step("b", { status: "started", duration_ms: null })]), [], {});
  const second = deriveLights(run("running", [step("a"), step("b")]), [], first);
  expect(second.a).toBe(first.a);
  expect(first.b?.status).toBe("started");
  expect(second.b).toMatchObject({ status: "completed", durationMs: 1_000 });
});

test("what an ended run did not come to is told; while it goes on nothing is said of it", () => {
  expect(deriveLights(run("running", [step("a")]), ["a", "b"], {})).not.toHaveProperty("b");
  expect(deriveLights(run("failed", [step("a")]), ["a", "b"], {}).b?.status).toBe("not_reached");
});

test("of a loop's items the failed one counts, and how many are done", () => {
  const item = (index: number, more: Partial<StepItem> = {}) =>
    step("body", { iteration: { loop_id: "each", index, count: 3, path: String(index) }, ...more });
  const light = deriveLights(run("failed", [item(0), item(1, { status: "failed" }), item(2)]), [], {}).body;
  expect(light).toMatchObject({ status: "failed", items: { done: 3, count: 3 }, durationMs: null });
});

test("a condition says which way was taken", () => {
  const lights = deriveLights(run("succeeded", [step("c", { type: "condition", output: { result: false } })]), [], {});
  expect(lights.c?.taken).toBe("false");
});
