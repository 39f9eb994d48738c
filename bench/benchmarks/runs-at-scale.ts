import type pg from "pg";
import type { Benchmark } from "#bench/benchmark";
import { compareToFloor, compareToNumber, type Figure } from "#bench/figures";
import { connectForSeeding, prepareHistory, type SeededHistory, seedRuns } from "#bench/load/seed-runs";
import { median } from "#bench/measure/statistics";
import { eventsJson } from "#lib/domain/journal/read-events";
import { journalColumns } from "#lib/domain/runs/read/journal-columns";
import { listErrorGroups } from "#lib/domain/runs/read/list-error-groups";
import { readRuns } from "#lib/domain/runs/read/list-runs";
import type { RunFilters, VersionTime } from "#lib/domain/runs/read/run-filters";
import { runColumns } from "#lib/domain/runs/read/run-row";
import type { Keyset } from "#lib/platform/db/page-cursor";
import type { Db } from "#lib/platform/db/pool";
import { migrate } from "#prisma/migrate";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";

const FEW = 1_000;
/** The highest allowed ratio of a list with many runs to the same list with few runs. */
const AT_MOST = 1.3;
/** The number of times that each statement is read. The result is the median. */
const READINGS = 31;
const PAGE = { limit: 20, order: "desc", withSteps: false } as const;

interface Statement {
  text: string;
  values: unknown[];
}
interface Reading {
  ms: number;
  scans: string[];
}

export const runsAtScale: Benchmark = {
  summary: "P11: lists, filters and details in the database, at a million runs (--runs) and at a thousand",
  run: async ({ runs }) => {
    const server = await startThrowawayPostgres({ settings: SETTINGS });
    try {
      const few = await openHistory(server.cluster.url("postgres"), FEW);
      await few.db.query("create database many");
      const many = await openHistory(server.cluster.url("many"), runs);
      const figures = await compareSizes(few, many);
      await Promise.all([few.db.end(), many.db.end()]);
      return figures;
    } finally {
      await server.remove();
    }
  },
};

/**
 * Settings of a separate PostgreSQL for the product's statements. Only this benchmark uses it, and its data may be
 * lost.
 */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  // With this setting, PostgreSQL builds indexes without writing them twice.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "8GB",
  shared_buffers: "512MB",
  autovacuum: "off",
};

interface OpenHistory {
  db: pg.Client;
  /** The statements by name. The result of a name is the largest value of its statements. */
  statements: ReadonlyMap<string, readonly Statement[]>;
}

async function openHistory(databaseUrl: string, runs: number): Promise<OpenHistory> {
  await migrate(databaseUrl);
  const db = await connectForSeeding(databaseUrl);
  const history = await prepareHistory(db);
  await seedRuns(databaseUrl, history, runs);
  return { db, statements: await nameStatements(db, history, runs) };
}

/** Measures in turns, so that the machine's other work affects both sizes equally. */
async function compareSizes(few: OpenHistory, many: OpenHistory): Promise<Figure[]> {
  const figures: Figure[] = [];
  const scans: string[] = [];
  for (const [name, statements] of many.statements) {
    const [fewMs, manyMs]: [number[], number[]] = [[], []];
    const beside = few.statements.get(name) ?? statements;
    for (let round = 0; round <= READINGS; round += 1) {
      const [small, large] = [await readAll(few.db, beside), await readAll(many.db, statements)];
      // The first round fills the caches.
      if (round === 0) scans.push(...large.scans.map((table) => `${name}: ${table}`));
      else fewMs.push(small.ms);
      if (round > 0) manyMs.push(large.ms);
    }
    const ratio = { measured: median(manyMs), floor: median(fewMs) };
    figures.push(compareToFloor(`P11 ms: ${name}`, ratio, { atMost: AT_MOST }));
  }
  for (const scan of scans) process.stderr.write(`${scan} is read whole\n`);
  return [...figures, compareToNumber("P11 plans that read a whole table", scans.length, { atMost: 0 })];
}

async function readAll(db: pg.Client, statements: readonly Statement[]): Promise<Reading> {
  const readings: Reading[] = [];
  for (const statement of statements) readings.push(await read(db, statement));
  return {
    ms: readings.reduce((sum, reading) => sum + reading.ms, 0),
    scans: readings.flatMap((reading) => reading.scans),
  };
}

/**
 * Reads planning and execution times as PostgreSQL reports them. The round trip is left out, because it costs the same
 * at any size.
 */
async function read(db: pg.Client, { text, values }: Statement): Promise<Reading> {
  const { rows } = await db.query(`explain (analyze, timing off, format json) ${text}`, values);
  const [told] = rows[0]["QUERY PLAN"];
  return { ms: told["Planning Time"] + told["Execution Time"], scans: scannedTables(told.Plan) };
}

