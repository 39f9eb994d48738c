import { expect, test } from "vitest";
import { BOT_TOKEN, startTelegram } from "#lib/connectors/vendors/telegram/telegram.fixture";
import type { ListeningObject } from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { retryListeners } from "#lib/domain/triggers/listeners/retry-listeners";
import { tendListeners } from "#lib/domain/triggers/listeners/tend-listeners";
import type { TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { readMetrics } from "#lib/platform/metrics/read-metrics";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

// No webhook address is configured, and services cannot reach localhost.
const stage = useConnectorStage("telegram", startTelegram, { isReachable: false });
const message = (text: string) => ({ message_id: 1, date: 1_790_000_000, chat: { id: 7, type: "private" }, text });
const listen = async () => stage.listenTo(await stage.connect("bot_token", { token: BOT_TOKEN }), "new_message");
const textsOf = async (trigger: TestTrigger) =>
  (await stage.outputsOf(trigger)).map(({ data }) => (data as { text: string }).text);

test("a service that cannot call is polled; what existed before the activation starts nothing", async () => {
  await stage.vendor.happens("message", message("before"));
  const trigger = await listen();
  await stage.work();
  expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", mode: "polling" });
  await stage.vendor.happens("message", message("first"));
  await stage.vendor.happens("callback_query", { id: "9" });
  await stage.vendor.happens("message", message("second"));
  await stage.work({ isSoon: true });
  expect(await textsOf(trigger)).toEqual(["first", "second"]);
  await stage.work({ isSoon: true });
  expect(await textsOf(trigger)).toEqual(["first", "second"]);
});

test("many workers poll, and each event starts one run", async () => {
  const trigger = await listen();
  await stage.work();
  for (let n = 0; n < 5; n += 1) {
    await stage.vendor.happens("message", message(String(n)));
    await db().query("update connector_listeners set next_at = now() - interval '1 ms' where next_at is not null");
    await Promise.all(Array.from({ length: 6 }, () => tendListeners(outgoingSend())));
  }
  await stage.work({ isSoon: true });
  expect(await textsOf(trigger)).toEqual(["0", "1", "2", "3", "4"]);
});

test("a worker that was declared dead during its poll writes neither runs nor the cursor", async () => {
  const trigger = await listen();
  await stage.work();
  await stage.vendor.happens("message", message("once"));
  const { data } = { data: stage.vendor.requests.length };
  await db().query("update connector_listeners set next_at = now() - interval '1 ms' where next_at is not null");
  // Another worker has its claim by the time the answer arrives.
  const slow: ReturnType<typeof outgoingSend> = async (request) => {
    const answer = await outgoingSend()(request);
    await db().query("update connector_listeners set claim = gen_random_uuid() where claim is not null");
    return answer;
  };
  await tendListeners(slow);
  expect(stage.vendor.requests.length).toBeGreaterThan(data);
  expect(await textsOf(trigger)).toEqual([]);
  await db().query("update connector_listeners set claim = null, claimed_until = null");
  await stage.work({ isSoon: true });
  expect(await textsOf(trigger)).toEqual(["once"]);
});

test("an outage is shown, retried less and less often, and loses nothing", async () => {
  const trigger = await listen();
  await stage.work();
  await stage.vendor.happens("message", message("during"));
  stage.vendor.failures.push({ status: 503, text: "down" });
  await stage.work({ isSoon: true });
  expect(await stage.listeningOf(trigger)).toMatchObject({ status: "failed", error: expect.stringContaining("503") });
  const { rows } = await db().query("select next_at > now() + interval '4 seconds' as later from connector_listeners");
  expect(rows[0].later).toBe(true);
  await stage.work({ isSoon: true });
  expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", error: null });
  expect(await textsOf(trigger)).toEqual(["during"]);
});

test("a long outage is reported once, and so is its end; a person who fixed it can retry at once", async () => {
  const trigger = await listen();
  await stage.work();
  const { workspaceId } = stage.workspace;
  await db().query(
    `insert into event_endpoints (id, workspace_id, kind, events)
     values (gen_random_uuid(), $1, 'email', '{listener.failed,listener.recovered}')`,
    [workspaceId],
  );
  const told = async () => {
    const text = "select type, data from event_deliveries where workspace_id = $1 order by created_at";
    return (await db().query<{ type: string; data: JsonObject }>(text, [workspaceId])).rows;
  };
  for (let failures = 1; failures <= 6; failures += 1) {
    stage.vendor.failures.push({ status: 503, text: "down" });
    await stage.work({ isSoon: true });
    expect((await told()).map(({ type }) => type)).toEqual(failures < 5 ? [] : ["listener.failed"]);
  }
  const [failed] = await told();
  expect(failed?.data).toMatchObject({
    connector: "telegram",
    connection_name: "Test",
    last_error: expect.stringContaining("503"),
    workflows: [{ workflow_id: trigger.workflowId }],
  });
  const metrics = (await readMetrics()).flatMap(({ samples }) => samples.map(({ name, value }) => ({ name, value })));
  expect(metrics.find(({ name }) => name === "signalbox_listener_failing_seconds")?.value).toBeGreaterThan(0);
  const shown = (await stage.listeningOf(trigger)) as ListeningObject;
  expect(Date.parse(shown.retry_at ?? "")).toBeGreaterThan(Date.parse(shown.failing_since ?? "") + 60_000);
  await stage.work();
  expect(await stage.listeningOf(trigger)).toMatchObject({ status: "failed" });
  // A changed listener counts its failures from zero; the reported outage is still the same one.
  await db().query("select recheck_listeners($1, $2)", [workspaceId, shown.connection_id]);
  stage.vendor.failures.push({ status: 503, text: "down" });
  await stage.work();
  expect((await told()).map(({ type }) => type)).toEqual(["listener.failed"]);
  expect(await retryListeners(workspaceId, shown.connection_id)).toBe(1);
  await stage.work();
  expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", failing_since: null, retry_at: null });
  expect((await told()).map(({ type }) => type)).toEqual(["listener.failed", "listener.recovered"]);
  await expect(retryListeners((await addWorkspace()).workspaceId, shown.connection_id)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
