import pg from "pg";
import { deferIndexes } from "#bench/load/defer-indexes";
import { uuidv7 } from "#lib/support/ids";
import { showStep } from "#scripts/progress";

/**
 * A history like that of a workspace after a month: a busy action, quiet actions, some failures, and a key with most of
 * the calls.
 */
export interface SeededHistory {
  workspaceId: string;
  busyWorkflowId: string;
  quietWorkflowId: string;
  busyKeyId: string;
  quietKeyId: string;
}

const NO_GRAPH = '{"nodes":[],"edges":[]}';
const DAYS = 30;
const VERSIONS = 10;
const QUIET_WORKFLOWS = 19;
const EVENTS_PER_RUN = 10;
/** Rows per statement: few enough to fit into memory, and enough to make the start of a statement cost nothing. */
const BATCH = 25_000;
const WRITERS = 2;

/**
 * Opens a connection that skips triggers. The rows are correct by construction, and PostgreSQL would otherwise check
 * six foreign keys for each of a million runs.
 * @param databaseUrl the URL with a superuser's role
 */
export async function connectForSeeding(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("set session_replication_role = replica; set synchronous_commit = off; set timezone = 'UTC'");
  return client;
}

/** Creates the rows that runs refer to: a busy workflow with a month of versions, and quiet workflows. */
export async function prepareHistory(db: pg.Client): Promise<SeededHistory> {
  const [workspaceId, busyWorkflowId] = [uuidv7(), uuidv7()];
  const addWorkflow = async (id: string, slug: string) => {
    await db.query(
      `insert into workflows (id, workspace_id, name, type, draft) values ($1, $2, $3, 'callable', '${NO_GRAPH}')`,
      [id, workspaceId, slug],
    );
    await db.query("insert into actions (id, workspace_id, workflow_id, slug) values ($1, $2, $3, $4)", [
      uuidv7(),
      workspaceId,
      id,
      slug,
    ]);
  };
  await db.query("insert into workspaces (id, slug, name) values ($1, 'bench', 'Bench')", [workspaceId]);
  await addWorkflow(busyWorkflowId, "greet");
  await db.query(
    `insert into workflow_versions (id, workspace_id, workflow_id, version, status, definition, created_at)
     select uuidv7(), $1, $2, n, 'archived', '${NO_GRAPH}', now() - ($3 + 1 - (n - 1) * $3 / $4::float8) * interval '1 day'
     from generate_series(1, $4::int) n`,
    [workspaceId, busyWorkflowId, DAYS, VERSIONS],
  );
  const quiet = Array.from({ length: QUIET_WORKFLOWS }, () => uuidv7());
  for (const [index, id] of quiet.entries()) await addWorkflow(id, `quiet-${index}`);
  await db.query(
    `select create_partition(parent, part, starts, ends, null)
       from missing_partitions(now() - $1 * interval '1 day', now())`,
    [DAYS + 1],
  );
  return { workspaceId, busyWorkflowId, quietWorkflowId: quiet[0] ?? "", busyKeyId: uuidv7(), quietKeyId: uuidv7() };
}

/**
 * Inserts ended runs with ten journal entries each, spread evenly over a month. Builds indexes after the rows.
 * @param databaseUrl the URL with a superuser's role
 */
export async function seedRuns(databaseUrl: string, history: SeededHistory, total: number): Promise<void> {
  const db = await connectForSeeding(databaseUrl);
  await db.query("set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 2");
  const makeIndexes = await deferIndexes(db, ["runs", "execution_events"]);
  await showStep(`Writing ${total.toLocaleString("en")} runs`, async () => {
    const starts = Array.from({ length: Math.ceil(total / BATCH) }, (_, index) => 1 + index * BATCH);
    await Promise.all(Array.from({ length: WRITERS }, () => writeBatches(databaseUrl, history, starts, total)));
  });
  await makeIndexes();
  // Autovacuum would do this within minutes.
  await showStep("Vacuum", async () => {
    await db.query("vacuum (analyze) runs");
    await db.query("vacuum (analyze) execution_events");
  });
  await db.end();
}

