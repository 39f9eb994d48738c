import { describe, expect, test } from "vitest";
import { KEY, useConnectionStage } from "#lib/domain/connections/connection.fixture";
import { openConnection } from "#lib/domain/connections/open-connection";
import { tablesWith } from "#lib/platform/db/find-text.fixture";
import { db } from "#lib/platform/db/pool";

const stage = useConnectionStage();

const list = async () => (await stage.ask("list_connections", {})).data;
const readRow = async (id: string) => (await db().query("select * from connections where id = $1", [id])).rows[0];

describe("the secret", () => {
  test("is stored nowhere in the clear, and every change is audited", async () => {
    const { connection_id } = (await stage.create()).connection;
    const fields = stage.openai().fields;
    await stage.ask("replace_credentials", { connection_id, auth: "api_key", fields });
    await stage.ask("test_connection", { connection_id });
    await stage.ask("rename_connection", { connection_id, name: "Mine" });
    await stage.ask("delete_connection", { connection_id });
    const { rows } = await db().query("select action from audit_events where object_id = $1 order by id", [
      connection_id,
    ]);
    expect(rows.map((row) => row.action)).toEqual([
      "connection.created",
      "connection.credentials_replaced",
      "connection.tested",
      "connection.renamed",
      "connection.deleted",
    ]);
    expect(await tablesWith(KEY)).toEqual([]);
  });

  test("can be decrypted only in its own row", async () => {
    const first = (await stage.create()).connection;
    const second = (await stage.create({ name: "Second" })).connection;
    await db().query(
      "update connections set credentials_sealed = (select credentials_sealed from connections where id = $1) where id = $2",
      [first.connection_id, second.connection_id],
    );
    const open = openConnection(stage.workspace.workspaceId, second.connection_id, () => expect.fail("it was sent"));
    await expect(open).rejects.toMatchObject({ code: "AUTH_EXPIRED" });
    const [shown] = await list();
    expect(shown).toMatchObject({ name: "Second", status: "failed", settings: {} });
    const { connection_id } = second;
    await expect(stage.ask("test_connection", { connection_id })).rejects.toMatchObject({
      code: "CONNECTION_TEST_FAILED",
    });
    const fields = stage.openai().fields;
    const { connection } = await stage.ask("replace_credentials", { connection_id, auth: "api_key", fields });
    expect(connection.status).toBe("connected");
  });
});

describe("using", () => {
  const open = (id: string, answer: { status: number; body?: string }) =>
    openConnection(stage.workspace.workspaceId, id, async () => ({
      status: answer.status,
      headers: { "x-echo": KEY },
      body: Buffer.from(answer.body ?? ""),
    }));
  const get = { method: "GET", url: "", headers: {}, signal: new AbortController().signal };

  test("a 401 marks it expired, the next accepted answer connected; the last use is recorded once a minute", async () => {
    const { connection_id: id } = (await stage.create()).connection;
    const request = { ...get, url: `${stage.provider.url}/v1/x` };
    await (await open(id, { status: 401 })).send(request);
    expect(await readRow(id)).toMatchObject({ status: "expired", last_error: expect.stringContaining("401") });
    await (await open(id, { status: 200 })).send(request);
    const row = await readRow(id);
    expect(row).toMatchObject({ status: "connected", last_error: null, last_used_at: expect.any(Date) });
    await (await open(id, { status: 200 })).send(request);
    expect(await readRow(id)).toEqual(row);
    await db().query("update connections set last_used_at = now() - interval '61 seconds'");
    await (await open(id, { status: 200 })).send(request);
    expect((await readRow(id)).last_used_at.getTime()).toBeGreaterThanOrEqual(row.last_used_at.getTime());
  });

  test("a report about an old secret does not affect its replacement", async () => {
    const { connection_id } = (await stage.create()).connection;
    const old = await open(connection_id, { status: 401 });
    await stage.ask("replace_credentials", { connection_id, auth: "api_key", fields: stage.openai().fields });
    await old.send({ ...get, url: `${stage.provider.url}/v1/x` });
    expect(await readRow(connection_id)).toMatchObject({ status: "connected" });
  });

  test("an answer that repeats the secret is returned without it", async () => {
    const { connection_id } = (await stage.create()).connection;
    const body = JSON.stringify({ you: { sent: `Bearer ${KEY}` }, other: "тайна" });
    const response = await (await open(connection_id, { status: 200, body })).send({
      ...get,
      url: `${stage.provider.url}/v1`,
    });
    expect(JSON.parse(response.body.toString())).toEqual({ you: { sent: "Bearer [REDACTED]" }, other: "тайна" });
    expect(response.headers).toEqual({ "x-echo": "[REDACTED]" });
  });
});
