import { describe, expect, it } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject, RunStatus } from "#lib/contract/run/run";
import type { Definition } from "#lib/contract/workflow/graph";
import { deriveReplay, replaySteps } from "@/components/features/runs/replay/derive-replay";
import { replayRefusal } from "@/components/features/runs/replay/replay-offer";

function step(id: string, fields: Partial<StepItem> = {}): StepItem {
  const times = { started_at: null, completed_at: null, duration_ms: null };
  const payloads = { input: null, output: null, error: null, truncated: false, reused: false };
  return {
    step_id: id,
    name: id,
    type: "transform",
    status: "completed",
    attempt: 1,
    iteration: null,
    ...times,
    ...payloads,
    ...fields,
  };
}

const run = (status: RunStatus, steps: StepItem[]) => ({ status, steps, dry_run: false }) as unknown as RunObject;

const node = (id: string, y: number, parentId?: string) => ({
  id,
  type: "transform" as const,
  position: { x: 0, y },
  data: { name: id },
  ...(parentId === undefined ? {} : { parentId }),
});
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target });

const LINE: Definition = {
  nodes: [node("in", 0), node("a", 1), node("b", 2), node("out", 3)],
  edges: [edge("in", "a"), edge("a", "b"), edge("b", "out")],
};
const FAILED = run("failed", [
  step("in", { type: "action_input" }),
  step("a", { type: "connector" }),
  step("b", { type: "connector", status: "failed" }),
]);

const names = (steps: readonly { name: string }[] | undefined) => steps?.map(({ name }) => name);
const plan = (source: RunObject, mode: "resume" | "from_start" | "from_step", stepId: string | null = null) =>
  deriveReplay({ run: source, definition: LINE, mode, stepId });

describe("a replay preview says", () => {
  it("that resuming reuses completed steps and runs the rest, including steps that were not reached", () => {
    const resumed = plan(FAILED, "resume");
    expect(names(resumed?.reused)).toEqual(["in", "a"]);
    expect(names(resumed?.runs)).toEqual(["b", "out"]);
  });

  it("that a replay from the start reuses nothing", () => {
    expect(plan(FAILED, "from_start")?.reused).toEqual([]);
    expect(names(plan(FAILED, "from_start")?.runs)).toEqual(["in", "a", "b", "out"]);
  });

  it("that a replay from a step runs everything downstream again, completed or not", () => {
    const fromA = plan(FAILED, "from_step", "a");
    expect(names(fromA?.reused)).toEqual(["in"]);
    expect(names(fromA?.runs)).toEqual(["a", "b", "out"]);
  });

  it("which successful calls are made a second time", () => {
    const calls = (mode: "resume" | "from_start") =>
      plan(FAILED, mode)
        ?.runs.filter(({ repeatsCall }) => repeatsCall)
        .map(({ name }) => name);
    expect(calls("resume")).toEqual([]);
    expect(calls("from_start")).toEqual(["a"]);
  });

  it.each(["connector", "llm", "sub_workflow"])("that %s calls something outside the run a second time", (type) => {
    const ran = run("failed", [step("call", { type }), step("plain")]);
    const again = plan(ran, "from_start")?.runs.filter(({ repeatsCall }) => repeatsCall);
    expect(names(again)).toEqual(["call"]);
  });

  it("how many items of a loop are reused", () => {
    const item = (index: number, status: StepItem["status"]) =>
      step("body", { status, iteration: { loop_id: "loop", index, count: 3, path: String(index) } });
    const failed = run("failed", [
      step("loop", { type: "loop", status: "failed" }),
      item(0, "completed"),
      item(1, "completed"),
      item(2, "failed"),
    ]);
    const resumed = deriveReplay({ run: failed, definition: null, mode: "resume", stepId: null });
    expect(resumed?.reused.map(({ name, note }) => `${name}: ${note}`)).toEqual(["body: 2 of 3 items"]);
    expect(resumed?.runs.map(({ name, note }) => `${name}: ${note}`)).toEqual(["loop: null", "body: 1 of 3 items"]);
  });

  it("nothing about steps that stay skipped, and that a skipped step downstream was skipped before", () => {
    const skipped = run("succeeded", [step("in"), step("a"), step("b", { status: "skipped" }), step("out")]);
    expect(names(plan(skipped, "resume")?.reused)).toEqual(["in", "a", "out"]);
    expect(plan(skipped, "from_step", "a")?.runs.map(({ note }) => note)).toEqual([null, "skipped in this run", null]);
  });

  it("nothing about a step of an unknown version", () => {
    expect(deriveReplay({ run: FAILED, definition: null, mode: "from_step", stepId: "a" })).toBeNull();
  });
});

it("a replay can start from a step that ran, except the entry, which is the start", () => {
  expect(replaySteps(FAILED).map(({ stepId }) => stepId)).toEqual(["a", "b"]);
});

it("only ended runs can be replayed, and only by editors", () => {
  expect(replayRefusal(FAILED, true)).toBeNull();
  expect(replayRefusal(FAILED, false)).toContain("editor");
  for (const status of ["accepted", "running", "waiting_for_approval"] as const) {
    expect(replayRefusal(run(status, []), true)).toContain("ended");
  }
});
