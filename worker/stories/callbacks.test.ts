import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { answerCallback, callbackRoute } from "#lib/api/webhooks/callback-route";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { resealColumns } from "#lib/domain/resealing/reseal-columns";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();
const SCHEMA = {
  type: "object",
  properties: { status: { type: "string" }, items: { type: "array", items: { type: "number" } } },
  required: ["status"],
};

/** Returns a step that sends the callback address of `wait` to a path of the local server. */
function sender(path: string, from = "{{wait.callback_url}}"): GraphNode {
  return stage.call(path, {
    params: { method: "POST", url: `${stage.server.url}/${path}`, body: { address: from } },
  });
}

function waiting(more: JsonObject = {}): GraphNode {
  return node("wait", "wait_for_callback", { expires_seconds: 3_600, ...more });
}

/** The run's output: the callback's body and one of its headers. */
const RESULT = node("out", "return_output", {
  properties: [
    { name: "status", type: "string", value: "{{wait.body.status}}" },
    { name: "event", type: "string", value: "{{wait.headers.x-event-id}}" },
  ],
});

/** Returns the address that was last sent to the local server's path. */
async function addressAt(path: string): Promise<string> {
  const call = await until(`the address at /${path}`, async () => stage.server.of(`/${path}`).at(-1)?.body);
  return (JSON.parse(String(call)) as { address: string }).address;
}

async function post(address: string, body: unknown, headers: Record<string, string> = {}) {
  const token = address.split("/").at(-1) ?? "";
  const bytes = typeof body === "string" ? body : JSON.stringify(body);
  const request = new Request(address, { method: "POST", body: bytes, headers });
  const response = await callbackRoute(request, token);
  const isRepeat = response.headers.get("idempotent-replayed") === "true";
  return { status: response.status, isRepeat, body: (await response.json()) as JsonObject };
}

async function startWaiting(path: string, data: JsonObject = {}, ...more: string[]) {
  const run = await stage.start([sender(path), waiting(data), RESULT], `in>${path}>wait.received>out`, ...more);
  await stage.parks(run);
  return { run, address: await addressAt(path) };
}

const rowOf = async ({ runId }: RunReference) =>
  (await db().query("select * from callbacks where run_id = $1", [runId])).rows[0];

