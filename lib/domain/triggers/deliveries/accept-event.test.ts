import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { createRuns } from "#lib/domain/runs/create/create-runs";
import { countAdvisoryWaits } from "#lib/domain/runs/execute/held-lease.fixture";
import { runOfEvent } from "#lib/domain/triggers/deliveries/accept-event";
import { findSubscription } from "#lib/domain/triggers/subscription";
import { addTrigger, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();
afterEach(() => vi.restoreAllMocks());

let stage: Stage;
let trigger: TestTrigger;
beforeEach(async () => {
  const workspace = await addWorkspace();
  stage = { workspace, action: await addAction(workspace) };
  trigger = await addTrigger(workspace, { kind: "webhook" });
  await callAction(stage);
  await deliver("first");
});

function deliver(id: string) {
  return receiveWebhook(trigger.subscriptionId, deliveryOf({ headers: { "webhook-id": id }, body: "{}" }));
}

/** Holds the lock of a delivery id, as the statement that accepts it does. */
async function holdDelivery(id: string): Promise<() => Promise<void>> {
  const holder = await db().connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock(hashtextextended(concat_ws('|', $1::text, $2::text), 3))", [
    trigger.subscriptionId,
    id,
  ]);
  return async () => {
    await holder.query("commit");
    holder.release();
  };
}

test("deliveries and calls of the same moment share a statement, and each gets its own answer", async () => {
  const query = vi.spyOn(db(), "query");
  const [one, two, again, call] = await Promise.all([
    deliver("one"),
    deliver("two"),
    deliver("one"),
    callAction(stage),
  ]);
  const statements = query.mock.calls.filter(([statement]) => JSON.stringify(statement).includes("create_runs"));
  expect(statements).toHaveLength(1);
  expect([one.accepted, two.accepted]).toEqual([true, true]);
  expect(again).toEqual({ accepted: false, duplicate: true, run_id: one.run_id });
  expect(call.run.status).toBe("accepted");
  expect((await runsOf(trigger)).map(({ jobs }) => jobs)).toEqual([1, 1, 1]);
});

test("a delivery waits for an equal one that is being accepted, and delays no other", async () => {
  const free = await holdDelivery("held");
  const held = deliver("held");
  expect(await Promise.all([deliver("other"), callAction(stage)])).toHaveLength(2);
  await eventually(async () => expect(await countAdvisoryWaits()).toBe(1));
  await free();
  expect(await held).toMatchObject({ accepted: true });
});

test("an accepted delivery is on disk before it is answered, also next to a repeated one", async () => {
  const subscription = await findSubscription(trigger.subscriptionId, "webhook");
  if (!subscription) return expect.fail("no subscription");
  const runOf = (id: string) =>
    runOfEvent({
      subscription,
      source: "webhook",
      input: { shown: "{}", keepsKeyOrder: true, original: null },
      dedupeKey: id,
      facts: {},
      overLimit: "refuse",
    });
  const commitOf = (...ids: string[]) =>
    transaction(async (tx) => {
      await tx.query({ text: "set local synchronous_commit = on" });
      await createRuns(ids.map(runOf), tx);
      const { rows } = await tx.query({ text: "show synchronous_commit" });
      return rows[0];
    });
  expect(await commitOf("a")).toEqual({ synchronous_commit: "on" });
  expect(await commitOf("a", "b")).toEqual({ synchronous_commit: "on" });
  expect(await commitOf("a", "b")).toEqual({ synchronous_commit: "off" });
});
