import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, callRest } from "#lib/api/rest/rest.fixture";
import type { RunObject, RunStatus } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addEvents, setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "greet" });

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const run = () => callRest("POST", "/actions/greet/run", { key, body: { input: { name: "Ada" } } });
const read = (runId: unknown, query = "") => callRest("GET", `/runs/${runId}${query}`, { key });

/** Users can start a hundred runs in an hour. These tests start more. */
async function freshWorkspace(): Promise<{
  list: (query?: string) => Promise<Answer>;
  make: (slug?: string, body?: JsonObject) => Promise<string>;
  workspace: TestWorkspace;
}> {
  const own = await addWorkspace();
  const { raw_key: ownKey } = await addKey(own);
  await addAction(own, { slug: "one" });
  await addAction(own, { slug: "two" });
  return {
    workspace: own,
    list: (query = "") => callRest("GET", `/runs${query}`, { key: ownKey }),
    make: async (slug = "one", body = {}) => {
      const answer = await callRest("POST", `/actions/${slug}/run`, {
        key: ownKey,
        body: { input: { name: "Ada" }, ...body },
      });
      return String(answer.body.run_id);
    },
  };
}

describe("GET /runs/:run_id", () => {
  let runId: string;
  beforeAll(async () => {
    runId = String((await run()).body.run_id);
    await addEvents(workspace.workspaceId, runId, [
      { kind: "step_started", nodeId: "start", inputData: { name: "Ada" } },
      { kind: "step_completed", nodeId: "start", outputData: { name: "Ada" }, durationMs: 1 },
      { kind: "step_started", nodeId: "greet", inputData: { to: "Ada" } },
      { kind: "step_failed", nodeId: "greet", error: { code: "UNKNOWN", message: "no" }, durationMs: 2 },
      { kind: "step_skipped", nodeId: "end" },
    ]);
    await setRun(runId, "failed");
  });

  test("returns status, times and the timeline with the names of the run's version", async () => {
    const { status, body } = await read(runId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "failed", started_at: expect.stringMatching(ISO), duration_ms: 20 });
    expect(body).not.toHaveProperty("events");
    expect((body.steps as JsonObject[]).map((step) => [step.step_id, step.name, step.type, step.status])).toEqual([
      ["start", "Input", "action_input", "completed"],
      ["greet", "Greet", "transform", "failed"],
      ["end", "end", "return_output", "skipped"],
    ]);
    expect((body.steps as JsonObject[])[1]).toMatchObject({ input: { to: "Ada" }, error: { code: "UNKNOWN" } });
  });

  test("steps=summary leaves out payloads, and steps=failed returns only failed steps", async () => {
    const summary = (await read(runId, "?steps=summary")).body.steps as JsonObject[];
    expect(summary.map((step) => [step.input, step.output])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    const failed = (await read(runId, "?steps=failed")).body.steps as JsonObject[];
    expect(failed.map((step) => step.step_id)).toEqual(["greet"]);
  });

  test("include=events adds the raw journal", async () => {
    const { events } = (await read(runId, "?include=events&steps=summary")).body;
    expect(events).toHaveLength(5);
    expect((events as JsonObject[])[1]).toEqual({
      event: "step_completed",
      step_id: "start",
      iteration: "",
      attempt: 1,
      at: expect.stringMatching(ISO),
      outputData: { name: "Ada" },
      durationMs: 1,
    });
  });

  test("the output of a run is returned exactly as the workflow produced it", async () => {
    const id = String((await run()).body.run_id);
    await setRun(id, "succeeded", { email: "ada@lovelace.example" });
    expect((await read(id)).body).toMatchObject({ status: "succeeded", output: { email: "ada@lovelace.example" } });
  });

  test.each([
    ["steps", "?steps=all"],
    ["include", "?include=everything"],
    ["steps", "?steps=full&steps=full"],
  ])("names %s if it is invalid: %s", async (field, query) => {
    const { status, body } = await read(runId, query);
    expect(status).toBe(400);
    expect(body.error).toMatch(new RegExp(`^${field}:`));
  });

  test("a run of another workspace, an unknown run and an invalid id get the same answer", async () => {
    const foreign = await (await freshWorkspace()).make();
    const answers = await Promise.all(
      [foreign, uuidv7(), "not-a-uuid", "%00", "1", "x".repeat(500)].map((id) => read(id)),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toEqual({ error: "There is no such run.", code: "RUN_NOT_FOUND", reason: "run_not_found" });
    }
  });
});