describe("a run that waits for a callback", () => {
  it("is parked without a slot, and the first request to its address resumes it with body and safe headers", async () => {
    const { run, address } = await startWaiting("first", { schema: SCHEMA });
    expect(await stage.row(run)).toMatchObject({ status: "running", lease_owner: null, clock: false, jobs: 1 });
    const headers = { authorization: "Bearer secret-secret", cookie: "a=b", "x-event-id": "7", "x-api-key": "k" };
    expect(await post(address, { status: "paid" }, headers)).toMatchObject({ status: 200, body: { accepted: true } });
    const row = await stage.reaches(run, "succeeded");
    expect(row.output).toEqual({ status: "paid", event: "7" });
    const step = await stage.step(run, "wait");
    expect(step).toMatchObject({ status: "completed", attempt: 1 });
    expect(step?.output).toMatchObject({ headers: { "content-type": "text/plain;charset=UTF-8", "x-event-id": "7" } });
    expect(JSON.stringify(step?.output)).not.toMatch(/secret|cookie|x-api-key/);
  });

  it("is resumed once by a request that is delivered twice, and refuses a different body", async () => {
    const { run, address } = await startWaiting("twice");
    const [one, two] = await Promise.all([post(address, { status: "a" }), post(address, { status: "a" })]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect([one.isRepeat, two.isRepeat].sort()).toEqual([false, true]);
    expect(one.body).toEqual(two.body);
    await stage.reaches(run, "succeeded");
    expect(await post(address, { status: "a" })).toMatchObject({ status: 200, isRepeat: true, body: one.body });
    expect(await post(address, { status: "b" })).toMatchObject({ status: 409, body: { code: "CALLBACK_USED" } });
    expect((await stage.kinds(run)).filter((kind) => kind.startsWith("wait:"))).toEqual([
      "wait:started",
      "wait:completed",
    ]);
  });

  it("refuses an invalid body with the names of its fields, and keeps waiting", async () => {
    const { run, address } = await startWaiting("checked", { schema: SCHEMA });
    const wrong = await post(address, { items: [1, "x"] });
    expect(wrong).toMatchObject({ status: 400, body: { code: "INPUT_VALIDATION_FAILED" } });
    expect((wrong.body.details as { field: string; message: string }[]).map(({ message }) => message).sort()).toEqual([
      "items.1 must be number",
      "status is required",
    ]);
    expect((await post(address, "{")).status).toBe(400);
    expect((await post(address, "x".repeat(LIMITS.callbackBodyBytes + 1))).status).toBe(413);
    expect(await rowOf(run)).toMatchObject({ status: "waiting", sealed: null });
    expect((await post(address, { status: "ok" })).status).toBe(200);
    await stage.reaches(run, "succeeded");
  });

  it("accepts a request that arrives before the run reaches the step", async () => {
    const { server } = stage;
    server.hold("/slow");
    const run = await stage.start([sender("early"), stage.call("slow"), waiting(), RESULT], "in>early>slow>wait>out");
    expect((await post(await addressAt("early"), { status: "early" })).status).toBe(200);
    server.release("/slow");
    expect((await stage.reaches(run, "succeeded")).output).toMatchObject({ status: "early" });
  });

  it("accepts a request that arrives while another branch is still running", async () => {
    const { server } = stage;
    server.hold("/busy");
    const run = await stage.start(
      [sender("parallel"), stage.call("busy"), waiting(), RESULT],
      "in>parallel, in>busy, parallel>wait>out, busy>out",
    );
    const address = await addressAt("parallel");
    await until("the wait", async () => await rowOf(run));
    expect((await post(address, { status: "now" })).status).toBe(200);
    server.release("/busy");
    expect((await stage.reaches(run, "succeeded")).output).toMatchObject({ status: "now" });
  });

  it("keeps its address after the loss of its worker", async () => {
    const { run, address } = await startWaiting("outlives");
    await stage.replaceWorker();
    await stage.requeue(run);
    await until("it to be parked again", async () => Number((await stage.row(run)).lease_token) > 2);
    await stage.parks(run);
    expect((await post(address, { status: "later" })).status).toBe(200);
    await stage.reaches(run, "succeeded");
    expect(stage.server.of("/outlives")).toHaveLength(1);
  });

  it("takes the Expired branch when its time is over, and refuses requests from then on", async () => {
    const late = stage.call("late");
    const run = await stage.start(
      [sender("expires"), waiting({ expires_seconds: 1 }), late],
      "in>expires>wait.expired>late>out, wait.received>out",
    );
    await stage.reaches(run, "succeeded");
    expect(stage.server.of("/late")).toHaveLength(1);
    expect(await post(await addressAt("expires"), {})).toMatchObject({
      status: 410,
      body: { code: "CALLBACK_CLOSED" },
    });
    const step = await stage.step(run, "wait");
    expect(step?.output).toEqual({ body: null, headers: {}, received_at: null });
  });

  it("times out when its time is over if it has no Expired branch", async () => {
    const { run } = await startWaiting("ends", { expires_seconds: 2 });
    const row = await stage.reaches(run, "timed_out");
    expect(row.error).toMatchObject({ code: "TIMEOUT", reason: "callback_expired", step_id: "wait" });
  });

  it("refuses a request after it is cancelled", async () => {
    const { run, address } = await startWaiting("cancelled");
    await stage.cancel(run);
    expect(await stage.row(run)).toMatchObject({ status: "cancelled", jobs: 0 });
    expect(await post(address, {})).toMatchObject({ status: 410, body: { code: "CALLBACK_CLOSED" } });
    expect((await stage.row(run)).status).toBe("cancelled");
  });

  it("gets a new address when it is replayed", async () => {
    const { run, address } = await startWaiting("replayed");
    await stage.cancel(run);
    const copy = await stage.replay(run, { mode: "from_start" });
    await stage.parks(copy);
    const other = await addressAt("replayed");
    expect(other).not.toBe(address);
    expect((await post(other, { status: "second" })).status).toBe(200);
    await stage.reaches(copy, "succeeded");
  });

  it("has a separate address in each iteration of a loop", async () => {
    const inside = (item: GraphNode): GraphNode => ({ ...item, parentId: "each" });
    const run = await stage.start(
      [
        node("each", "loop", { items: ["a", "b"], concurrency: 2, result: "{{wait.body}}" }),
        inside(sender("each-sends")),
        inside(waiting()),
        node("out", "return_output", { properties: [{ name: "all", type: "array", value: "{{each.results}}" }] }),
      ],
      "in>each, each-sends>wait, each>out",
    );
    await stage.parks(run);
    const addresses = stage.server
      .of("/each-sends")
      .map((call) => (JSON.parse(call.body) as { address: string }).address);
    expect(new Set(addresses).size).toBe(2);
    for (const [index, address] of addresses.entries()) expect((await post(address, { index })).status).toBe(200);
    const { output } = await stage.reaches(run, "succeeded");
    expect(output.all).toHaveLength(2);
  });
});

describe("the address of a callback", () => {
  it("is not stored in any table or shown in any timeline", async () => {
    const { run, address } = await startWaiting("hidden");
    const token = address.split("/").at(-1) ?? "";
    const { rows } = await db().query(
      `select to_jsonb(e)::text as text from journal_events($1) e
       union all select to_jsonb(r)::text from runs r where id = $1
       union all select to_jsonb(c)::text from callbacks c where run_id = $1`,
      [run.runId],
    );
    const stored = rows.map((row: { text: string }) => row.text).join("\n");
    expect(stored).not.toContain(token);
    const shown = JSON.stringify(await stage.show(run));
    expect(shown).not.toContain(token);
    expect(shown).toContain("/callbacks/[REDACTED_TOKEN]");
    await stage.cancel(run);
  });

  it("is not found if a character is changed, or if it belongs to another run", async () => {
    const { run, address } = await startWaiting("signed");
    const other = await startWaiting("other");
    const changed = (address.at(-40) === "A" ? "B" : "A").padStart(1);
    const wrong = `${address.slice(0, -40)}${changed}${address.slice(-39)}`;
    // Combines the names of another run with the signature of this one.
    const bytes = (text: string) => Buffer.from(text.slice(text.lastIndexOf("/scb_") + 5), "base64url");
    const mixed = Buffer.concat([bytes(other.address).subarray(0, 16), bytes(address).subarray(16)]);
    for (const bad of [
      wrong,
      `${address}A`,
      address.slice(0, -8),
      `https://x.test/scb_${mixed.toString("base64url")}`,
    ]) {
      expect(await post(bad, {})).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
    expect((await stage.row(run)).status).toBe("running");
    await stage.cancel(run);
    await stage.cancel(other.run);
  });

  it("does nothing on GET", async () => {
    const response = await answerCallback(new Request("http://localhost/callbacks/x"));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("stays valid after the values are sealed again with a new key, and so does a body that already arrived", async () => {
    const { run, address } = await startWaiting("resealed");
    const before = createHash("sha256").update(address).digest("hex");
    await resealColumns(db());
    expect((await post(address, { status: "kept" })).status).toBe(200);
    await stage.reaches(run, "succeeded");
    expect(
      createHash("sha256")
        .update(await addressAt("resealed"))
        .digest("hex"),
    ).toBe(before);
  });
});