/** Lists the requests of pages and callers by name. */
async function nameStatements(db: pg.Client, history: SeededHistory, runs: number): Promise<Map<string, Statement[]>> {
  const of = (filters: Partial<RunFilters>, time?: VersionTime, after: Keyset | null = null) =>
    recordStatements(db, (on) =>
      readRuns(on, { workspaceId: history.workspaceId, actionSlugs: null, ...filters }, PAGE, after, time),
    );
  const { busyWorkflowId: workflowId, quietWorkflowId, busyKeyId, quietKeyId, workspaceId } = history;
  const middle = await first(db, "select id, created_at from runs order by created_at offset $1 limit 1", [runs / 2]);
  const after = { id: middle.id, createdAt: middle.created_at };
  const failed = await first(
    db,
    "select error, error_group from runs where status = 'failed' order by created_at desc limit 1",
    [],
  );
  const words = String(failed.error.message).split(" ").at(-1);
  return new Map([
    ["first page", await of({})],
    ["a page in the middle", await of({}, undefined, after)],
    ["status succeeded", await of({ statuses: ["succeeded"] })],
    ["status failed", await of({ statuses: ["failed"] })],
    ["status failed or timed out", await of({ statuses: ["failed", "timed_out"] })],
    ["status of none", await of({ statuses: ["accepted", "running"] })],
    ["source webhook", await of({ sources: ["webhook"] })],
    ["source replay", await of({ sources: ["replay"] })],
    ["source of none", await of({ sources: ["test"] })],
    ["action", await of({ actionSlug: "greet" })],
    ["a quiet workflow", await of({ workflowId: quietWorkflowId })],
    ["the first version", await of({ workflowId, version: 1 }, await versionTime(db, workflowId, 1))],
    ["the latest version", await of({ workflowId, version: 10 }, await versionTime(db, workflowId, 10))],
    ["the busy key", await of({ apiKeyId: busyKeyId })],
    ["the quiet key", await of({ apiKeyId: quietKeyId })],
    ["correlation id", await of({ correlationId: `order-${Math.floor(runs / 6)}` })],
    ["replays of a run", await of({ resumeFromRunId: middle.id })],
    ["error, a word of all", await of({ errorText: "answered" })],
    ["error, a word of a third", await of({ errorText: "timeout" })],
    ["error, a word of two in a hundred", await of({ errorText: "crm20" })],
    ["error, a word of one", await of({ errorText: words })],
    ["error, of none", await of({ errorText: "unheard" })],
    ["groups of errors", await groupsOf(db, { workspaceId })],
    ["groups of errors of a quiet workflow", await groupsOf(db, { workspaceId, workflowId: quietWorkflowId })],
    ["runs of a group of errors", await of({ errorGroup: failed.error_group })],
    ["the last day", await of({ createdAfter: new Date(Date.now() - 86_400_000) })],
    ["a day three weeks ago", await of({ createdBefore: new Date(Date.now() - 21 * 86_400_000) })],
    [
      "failed, of an action, in a week",
      await of({ actionSlug: "greet", statuses: ["failed"], createdAfter: weekAgo() }),
    ],
    ["detail", [{ text: detailSql("without_payloads"), values: [middle.id, workspaceId] }]],
    ["detail with payloads", [{ text: detailSql("full"), values: [middle.id, workspaceId] }]],
    ["one step", [{ text: stepSql(), values: [middle.id, workspaceId, "step_3"] }]],
  ]);
}

/** Records the statements that a use case runs, because the SQL of a search depends on what it finds. */
async function recordStatements(db: pg.Client, run: (on: Db) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  await run({
    query: ({ text, values = [] }) => {
      statements.push({ text, values });
      return db.query(text, values);
    },
  });
  return statements;
}

function groupsOf(db: pg.Client, filters: Pick<RunFilters, "workspaceId" | "workflowId">): Promise<Statement[]> {
  return recordStatements(db, (on) => listErrorGroups({ ...filters, actionSlugs: null }, on));
}

const weekAgo = () => new Date(Date.now() - 7 * 86_400_000);

function detailSql(events: "without_payloads" | "full"): string {
  return `select ${runColumns(journalColumns(events))} from runs r where r.id = $1 and r.workspace_id = $2`;
}

function stepSql(): string {
  return `select ${eventsJson("r.id", { payloads: true, where: "e.node_id = $3" })} from runs r where r.id = $1 and r.workspace_id = $2`;
}

async function first(db: pg.Client, text: string, values: unknown[]) {
  return (await db.query(text, values)).rows[0];
}

async function versionTime(db: pg.Client, workflowId: string, version: number): Promise<VersionTime> {
  const row = await first(
    db,
    `select v.id, v.created_at, (select min(n.created_at) from workflow_versions n
       where n.workflow_id = v.workflow_id and n.version > v.version) as until
     from workflow_versions v where v.workflow_id = $1 and v.version = $2`,
    [workflowId, version],
  );
  return { versionId: row.id, from: row.created_at, until: row.until };
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** PostgreSQL reads a table with fewer rows just as quickly without an index. */
const MANY_ROWS = 100;

/**
 * Returns the tables that grow with every run and that the plan reads whole. An empty partition costs nothing to read
 * whole.
 */
function scannedTables(plan: PlanNode): string[] {
  const rows = (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
  const own = plan["Node Type"] === "Seq Scan" && rows > MANY_ROWS ? [plan["Relation Name"] ?? ""] : [];
  const below = (plan.Plans ?? []).flatMap(scannedTables);
  return [...own, ...below].filter((table) => table === "runs" || table.startsWith("execution_events"));
}
