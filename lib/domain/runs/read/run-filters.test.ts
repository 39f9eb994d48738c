import { beforeAll, describe, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import {
  FAILED_RUN_STATUSES,
  OPEN_RUN_STATUSES,
  RUN_STATUSES,
  type RunStatus,
  TERMINAL_RUN_STATUSES,
} from "#lib/contract/run/run";
import { addAction, addRelease } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { listRuns, readRuns } from "#lib/domain/runs/read/list-runs";
import type { RunFilters } from "#lib/domain/runs/read/run-filters";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { type Db, db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

process.env.RUNS_PER_USER_PER_HOUR = "0";

await openTestDatabase();

const workspace = await addWorkspace();
const action = await addAction(workspace);

const PAGE = { limit: 20, order: "desc", withSteps: false } as const;
const filtersOf = (filters: Partial<RunFilters>): RunFilters => ({
  workspaceId: workspace.workspaceId,
  actionSlugs: null,
  ...filters,
});
const idsOf = async (filters: Partial<RunFilters>) =>
  (await listRuns(filtersOf(filters), PAGE)).data.map((run) => run.run_id);

const makeRun = async (apiKeyId?: string) =>
  (await callAction({ workspace, action }, apiKeyId === undefined ? {} : { apiKeyId })).run.run_id;

async function fail(runId: string, error: object): Promise<void> {
  await db().query("update runs set status = 'failed', completed_at = now(), error = $2 where id = $1", [runId, error]);
}

describe("runs are found", () => {
  test("by the key that started them; a key of another workspace finds none", async () => {
    const [one, two] = [await addKey(workspace), await addKey(workspace)];
    const runId = await makeRun(one.key_id);
    await makeRun(two.key_id);
    expect(await idsOf({ apiKeyId: one.key_id })).toEqual([runId]);
    const other = await addWorkspace();
    expect(await idsOf({ workspaceId: other.workspaceId, apiKeyId: one.key_id })).toEqual([]);
  });

  test("by the reference of their caller, which is their own id unless it sends one", async () => {
    const first = await makeRun();
    const refer = async (correlationId: string) =>
      (await callAction({ workspace, action }, { correlationId })).run.run_id;
    const [named, related] = [await refer("order-1017"), await refer(first)];
    expect(await idsOf({ correlationId: "order-1017" })).toEqual([named]);
    expect(await idsOf({ correlationId: first })).toEqual([related, first]);
    expect(await idsOf({ correlationId: named })).toEqual([]);
    const other = await addWorkspace();
    expect(await idsOf({ workspaceId: other.workspaceId, correlationId: first })).toEqual([]);
  });

  test("by words of their error, with anything between them, in this workspace alone", async () => {
    const [refused, slow] = [await makeRun(), await makeRun()];
    await fail(refused, {
      code: "UPSTREAM_ERROR",
      message: "POST https://crm.example.com/v2 answered 503",
      step_name: "Заказ",
    });
    await fail(slow, { code: "TIMEOUT", message: "it took 30 s" });
    expect(await idsOf({ errorText: "503" })).toEqual([refused]);
    expect(await idsOf({ errorText: "crm.exam" })).toEqual([refused]);
    expect(await idsOf({ errorText: "upstream ANSWER" })).toEqual([refused]);
    expect(await idsOf({ errorText: "заказ" })).toEqual([refused]);
    expect(await idsOf({ errorText: "30 s" })).toEqual([slow]);
    expect(await idsOf({ errorText: "took 503" })).toEqual([]);
    expect(await idsOf({ errorText: "503", statuses: ["timed_out"] })).toEqual([]);
    expect(await idsOf({ errorText: "503", statuses: ["succeeded", "running"] })).toEqual([]);
    expect(await idsOf({ workspaceId: (await addWorkspace()).workspaceId, errorText: "503" })).toEqual([]);
  });

  test.each(["'", "' & !x", "a:*b | c", "\\", "&", "  "])(
    "by any text, without an internal error: %s",
    async (errorText) => {
      await expect(idsOf({ errorText })).resolves.toBeInstanceOf(Array);
    },
  );

  test("by status: open, ended, and any combination, in the order of the list", async () => {
    const own = await addAction(workspace);
    const runs = new Map<string, string>();
    for (const status of RUN_STATUSES) {
      const runId = (await callAction({ workspace, action: own })).run.run_id;
      const isOpen = OPEN_RUN_STATUSES.some((open) => open === status);
      await db().query(
        "update runs set status = $2, completed_at = case when $3 then null else now() end where id = $1",
        [runId, status, isOpen],
      );
      if (status !== "accepted") await db().query("delete from run_queue where run_id = $1", [runId]);
      runs.set(status, runId);
    }
    const listed = (statuses: readonly RunStatus[]) => idsOf({ workflowId: own.workflowId, statuses });
    for (const statuses of [
      ...RUN_STATUSES.map((status) => [status]),
      OPEN_RUN_STATUSES,
      TERMINAL_RUN_STATUSES,
      FAILED_RUN_STATUSES,
      ["accepted", "failed"],
      RUN_STATUSES,
    ] as RunStatus[][]) {
      expect(await listed(statuses), statuses.join()).toEqual(statuses.map((status) => runs.get(status)).reverse());
    }
  });

  test("by version: runs from its time and later replays of it, page after page", async () => {
    const own = await addAction(workspace);
    const make = async () => (await callAction({ workspace, action: own })).run.run_id;
    const shift = (ids: string[], minutes: number) =>
      db().query(`update runs set created_at = created_at + make_interval(mins => $2) where id = any($1)`, [
        ids,
        minutes,
      ]);
    const first = [await make(), await make()];
    await shift(first, -60);
    await db().query("update workflow_versions set created_at = created_at - interval '2 hours' where id = $1", [
      own.versionId,
    ]);
    const { versionId } = await addRelease(db(), workspace, own, 2);
    const second = await make();
    await shift([second], 30);
    const replay = await make();
    await db().query("update runs set source = 'replay', workflow_version_id = $2 where id = $1", [
      replay,
      own.versionId,
    ]);
    await shift([replay], 60);
    expect(await idsOf({ actionSlug: own.slug, version: 1 })).toEqual([replay, first[1], first[0]]);
    expect(await idsOf({ workflowId: own.workflowId, version: 2 })).toEqual([second]);
    expect(versionId).not.toBe(own.versionId);
    expect(await idsOf({ actionSlug: own.slug, version: 3 })).toEqual([]);
    const filters = filtersOf({ actionSlug: own.slug, version: 1 });
    const page = await listRuns(filters, { ...PAGE, limit: 1 });
    const next = await listRuns(filters, { ...PAGE, limit: 2, cursor: page.next_cursor ?? "" });
    expect(next.data.map((run) => run.run_id)).toEqual([first[1], first[0]]);
    expect((await errorOf(idsOf({ version: 1 }))).message).toMatch(/^version:/);
  });
});

describe("with many runs", () => {
  beforeAll(async () => {
    await makeRun();
    await db().query(
      `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id,
         created_at, completed_at, error)
       select uuidv7(), workspace_id, workflow_id, workflow_version_id, 'action',
         case i % 50 when 0 then 'failed' else 'succeeded' end, '{}', i, now() - i * interval '1 minute', now(),
         case i % 50 when 0 then jsonb_build_object('code', 'UNKNOWN', 'message', 'number ' || i) end
       from (select * from runs where workflow_id = $1 limit 1) r cross join generate_series(1, 4000) i`,
      [action.workflowId],
    );
    await db().query("analyze runs");
  });

  test.each([
    ["no filter", {}],
    ["a rare status", { statuses: ["failed"] }],
    ["a status that no run has", { statuses: ["cancelled", "timed_out"] }],
    ["a rare source", { sources: ["schedule"] }],
    ["a key", { apiKeyId: uuidv7() }],
    ["a rare word of an error", { errorText: "number 3500" }],
    ["a common word of an error", { errorText: "number" }],
    ["a correlation id", { correlationId: "77" }],
    ["a correlation id that can be a run's id", { correlationId: uuidv7() }],
    ["an hour long ago", { createdBefore: new Date(0) }],
  ] satisfies [string, Partial<RunFilters>][])("%s is found by an index, reading few rows", async (_name, filters) => {
    let buffers = 0;
    const explaining: Db = {
      query: async (query) => {
        const { rows } = await db().query(`explain (analyze, buffers, format json) ${query.text}`, query.values);
        expect(JSON.stringify(rows[0])).not.toContain('"Seq Scan"');
        buffers += rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
        return db().query(query);
      },
    };
    await readRuns(explaining, filtersOf(filters), PAGE, null);
    expect(buffers).toBeLessThan(1_200);
  });

  test.each([
    ["queued", ["accepted"]],
    ["open", OPEN_RUN_STATUSES],
  ] satisfies [string, readonly RunStatus[]][])(
    "%s runs are found without reading those that ended",
    async (_name, statuses) => {
      let text = "";
      const explaining: Db = {
        query: async (query) => {
          const { rows } = await db().query(`explain (analyze, format json) ${query.text}`, query.values);
          text = JSON.stringify(rows[0]);
          return db().query(query);
        },
      };
      const found = await readRuns(explaining, filtersOf({ statuses }), PAGE, null);
      expect(found.length).toBeGreaterThan(0);
      // At most as many rows as are in the queue are read and left out.
      for (const [, removed] of text.matchAll(/"Rows Removed by Filter":(\d+)/g))
        expect(Number(removed)).toBeLessThan(50);
    },
  );

  const words = { everywhere: 2_000, rarely: 61, lately: 5, "long ago": 1_100, once: 1, nowhere: 0 };

  test("words of errors are found in the order of the list, however many errors contain them and wherever they are", async () => {
    const own = await addWorkspace();
    const ownAction = await addAction(own);
    await callAction({ workspace: own, action: ownAction });
    // Number 1 is the newest error of 2000.
    await db().query(
      `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id,
         created_at, completed_at, error)
       select uuidv7(), workspace_id, workflow_id, workflow_version_id, 'action',
         case i % 2 when 0 then 'failed' else 'timed_out' end, '{}', i, now() - i * interval '1 minute', now(),
         jsonb_build_object('message', concat_ws(' ', 'everywhere', case when i % 33 = 7 then 'rarely' end,
           case when i <= 5 then 'lately' end, case when i > 900 then 'long' end, case when i = 1234 then 'once' end))
       from (select * from runs where workflow_id = $1 limit 1) r cross join generate_series(1, 2000) i`,
      [ownAction.workflowId],
    );
    for (const [word, count] of Object.entries(words)) {
      const filters = filtersOf({ workspaceId: own.workspaceId, errorText: word.split(" ")[0] ?? "" });
      for (const order of ["asc", "desc"] as const) {
        const numbers: number[] = [];
        for (let cursor: string | undefined; numbers.length < count + 1; ) {
          const page = await listRuns(filters, { ...PAGE, limit: 100, order, cursor });
          numbers.push(...page.data.map((run) => Number(run.correlation_id)));
          if (page.next_cursor === null) break;
          cursor = page.next_cursor;
        }
        const sorted = numbers.toSorted((a, b) => (order === "asc" ? b - a : a - b));
        expect(numbers, word).toEqual(sorted);
        expect(new Set(numbers).size, word).toBe(count);
      }
      const timedOut = await listRuns({ ...filters, statuses: ["timed_out"] }, PAGE);
      expect(timedOut.data.every((run) => run.status === "timed_out")).toBe(true);
    }
  });
});
