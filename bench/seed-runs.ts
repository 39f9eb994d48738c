import pg from "pg";

/** As a workspace looks after a month: a busy action, quiet ones, some failures, a key that most calls come by. */
export interface SeededHistory {
  workspaceId: string;
  busyWorkflowId: string;
  quietWorkflowId: string;
  busyKeyId: string;
  quietKeyId: string;
}

const DAYS = 30;
const VERSIONS = 10;
const QUIET_WORKFLOWS = 19;
const EVENTS_PER_RUN = 10;
/** Rows of one statement: few enough that it fits into memory, many enough that its start costs nothing. */
const BATCH = 50_000;

/**
 * A connection that skips triggers: what is written here is right by its making, and a million runs would have each of
 * their six foreign keys looked up.
 */
export async function connectForSeeding(databaseUrl: string): Promise<pg.Client> {
  const url = new URL(databaseUrl);
  url.username = "postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query("set session_replication_role = replica; set synchronous_commit = off; set timezone = 'UTC'");
  return client;
}

/** What the runs refer to: versions of the one published workflow over a month, further workflows, and keys. */
export async function prepareHistory(db: pg.Client, workspaceId: string): Promise<SeededHistory> {
  const one = async (text: string, values: unknown[]) => String((await db.query(text, values)).rows[0]?.id);
  const busyWorkflowId = await one("select workflow_id as id from actions where workspace_id = $1", [workspaceId]);
  await db.query(`update workflow_versions set created_at = now() - $2 * interval '1 day' where workflow_id = $1`, [
    busyWorkflowId,
    DAYS + 1,
  ]);
  await db.query(
    `insert into workflow_versions (id, workspace_id, workflow_id, version, status, definition, created_at)
     select uuidv7(), workspace_id, workflow_id, n, 'archived', definition, created_at + (n - 1) * $2 * interval '1 day'
     from workflow_versions cross join generate_series(2, $3::int) n where workflow_id = $1 and version = 1`,
    [busyWorkflowId, DAYS / VERSIONS, VERSIONS],
  );
  await db.query(
    `with made as (
       insert into workflows (id, workspace_id, name, type, draft)
       select uuidv7(), $1, 'Quiet ' || n, 'callable', '{"nodes":[],"edges":[]}' from generate_series(1, $2::int) n
       returning id, name)
     insert into actions (id, workspace_id, workflow_id, slug)
     select uuidv7(), $1, id, replace(lower(name), ' ', '-') from made`,
    [workspaceId, QUIET_WORKFLOWS],
  );
  const quietWorkflowId = await one("select workflow_id as id from actions where slug = 'quiet-1'", []);
  const busyKeyId = await one("select id from api_keys where workspace_id = $1", [workspaceId]);
  await db.query("select ensure_run_partitions(now() - $1 * interval '1 day', now())", [DAYS + 1]);
  return {
    workspaceId,
    busyWorkflowId,
    quietWorkflowId,
    busyKeyId,
    quietKeyId: await one("select uuidv7() as id", []),
  };
}

/**
 * Ended runs with ten journal entries each, spread evenly over a month.
 */
export async function seedRuns(db: pg.Client, history: SeededHistory, total: number): Promise<void> {
  for (let from = 1; from <= total; from += BATCH) {
    const to = Math.min(total, from + BATCH - 1);
    await db.query("begin");
    const { workspaceId, busyWorkflowId, busyKeyId, quietKeyId } = history;
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
  // What autovacuum does by itself within minutes.
  await db.query("vacuum (analyze) runs");
  await db.query("vacuum (analyze) execution_events");
}

/** Removes what was seeded, so that another history can take its place. */
export async function clearRuns(db: pg.Client): Promise<void> {
  await db.query("truncate runs, execution_events cascade");
}

const CREATE_SEEDED = `create temporary table seeded (id uuid, workspace_id uuid, workflow_id uuid, workflow_version_id uuid,
  definition jsonb, action_slug text, action_release_version int, source text, status text, input jsonb, output json,
  error jsonb, correlation_id text, api_key_id uuid, created_at timestamptz) on commit drop`;

/** One run in twelve fails; one in a hundred is a replay; half of all are of the busy workflow. */
const RUNS = `
  select uuidv7(t.at - clock_timestamp()) as id, $1::uuid as workspace_id,
    case when n % 2 = 0 then $2::uuid else q.ids[1 + n / 2 % cardinality(q.ids)] end as workflow_id,
    case when n % 2 = 0 then v.id end as workflow_version_id,
    case when n % 2 = 1 then '{"nodes":[],"edges":[]}'::jsonb end as definition,
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
    case when n % 1000 = 500 then $4::uuid else $3::uuid end as api_key_id, t.at as created_at
  from generate_series($5::int, $6::int) n
    cross join lateral (select now() - (1 - n::float8 / $7::int) * interval '${DAYS} days' as at) t
    cross join lateral (select case when n % 12 = 4 then 'failed' when n % 100 = 7 then 'timed_out' when n % 100 = 9
      then 'cancelled' else 'succeeded' end as status) s
    cross join (select array_agg(workflow_id order by slug) as ids from actions where slug like 'quiet-%') q
    left join lateral (select id, version from workflow_versions w where w.workflow_id = $2 and w.created_at <= t.at
      order by version desc limit 1) v on true`;

/** Five steps, each begun and completed. */
const EVENTS = `
  insert into execution_events (run_id, workspace_id, node_id, kind, attempt, at, duration_ms, input_data, output_data)
  select s.id, s.workspace_id, 'step_' || (e + 1) / 2, case e % 2 when 1 then 'step_started' else 'step_completed' end, 1,
    s.created_at + e * interval '4 ms', case e % 2 when 0 then 4 end,
    case e % 2 when 1 then jsonb_build_object('n', e) end,
    case e % 2 when 0 then jsonb_build_object('text', 'Hello Ada') end
  from seeded s cross join generate_series(1, $1::int) e`;
