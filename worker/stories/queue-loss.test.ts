import { expect, it } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();

it("a worker whose queue fails releases its runs and exits, so that its supervisor starts another", async () => {
  stage.server.hold("/slow");
  const slow = await stage.start([stage.call("slow")], "in>slow>out");
  await stage.called("/slow");
  await db().query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await db().query(`create trigger refuse before update on run_queue execute function refuse()`);
  // The worker cannot take the run, for a permanent reason.
  await stage.start([], "in>out");
  await until("the worker to stop", () => stage.worker.output().includes("the queue ended"));
  await db().query("drop trigger refuse on run_queue");
  stage.server.release("/slow");
  expect(await stage.worker.exited).toBe("code 0");
  const { rows } = await db().query("select recoveries, stalled from runs where id = $1", [slow.runId]);
  expect(rows).toEqual([{ recoveries: 0, stalled: 0 }]);
  await stage.replaceWorker();
  await until("the run to end", async () => (await stage.row(slow)).status === "succeeded");
  expect(stage.server.of("/slow")).toHaveLength(1);
});