/** Takes the next batch on one connection until no batch is left. */
async function writeBatches(databaseUrl: string, history: SeededHistory, starts: number[], total: number) {
  const db = await connectForSeeding(databaseUrl);
  const { workspaceId, busyWorkflowId, busyKeyId, quietKeyId } = history;
  for (let from = starts.shift(); from !== undefined; from = starts.shift()) {
    const to = Math.min(total, from + BATCH - 1);
    await db.query("begin");
    await db.query(CREATE_SEEDED);
    await db.query(`insert into seeded ${RUNS}`, [workspaceId, busyWorkflowId, busyKeyId, quietKeyId, from, to, total]);
    await db.query(`insert into runs (id, workspace_id, workflow_id, workflow_version_id, definition, action_slug,
        action_release_version, source, status, input, output, error, correlation_id, api_key_id, created_at, started_at,
        completed_at)
      select id, workspace_id, workflow_id, workflow_version_id, definition, action_slug, action_release_version, source,
        status, input, output, error, correlation_id, api_key_id, created_at, created_at, created_at + interval '40 ms'
      from seeded`);
    await db.query(EVENTS, [EVENTS_PER_RUN]);
    await db.query("commit");
  }
  await db.end();
}

const CREATE_SEEDED = `create temporary table seeded (id uuid, workspace_id uuid, workflow_id uuid, workflow_version_id uuid,
  definition json, action_slug text, action_release_version int, source text, status text, input jsonb, output json,
  error jsonb, correlation_id text, api_key_id uuid, created_at timestamptz) on commit drop`;

/** One run in 12 fails. One in 100 is a replay. Half of the runs belong to the busy workflow. */
const RUNS = `
  select uuidv7(t.at - clock_timestamp()) as id, $1::uuid as workspace_id,
    case when n % 2 = 0 then $2::uuid else q.ids[1 + n / 2 % cardinality(q.ids)] end as workflow_id,
    case when n % 2 = 0 then v.id end as workflow_version_id,
    case when n % 2 = 1 then '{"nodes":[],"edges":[]}'::json end as definition,
    case when n % 2 = 0 then 'greet' else 'quiet' end as action_slug,
    case when n % 2 = 0 then v.version end as action_release_version,
    case when n % 100 = 0 then 'replay' when n % 10 = 1 then 'webhook' when n % 25 = 2 then 'schedule' else 'action' end
      as source,
    s.status, jsonb_build_object('name', 'Ada', 'n', n) as input,
    case when s.status = 'succeeded' then json_build_object('text', 'Hello Ada, number ' || n) end as output,
    case when s.status <> 'succeeded' then jsonb_build_object('code', (array['UPSTREAM_ERROR', 'TIMEOUT', 'UNKNOWN'])[1 + n % 3],
      'message', 'POST https://crm' || n % 50 || '.example.com answered 50' || n % 4 || ' to request r' || n,
      'step_name', 'Second') end as error,
    'order-' || n / 3 as correlation_id,
    case when n % 50 = 25 then $4::uuid else $3::uuid end as api_key_id, t.at as created_at
  from generate_series($5::int, $6::int) n
    cross join lateral (select now() - (1 - n::float8 / $7::int) * interval '${DAYS} days' as at) t
    cross join lateral (select case when n % 12 = 4 then 'failed' when n % 100 = 7 then 'timed_out' when n % 100 = 9
      then 'cancelled' else 'succeeded' end as status) s
    cross join (select array_agg(workflow_id order by slug) as ids from actions where slug like 'quiet-%') q
    left join lateral (select id, version from workflow_versions w where w.workflow_id = $2 and w.created_at <= t.at
      order by version desc limit 1) v on true`;

/** Payloads of steps that call services: a few hundred bytes each way. */
const STEP_INPUT = JSON.stringify({
  method: "POST",
  url: "https://crm.example.com/api/v4/leads",
  headers: { accept: "application/json", "content-type": "application/json" },
  body: {
    customer: "Ada Lovelace",
    tier: "gold",
    country: "GB",
    items: [{ sku: "A-10492", quantity: 2, price: 14.5 }],
  },
});
const STEP_OUTPUT = JSON.stringify({
  status: 200,
  headers: { "content-type": "application/json; charset=utf-8", "x-request-id": "8c1f6a0e4b7d" },
  body: {
    id: 104_92,
    state: "open",
    owner: { id: 7, name: "Grace" },
    created_at: "2026-01-01T00:00:00.000Z",
    tags: [],
  },
});

/** Five steps, each started and completed. */
const EVENTS = `
  insert into execution_events (run_id, workspace_id, node_id, kind, attempt, at, duration_ms, input_data, output_data)
  select s.id, s.workspace_id, 'step_' || (e + 1) / 2, case e % 2 when 1 then 'step_started' else 'step_completed' end, 1,
    s.created_at + e * interval '4 ms', case e % 2 when 0 then 4 end,
    case e % 2 when 1 then '${STEP_INPUT}'::jsonb || s.input end,
    case e % 2 when 0 then '${STEP_OUTPUT}'::jsonb || s.input end
  from seeded s cross join generate_series(1, $1::int) e`;