describe("GET /runs", () => {
  test("paginates through all runs in both directions, without gaps, repetitions or steps", async () => {
    const { list, make } = await freshWorkspace();
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) made.push(await make());
    for (const order of ["asc", "desc"] as const) {
      const seen: string[] = [];
      let cursor: unknown = null;
      do {
        const { body } = await list(`?limit=3&order=${order}${cursor ? `&cursor=${cursor}` : ""}`);
        for (const item of body.data as RunObject[]) {
          seen.push(item.run_id);
          expect(item.steps).toEqual([]);
        }
        cursor = body.next_cursor;
      } while (cursor);
      expect(seen).toEqual(order === "asc" ? made : made.toReversed());
    }
  });

  test("pages stay consistent while new runs are created", async () => {
    const { list, make } = await freshWorkspace();
    const made = [await make(), await make(), await make()];
    const first = (await list("?limit=2")).body;
    await make();
    const second = (await list(`?limit=2&cursor=${first.next_cursor}`)).body;
    expect((second.data as RunObject[]).map((item) => item.run_id)).toEqual([made[0]]);
  });

  test("filters by action, status, source, correlation, origin and time, alone and together", async () => {
    const { list, make } = await freshWorkspace();
    const accepted = await make("one", { correlation_id: "c1" });
    const failed = await make("two");
    const dry = await make("one", { dry_run: true, correlation_id: "c1" });
    await setRun(failed, "failed" satisfies RunStatus);
    const created = ((await list("?order=asc")).body.data as RunObject[]).map((item) => item.created_at);
    const idsOf = async (query: string) => ((await list(query)).body.data as RunObject[]).map((item) => item.run_id);
    expect(await idsOf("?action_slug=two")).toEqual([failed]);
    expect(await idsOf("?status=failed")).toEqual([failed]);
    expect(await idsOf("?status=failed,accepted")).toEqual([failed, accepted]);
    expect(await idsOf("?status=accepted,accepted")).toEqual([accepted]);
    expect(await idsOf("?source=dry_run")).toEqual([dry]);
    expect(await idsOf("?source=action,dry_run&status=succeeded")).toEqual([dry]);
    expect(await idsOf("?correlation_id=c1")).toEqual([dry, accepted]);
    expect(await idsOf("?correlation_id=c1&source=action")).toEqual([accepted]);
    expect(await idsOf(`?resume_from_run_id=${accepted}`)).toEqual([]);
    expect(await idsOf(`?created_after=${created[2]}`)).toEqual([dry]);
    expect(await idsOf(`?created_before=${created[0]}`)).toEqual([]);
    expect(await idsOf("?created_after=2000-01-01T00:00:00%2B02:00&created_before=9999-12-31T23:59:59Z")).toHaveLength(
      3,
    );
    expect(await idsOf("?action_slug=nothing")).toEqual([]);
  });

  test("include=steps adds the timelines of at most 20 runs", async () => {
    const { list, make, workspace: own } = await freshWorkspace();
    const id = await make();
    await addEvents(own.workspaceId, id, [{ kind: "step_started", nodeId: "greet", inputData: 1 }]);
    expect((await list("?include=steps")).body.data).toMatchObject([
      { run_id: id, steps: [{ step_id: "greet", input: 1 }] },
    ]);
    expect((await list("?include=steps&limit=20")).status).toBe(200);
    expect(await list("?include=steps&limit=21")).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^limit:/) },
    });
  });

  test.each([
    ["status", "?status=done"],
    ["status", "?status=failed,"],
    ["status", "?status="],
    ["source", "?source=api"],
    ["created_after", "?created_after=yesterday"],
    ["created_before", "?created_before=2026-13-01T00:00:00Z"],
    ["resume_from_run_id", "?resume_from_run_id=7"],
    ["include", "?include=output"],
    ["limit", "?limit=1e9"],
    ["correlation_id", "?correlation_id=%00"],
    ["cursor", "?cursor=bm90aGluZw"],
  ])("names %s if it is invalid: %s", async (field, query) => {
    const { status, body } = await callRest("GET", `/runs${query}`, { key });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "BAD_REQUEST", error: expect.stringMatching(new RegExp(`^${field}:`)) });
  });

  test("a cursor is valid only in its workspace", async () => {
    const { list, make } = await freshWorkspace();
    await make();
    await make();
    const { next_cursor: cursor } = (await list("?limit=1")).body;
    expect((await callRest("GET", `/runs?limit=1&cursor=${cursor}`, { key })).status).toBe(400);
  });
});
