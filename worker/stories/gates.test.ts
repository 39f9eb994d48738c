import { describe, expect, it } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();

describe("a run at a gate (contract, Run; decisions, Approvals)", () => {
  const gate = node("gate", "approval", { name: "Check", message: "Pay {{before.status}} to ann@example.com?" });
  const graph = () => [stage.call("before"), gate, stage.call("after"), stage.call("refused")];

  it("waits for approval without a worker or a job, and shows who may decide", async () => {
    const run = await stage.start(graph(), "in>before>gate>after>out");
    const row = await stage.reaches(run, "waiting_for_approval");
    expect(row).toMatchObject({ lease_owner: null, clock: false, gates: ["gate:pending"] });
    await stage.parks(run);
    expect((await stage.row(run)).jobs).toBe(0);
    const shown = await stage.show(run);
    expect(shown.approval).toMatchObject({
      kind: "gate",
      status: "pending",
      step_id: "gate",
      message: "Pay 200 to [REDACTED_EMAIL]?",
    });
    expect(shown.steps.find((step) => step.step_id === "gate")).toMatchObject({ status: "pending_approval" });
    const { approval } = shown;
    const wait = Date.parse(approval?.expires_at ?? "") - Date.parse(approval?.requested_at ?? "");
    expect(wait).toBe(3_600_000);
  });

  it("continues after its approval, repeats nothing, and records who decided", async () => {
    const calls = stage.server.of("/before").length;
    const run = await stage.start(
      [
        ...graph(),
        node("end", "transform", {
          fields: [{ name: "by", value: "{{gate.decided_by.name}} {{gate.comment}}" }],
        }),
      ],
      "in>before>gate.approved>after>end>out",
    );
    await stage.reaches(run, "waiting_for_approval");
    await stage.decide(run, { comment: "fine" });
    await stage.reaches(run, "succeeded");
    expect(stage.server.of("/before")).toHaveLength(calls + 1);
    const events = await stage.kinds(run);
    expect(events.filter((event) => event.startsWith("gate:"))).toEqual([
      "gate:started",
      "gate:pending_approval",
      "gate:completed",
    ]);
    const shown = await stage.show(run);
    expect(shown.steps.find((step) => step.step_id === "end")?.output).toEqual({ by: "Ann fine" });
  });

  it("takes its Rejected branch if it has one", async () => {
    const before = [stage.server.of("/after").length, stage.server.of("/refused").length];
    const run = await stage.start(graph(), "in>before>gate>after", "gate.rejected>refused>out", "after>out");
    await stage.reaches(run, "waiting_for_approval");
    await stage.decide(run, { decision: "rejected" });
    await stage.reaches(run, "succeeded");
    expect([stage.server.of("/after").length, stage.server.of("/refused").length]).toEqual([
      before[0],
      (before[1] ?? 0) + 1,
    ]);
    expect(await stage.kinds(run)).toContain("after:skipped");
  });

  it("is cancelled by a rejection if it has no Rejected branch", async () => {
    const run = await stage.start(graph().slice(0, 3), "in>before>gate>after>out");
    await stage.reaches(run, "waiting_for_approval");
    await stage.decide(run, { decision: "rejected" });
    expect(await stage.row(run)).toMatchObject({
      status: "cancelled",
      error: { code: "APPROVAL_REJECTED", step_id: "gate", step_name: "Check" },
      jobs: 0,
    });
    // The gate no longer waits, and its record gives the reason.
    const step = await stage.step(run, "gate");
    expect(step).toMatchObject({
      status: "completed",
      completed_at: expect.any(String),
      output: { approved: false, decided_by: { type: "user", name: "Ann" } },
    });
  });

  it("times out if no one decides", async () => {
    const run = await stage.start(graph().slice(0, 3), "in>before>gate>after>out");
    await stage.reaches(run, "waiting_for_approval");
    await db().query("update approvals set expires_at = now() - interval '1 ms' where run_id = $1", [run.runId]);
    expect(await stage.reaches(run, "timed_out")).toMatchObject({ error: { code: "APPROVAL_EXPIRED" } });
    const step = await stage.step(run, "gate");
    expect(step).toMatchObject({ status: "timed_out", error: { code: "TIMEOUT" } });
  });

  it("lets the other branch finish first, and keeps a decision that is made before that", async () => {
    stage.server.hold("/slow");
    const run = await stage.start([gate, stage.call("slow")], "in>gate", "in>slow", "gate>out", "slow>out");
    const open = await until("the gate", async () => (await stage.row(run)).gates);
    expect(open).toEqual(["gate:pending"]);
    expect((await stage.row(run)).status).toBe("running");
    await stage.decide(run);
    stage.server.release("/slow");
    await stage.reaches(run, "succeeded");
    expect(stage.server.of("/slow")).toHaveLength(1);
  });

  it("needs both decisions, in any order, if two gates wait in parallel", async () => {
    const two = node("gate_2", "approval", {});
    const run = await stage.start([gate, two], "in>gate", "in>gate_2", "gate>out", "gate_2>out");
    await stage.reaches(run, "waiting_for_approval");
    const { rows } = await db().query("select id from approvals where run_id = $1 and node_id = 'gate_2'", [run.runId]);
    await stage.decide(run, { approvalId: rows[0].id });
    await until("it to wait again", async () => {
      const row = await stage.row(run);
      return row.status === "waiting_for_approval" && (await stage.kinds(run)).includes("gate_2:completed");
    });
    expect(await stage.row(run)).toMatchObject({ gates: ["gate:pending", "gate_2:approved"] });
    await stage.decide(run);
    await stage.reaches(run, "succeeded");
  });

  it("requests a separate approval for each item of a loop", async () => {
    const inside = (item: GraphNode): GraphNode => ({ ...item, parentId: "each" });
    const loop = node("each", "loop", { items: ["a", "b"], result: "{{gate.approved}}" });
    const run = await stage.start([loop, inside(gate)], "in>each>out");
    for (const iteration of ["0", "1"]) {
      await until(`the gate of ${iteration}`, async () => {
        const { rows } = await db().query(
          `select 1 from approvals a join runs r on r.id = a.run_id
           where a.run_id = $1 and a.iteration = $2 and a.status = 'pending' and r.status = 'waiting_for_approval'`,
          [run.runId, iteration],
        );
        return rows.length === 1;
      });
      await stage.decide(run);
    }
    await stage.reaches(run, "succeeded");
    const shown = await stage.show(run);
    expect(shown.steps.filter((step) => step.step_id === "gate").map((step) => step.iteration)).toEqual([
      { loop_id: "each", index: 0, count: 2, path: "0" },
      { loop_id: "each", index: 1, count: 2, path: "1" },
    ]);
    expect(shown.steps.find((step) => step.step_id === "each")?.output).toEqual({ results: [true, true], count: 2 });
  });

  it("closes its request when another branch fails", async () => {
    stage.server.answer("/bad", {}, 400);
    const run = await stage.start([gate, stage.call("bad")], "in>gate", "in>bad", "gate>out", "bad>out");
    await stage.reaches(run, "failed");
    await until("the request to close", async () => (await stage.row(run)).gates?.[0] === "gate:cancelled");
  });

  it("survives the loss of its worker at any time before and after", async () => {
    stage.server.hold("/then");
    const run = await stage.start([stage.call("first"), gate, stage.call("then")], "in>first>gate>then>out");
    await stage.reaches(run, "waiting_for_approval");
    await stage.replaceWorker();
    await stage.decide(run);
    await stage.called("/then");
    stage.server.release("/then");
    await stage.reaches(run, "succeeded");
    expect(stage.server.of("/first")).toHaveLength(1);
  });
});
