import { expect, test } from "vitest";
import { addTrigger } from "#lib/domain/triggers/trigger.fixture";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

test("the steps after a webhook find its body in trigger.output.body and its time in trigger.output.timestamp", async () => {
  const { subscriptionId } = await addTrigger(stage.workspace, { kind: "webhook" });
  const receivedAt = new Date("2026-11-21T12:00:00.000Z");
  const delivery = deliveryOf({ body: '{"total":42}', receivedAt });
  const answer = await receiveWebhook(subscriptionId, delivery);
  if (!answer.accepted) return expect.fail("the delivery is a duplicate");
  const run = stage.referTo(answer.run_id);
  await stage.reaches(run, "succeeded");
  const { steps } = await stage.show(run);
  expect(steps.find((step) => step.step_id === "seen")?.output).toEqual({
    what: { body: { total: 42 }, timestamp: receivedAt.toISOString() },
  });
});
