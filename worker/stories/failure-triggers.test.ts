import { expect, test } from "vitest";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { addTrigger, runsOf } from "#lib/domain/triggers/trigger.fixture";
import { eventually } from "#lib/support/eventually.fixture";
import { useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage({ hasWorker: false });

test("each failed run starts the failure workflow once, though the workers that ended them are killed", async () => {
  const trigger = await addTrigger(stage.workspace, { kind: "failure" });
  const fails = node("fails", "delay", { seconds: "{{action_input.name}}" });
  const failed: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const worker = await stage.addWorker();
    const run = await stage.start([fails], "in>fails>out");
    await stage.reaches(run, "failed");
    // Its chore may have started the workflow, be starting it, or not have looked yet.
    worker.child.kill("SIGKILL");
    await worker.exited;
    failed.push(run.runId);
  }
  await stage.addWorker();
  await eventually(async () => expect(await runsOf(trigger)).toHaveLength(failed.length));
  await eventually(async () => {
    const runs = await runsOf(trigger);
    expect(runs.map(({ status }) => status)).toEqual(failed.map(() => "succeeded"));
    expect(runs.map(({ input }) => input.output.run.id).toSorted()).toEqual(failed.toSorted());
    expect(runs[0].input.output.run.error).toMatchObject({
      step_id: "fails",
      message: expect.stringContaining("seconds must be"),
    });
  });
});
