import { describe, expect, test } from "vitest";
import { callAs } from "#lib/connectors/sdk/call-as.fixture";
import { INBOUND_CODE, INBOUND_URL, startBitrix24 } from "#lib/connectors/vendors/bitrix24/bitrix24.fixture";
import { BITRIX24_CONNECTOR } from "#lib/connectors/vendors/bitrix24/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";

const stage = useConnectorStage("bitrix24", startBitrix24);
const connect = () => stage.connect("inbound_webhook", { webhook_url: INBOUND_URL });

async function open() {
  const connectionId = await connect();
  const { workspaceId } = stage.workspace;
  return (operation: string, params: JsonObject) => callAs(workspaceId, connectionId, "bitrix24", operation, params);
}

describe("operations", () => {
  test("each returns what the API responds", async () => {
    const call = await open();
    for (const [name, { guide }] of Object.entries(BITRIX24_CONNECTOR.operations)) {
      expect(guide?.output.safeParse(await call(name, guide?.example ?? {})).error, name).toBeUndefined();
    }
  });

  test("fields use Bitrix24's names, and the webhook code is only in the path", async () => {
    const call = await open();
    await call("create_contact", {
      name: "Ada",
      email: "ada@example.com",
      assigned_by_id: "7",
      fields: { UF_CRM_1: "x" },
    });
    const sent = stage.vendor.requests.at(-1);
    expect(sent?.path).toMatch(/^\/rest\/1\/\w+\/crm\.contact\.add$/);
    expect(sent?.json).toEqual({
      fields: {
        NAME: "Ada",
        EMAIL: [{ VALUE: "ada@example.com", VALUE_TYPE: "WORK" }],
        ASSIGNED_BY_ID: 7,
        UF_CRM_1: "x",
      },
    });
  });

  test.each(["contact", "lead", "company"])(
    "an update of a %s replaces its phone and email by their IDs, however often it is repeated",
    async (one) => {
      const call = await open();
      const row = stage.vendor.rows[`crm.${one}`]?.[0] ?? {};
      row.PHONE = [
        { ID: "222", VALUE_TYPE: "MOBILE", VALUE: "111111", TYPE_ID: "PHONE" },
        { ID: "223", VALUE_TYPE: "WORK", VALUE: "222222", TYPE_ID: "PHONE" },
      ];
      row.EMAIL = undefined;
      const change = { id: 37, phone: "+15550100", email: "ada@example.com" };
      for (let attempt = 0; attempt < 3; attempt += 1) await call(`update_${one}`, change);
      expect(row.PHONE).toEqual([
        { ID: "222", VALUE_TYPE: "MOBILE", VALUE: "111111", TYPE_ID: "PHONE" },
        { ID: "223", VALUE_TYPE: "WORK", VALUE: "+15550100", TYPE_ID: "PHONE" },
      ]);
      expect(row.EMAIL).toEqual([
        { ID: expect.any(String), VALUE_TYPE: "WORK", VALUE: "ada@example.com", TYPE_ID: "EMAIL" },
      ]);
      await call(`update_${one}`, { id: 37, phone: "111111" });
      expect(row.PHONE).toMatchObject([{ VALUE: "111111" }, { VALUE: "+15550100" }]);
      const asked = stage.vendor.requests.length;
      await call(`update_${one}`, { id: 37, assigned_by_id: 7 });
      expect(stage.vendor.requests.length).toBe(asked + 1);
    },
  );

  test("a comment on a task goes to its chat, or stays a comment without the permission for chats", async () => {
    const call = await open();
    const { vendor } = stage;
    vendor.chat = [];
    expect(await call("add_task_comment", { id: 8017, comment: "They renew" })).toEqual({ id: null });
    expect(vendor.chat).toEqual([{ taskId: 8017, text: "They renew" }]);
    expect(vendor.requests.at(-1)?.path).toBe(`/rest/api/1/${INBOUND_CODE}/tasks.task.chat.message.send`);
    await expect(call("add_task_comment", { id: 1, comment: "x" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("No access to the task"),
    });
    vendor.scopes = ["crm", "task", "user"];
    expect(await call("add_task_comment", { id: 8017, comment: "They renew" })).toEqual({ id: 3_141 });
    expect(vendor.chat).toHaveLength(1);
    vendor.scopes.push("tasks");
  });

  test("an error follows its error code and quotes Bitrix24's message", async () => {
    const call = await open();
    const failures: [number, string, object][] = [
      [503, "QUERY_LIMIT_EXCEEDED", { code: "RATE_LIMITED", retryAfterMs: 1_000 }],
      [429, "OPERATION_TIME_LIMIT", { code: "RATE_LIMITED" }],
      [401, "expired_token", { code: "AUTH_EXPIRED" }],
      [402, "PAYMENT_REQUIRED", { code: "VALIDATION_ERROR" }],
      [403, "insufficient_scope", { code: "VALIDATION_ERROR" }],
      [500, "INTERNAL_SERVER_ERROR", { code: "UPSTREAM_ERROR" }],
      [200, "ERROR_CORE", { code: "VALIDATION_ERROR" }],
    ];
    for (const [status, error, expected] of failures) {
      stage.vendor.failures.push({ status, json: { error, error_description: "Said Bitrix24" } });
      const message = expect.stringContaining(`${error}: Said Bitrix24`);
      await expect(call("get_deal", { id: 37 }), error).rejects.toMatchObject({ ...expected, message });
    }
    await expect(call("get_deal", { id: 1 })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });
});
