import { afterAll, describe, expect, test } from "vitest";
import { nextFire, nextFires } from "#lib/core/schedules/next-fires";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { runWorkflow } from "#lib/domain/triggers/activation/run-workflow";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import { fireDueSchedules } from "#lib/domain/triggers/schedules/fire-due-schedules";
import { addTrigger, editorIn, republish, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

process.env.RUNS_PER_USER_PER_HOUR = "0";
const workspace = await addWorkspace();
afterAll(() => {
  delete process.env.RUNS_PER_USER_PER_HOUR;
});

const MINUTE_MS = 60_000;
const cron = (expression: string, timezone: string) => ({ kind: "schedule", mode: "cron", expression, timezone });
const every = (seconds: number) => ({ kind: "schedule", mode: "interval", seconds });

/** Moves a schedule's activation to another time. */
async function beginAt({ subscriptionId }: TestTrigger, anchoredAt: Date, nextAt: Date | null): Promise<void> {
  await db().query("update trigger_subscriptions set anchored_at = $2, next_at = $3 where id = $1", [
    subscriptionId,
    anchoredAt,
    nextAt,
  ]);
}

/** Three workers that check at the same moment. */
async function lookThrice(now: Date): Promise<void> {
  await Promise.all([fireDueSchedules(now), fireDueSchedules(now), fireDueSchedules(now)]);
}

async function firedAt(trigger: TestTrigger): Promise<string[]> {
  return (await runsOf(trigger)).map((run) => run.input.output.timestamp);
}

describe("three workers through both clock changes", () => {
  test.each([
    ["Europe/Berlin", "2027-03-27T00:00Z", "2026-10-24T00:00Z", "30 2 * * *"],
    ["America/New_York", "2027-03-13T00:00Z", "2026-10-31T00:00Z", "30 1,2 * * *"],
    ["Australia/Lord_Howe", "2027-10-01T00:00Z", "2027-04-02T00:00Z", "15,45 * * * *"],
    ["America/Sao_Paulo", "2018-11-03T00:00Z", "2018-02-17T00:00Z", "30 0,23 * * *"],
    ["America/Santiago", "2027-09-04T00:00Z", "2027-04-03T00:00Z", "0 0 * * *"],
  ])("in %s fire every moment once and no other", async (zone, spring, autumn, expression) => {
    const schedule = { mode: "cron" as const, expression, timezone: zone };
    for (const start of [new Date(spring), new Date(autumn)]) {
      const end = new Date(start.getTime() + 3 * 86_400_000);
      const trigger = await addTrigger(workspace, { kind: "schedule", ...schedule });
      await beginAt(trigger, start, nextFire(schedule, start));
      for (let now = start.getTime(); now <= end.getTime(); now += 15 * MINUTE_MS) await lookThrice(new Date(now));
      const expected = nextFires(schedule, start, 400).filter((moment) => moment <= end);
      expect(await firedAt(trigger)).toEqual(expected.map((moment) => moment.toISOString()));
      await db().query("update trigger_subscriptions set is_active = false");
    }
  });
});

describe("after a downtime", () => {
  const start = new Date("2026-11-21T10:00:00Z");
  test.each([
    ["of five minutes, an interval of a minute", every(60), 5, ["10:05"], 4],
    ["of five minutes, an hourly schedule", cron("2 * * * *", "UTC"), 5, ["10:02"], 0],
    ["of an hour and a half, a daily schedule", cron("15 10 * * *", "UTC"), 90, [], 1],
    ["of a day, an hourly schedule", cron("30 * * * *", "UTC"), 24 * 60, ["09:30"], 23],
    ["of a day, a daily schedule", cron("15 10 * * *", "UTC"), 30 * 60, [], 2],
  ])("%s fires at most once and counts the rest as missed", async (_name, config, minutes, expected, missed) => {
    const trigger = await addTrigger(workspace, config);
    const schedule =
      config.mode === "interval"
        ? { mode: "interval" as const, seconds: 60, anchoredAt: start }
        : { ...cron("", ""), ...config, mode: "cron" as const };
    await beginAt(trigger, start, nextFire(schedule, start));
    const now = new Date(start.getTime() + minutes * MINUTE_MS);
    await lookThrice(now);
    await lookThrice(new Date(now.getTime() + 1_000));
    expect((await firedAt(trigger)).map((moment) => moment.slice(11, 16))).toEqual(expected);
    const shown = await getTrigger(workspace.workspaceId, trigger.workflowId);
    expect(shown?.missed).toBe(missed);
    expect(new Date(shown?.next_at ?? 0).getTime()).toBeGreaterThan(now.getTime());
    const log = await listDeliveries(workspace.workspaceId, trigger.workflowId, { limit: 10 });
    expect(log.data.filter((delivery) => delivery.verdict === "missed")).toHaveLength(missed > 0 ? 1 : 0);
  });
});

describe("a schedule's run", () => {
  test("gets the moment it was due, its mode and its expression, and a job", async () => {
    const trigger = await addTrigger(workspace, every(90));
    const daily = await addTrigger(workspace, cron("0 9 * * 1-5", "Europe/Berlin"));
    const moment = new Date("2026-11-23T08:00:00.000Z");
    await beginAt(trigger, moment, moment);
    await beginAt(daily, moment, moment);
    await fireDueSchedules(new Date(moment.getTime() + 400));
    const timestamp = moment.toISOString();
    expect(await runsOf(trigger)).toEqual([
      expect.objectContaining({
        source: "schedule",
        status: "accepted",
        jobs: 1,
        input: { output: { timestamp, scheduleType: "interval", expression: "every 90s" } },
      }),
    ]);
    expect((await runsOf(daily))[0]?.input).toEqual({
      output: { timestamp, scheduleType: "cron", expression: "0 9 * * 1-5" },
    });
    const shown = await getTrigger(workspace.workspaceId, daily.workflowId);
    expect([shown?.last_at, shown?.next_at]).toEqual([timestamp, "2026-11-24T08:00:00.000Z"]);
  });

  test("that is started by hand counts for the person and leaves the schedule's next moment unchanged", async () => {
    const trigger = await addTrigger(workspace, every(3_600));
    const before = await getTrigger(workspace.workspaceId, trigger.workflowId);
    const run = await runWorkflow({ ...workspace, workflowId: trigger.workflowId, event: {} });
    expect(run).toMatchObject({
      source: "manual",
      status: "accepted",
      input: { output: { expression: "every 3600s" } },
    });
    expect((await getTrigger(workspace.workspaceId, trigger.workflowId))?.next_at).toBe(before?.next_at);
  });

  test("cannot be started from other workspaces", async () => {
    const trigger = await addTrigger(workspace, every(3_600));
    const other = await addWorkspace();
    const refused = { code: "NOT_FOUND" };
    await expect(runWorkflow({ ...other, workflowId: trigger.workflowId, event: {} })).rejects.toMatchObject(refused);
    await expect(setTriggerStatus(editorIn(other), trigger.workflowId, "paused")).rejects.toMatchObject(refused);
    await expect(getTrigger(other.workspaceId, trigger.workflowId)).rejects.toMatchObject(refused);
  });
});

describe("an activated schedule", () => {
  const readRow = async ({ subscriptionId }: TestTrigger) => {
    const { rows } = await db().query<{ anchored_at: Date; next_at: Date | null; is_active: boolean }>(
      "select anchored_at, next_at, is_active from trigger_subscriptions where id = $1",
      [subscriptionId],
    );
    return rows[0];
  };

  test("counts its interval from the activation, and keeps it when it is published unchanged", async () => {
    const trigger = await addTrigger(workspace, every(120));
    const first = await readRow(trigger);
    expect((first?.next_at?.getTime() ?? 0) - (first?.anchored_at.getTime() ?? 0)).toBe(120_000);
    expect(await republish(workspace, trigger, { ...every(120), name: "Every two minutes" })).toBe(
      trigger.subscriptionId,
    );
    expect(await readRow(trigger)).toEqual(first);
    await republish(workspace, trigger, every(180));
    const changed = await readRow(trigger);
    expect(changed?.anchored_at.getTime()).toBeGreaterThan(first?.anchored_at.getTime() ?? 0);
    expect((changed?.next_at?.getTime() ?? 0) - (changed?.anchored_at.getTime() ?? 0)).toBe(180_000);
  });

  test("fires nothing while it is paused, whatever is published, and restarts its interval when it resumes", async () => {
    const trigger = await addTrigger(workspace, every(60));
    const before = await readRow(trigger);
    await setTriggerStatus(editorIn(workspace), trigger.workflowId, "paused");
    await fireDueSchedules(new Date(Date.now() + 3_600_000));
    await republish(workspace, trigger, every(61));
    expect(await readRow(trigger)).toMatchObject({ is_active: false, next_at: null });
    const resumed = await setTriggerStatus(editorIn(workspace), trigger.workflowId, "active");
    expect(resumed).toMatchObject({ status: "active", missed: 0 });
    const after = await readRow(trigger);
    expect(after?.anchored_at.getTime()).toBeGreaterThan(before?.anchored_at.getTime() ?? 0);
    expect((after?.next_at?.getTime() ?? 0) - (after?.anchored_at.getTime() ?? 0)).toBe(61_000);
    expect(await firedAt(trigger)).toEqual([]);
  });

  test("that became a webhook no longer fires", async () => {
    const trigger = await addTrigger(workspace, every(60));
    expect(await republish(workspace, trigger, { kind: "webhook" })).toBe(trigger.subscriptionId);
    await fireDueSchedules(new Date(Date.now() + 600_000));
    expect(await firedAt(trigger)).toEqual([]);
  });
});

test("a schedule fires while its workflow is being saved or published, without a deadlock", async () => {
  await db().query("update trigger_subscriptions set is_active = false");
  const now = new Date("2026-11-21T09:00:00Z");
  const trigger = await addTrigger(workspace, every(60));
  await beginAt(trigger, now, now);
  const look = await transaction(async (tx) => {
    await lockWorkflow(tx, workspace.workspaceId, trigger.workflowId);
    return fireDueSchedules(now);
  });
  expect(look).toMatchObject({ fired: 1 });
});

test("a check reports when the next one is due", async () => {
  await db().query("update trigger_subscriptions set is_active = false");
  const now = new Date("2026-11-21T10:00:00Z");
  expect(await fireDueSchedules(now)).toEqual({ fired: 0, missed: 0, waitMs: 1_000 });
  const trigger = await addTrigger(workspace, every(60));
  await beginAt(trigger, now, new Date(now.getTime() + 250));
  expect(await fireDueSchedules(now)).toEqual({ fired: 0, missed: 0, waitMs: 250 });
  expect(await fireDueSchedules(new Date(now.getTime() + 250))).toEqual({ fired: 1, missed: 0, waitMs: 1_000 });
});

test("schedules that cannot fire, however many, do not delay the others", async () => {
  await db().query("update trigger_subscriptions set is_active = false");
  const now = new Date("2026-11-21T12:00:00Z");
  const broken = await addTrigger(workspace, every(60));
  await beginAt(broken, now, new Date(now.getTime() - MINUTE_MS));
  await db().query(`update trigger_subscriptions set config = '{"mode": "cron", "expression": "?"}' where id = $1`, [
    broken.subscriptionId,
  ]);
  await db().query(
    `with copies as (
       insert into workflows select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
       from workflows w, generate_series(1, 150) where w.id = $1 returning id
     ), versions as (
       insert into workflow_versions
       select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'workflow_id', c.id))).*
       from workflow_versions v, copies c where v.workflow_id = $1
     )
     insert into trigger_subscriptions
     select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'workflow_id', c.id))).*
     from trigger_subscriptions s, copies c where s.workflow_id = $1`,
    [broken.workflowId],
  );
  const behind = await addTrigger(workspace, every(60));
  await beginAt(behind, now, now);
  expect(await fireDueSchedules(now)).toEqual({ fired: 1, missed: 0, waitMs: 1_000 });
});
