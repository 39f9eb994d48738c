import { vi } from "vitest";
import { type Answer, callRest } from "#lib/api/rest/rest.fixture";
import { SCOPES, type Scope } from "#lib/contract/key/scopes";
import type { RuntimeErrorCode } from "#lib/contract/openapi/api-error-meanings";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addEvents, setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

/** A workspace with data for every endpoint. */
export interface ContractStage {
  workspace: TestWorkspace;
  key: string;
}

export async function makeStage(): Promise<ContractStage> {
  const workspace = await addWorkspace();
  const outputSchema = { type: "object", properties: { text: { type: "string" } } } as const;
  await addAction(workspace, { slug: "greet", description: "Greets a person.", outputSchema });
  await addAction(workspace, { slug: "held", approvalPolicy: "always" });
  await addAction(workspace, { slug: "paused", status: "paused" });
  return { workspace, key: (await addKey(workspace, { scopes: [...SCOPES] })).raw_key };
}

export async function makeRun({ key }: ContractStage, slug = "greet", headers = {}): Promise<string> {
  const call = { key, body: { input: { name: "Ada" } }, headers };
  return String((await callRest("POST", `/actions/${slug}/run`, call)).body.run_id);
}

/** Creates a run with a value in every field. */
export async function makeTold(stage: ContractStage): Promise<string> {
  const runId = await makeRun(stage);
  await addEvents(stage.workspace.workspaceId, runId, [
    { kind: "step_started", nodeId: "start", inputData: { name: "Ada" } },
    { kind: "step_completed", nodeId: "start", outputData: { name: "Ada" }, durationMs: 1 },
    { kind: "step_started", nodeId: "greet", iteration: "0", inputData: { to: "Ada" } },
    {
      kind: "step_failed",
      nodeId: "greet",
      iteration: "0",
      error: { code: "RATE_LIMITED", message: "no", retryAfterMs: 5 },
      durationMs: 2,
    },
    { kind: "step_skipped", nodeId: "end" },
  ]);
  await setRun(runId, "failed");
  await db().query("update runs set error = $2 where id = $1", [
    runId,
    { code: "RATE_LIMITED", message: "no", step_id: "greet", step_name: "Greet", retryAfterMs: 5 },
  ]);
  return runId;
}

/** One call of each operation that succeeds with the key `key`. */
export const GOOD_CALLS: Record<string, { path: (stage: ContractStage) => Promise<string> | string; body?: unknown }> =
  {
    list_actions: { path: () => "/actions" },
    get_action: { path: () => "/actions/greet" },
    run_action: { path: () => "/actions/greet/run", body: { input: { name: "Ada" } } },
    run_actions: { path: () => "/actions/greet/runs", body: { items: [{ input: { name: "Ada" } }, {}] } },
    list_runs: { path: () => "/runs" },
    get_run_status: { path: async (stage) => `/runs/${await makeTold(stage)}` },
    approve_run: { path: async (stage) => `/runs/${await makeRun(stage, "held")}/approve` },
    cancel_run: { path: async (stage) => `/runs/${await makeRun(stage)}/cancel` },
    get_api_description: { path: () => "/openapi.json" },
  };

type Send = (more?: Parameters<typeof callRest>[2], path?: string) => Promise<Answer>;

/**
 * Calls that cause the refusals common to all endpoints. `send` repeats the endpoint's good call with the given
 * changes.
 */
export const COMMON_REFUSALS: Partial<
  Record<
    RuntimeErrorCode,
    (send: Send, about: { path: string; scope: Scope | undefined; isPost: boolean }) => Promise<Answer>
  >
> = {
  UNAUTHORIZED: (send) => send({ key: `svc_${"a".repeat(32)}` }),
  RATE_LIMIT_EXCEEDED: async (send) => {
    const free = await addWorkspace("free");
    const { key_id: keyId, raw_key: key } = await addKey(free, { scopes: ["workflows:run"] });
    await db().query("insert into rate_windows (key_id, newest) values ($1, 60)", [keyId]);
    await db().query(
      "insert into rate_hits select $1, n, clock_timestamp() - interval '10 seconds' from generate_series(1, 60) n",
      [keyId],
    );
    return send({ key });
  },
  FORBIDDEN: async (send, { scope }) => {
    const scopes = SCOPES.filter((other) => other !== scope);
    return send({ key: (await addKey(await addWorkspace(), { scopes })).raw_key });
  },
  BAD_REQUEST: (send, { isPost, path }) => (isPost ? send({ body: "{broken" }) : send({}, `${path}?a=1&a=2`)),
  PAYLOAD_TOO_LARGE: (send) => send({ body: `"${"x".repeat(1_048_576)}"` }),
  ACTION_NOT_FOUND: (send, { path }) => send({}, path.replace("greet", "unknown")),
  RUN_NOT_FOUND: (send, { path }) => send({}, path.replace(/[0-9a-f-]{36}/, uuidv7())),
  INTERNAL_ERROR: (send) => whileBroken("42P01", send),
  SERVICE_UNAVAILABLE: (send) => whileBroken("53300", send),
};

/** Makes the database fail with its own error code when the key is read. Suppresses the log of the failure. */
async function whileBroken(state: string, send: Send): Promise<Answer> {
  const { rows } = await db().query("select pg_get_functiondef('take_requests'::regproc) as whole");
  const whole = String(rows[0].whole);
  const raise = `begin raise exception 'broken for a test' using errcode = '${state}'; end;`;
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await db().query(whole.replace(/(\$function\$)[\s\S]*\1/, () => `$function$ ${raise} $function$`));
  try {
    return await send();
  } finally {
    await db().query(whole);
    stdout.mockRestore();
  }
}

type Refusal = (stage: ContractStage, send: Send) => Promise<Answer>;

/** Calls that cause the refusals that only one operation declares. */
export const OWN_REFUSALS: Record<string, Partial<Record<RuntimeErrorCode, Refusal>>> = {
  run_action: {
    INPUT_VALIDATION_FAILED: (_, send) => send({ body: { input: { name: 1, count: "many" } } }),
    ACTION_UNAVAILABLE: (_, send) => send({}, "/actions/paused/run"),
    QUOTA_EXCEEDED: async (_, send) => {
      const poor = await addWorkspace("free");
      await addAction(poor, { slug: "greet" });
      await db().query(
        "insert into usage_months values ($1, date_trunc('month', now() at time zone 'UTC')::date, 1000)",
        [poor.workspaceId],
      );
      return send({ key: (await addKey(poor)).raw_key });
    },
    IDEMPOTENCY_KEY_REUSED: async (_, send) => {
      const headers = { "idempotency-key": uuidv7() };
      await send({ headers });
      return send({ headers, body: { input: { name: "Grace" } } });
    },
    IDEMPOTENCY_IN_PROGRESS: ({ workspace }, send) =>
      transaction(async (tx) => {
        const key = uuidv7();
        await tx.query({
          text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', $1::uuid, 'greet', $2::text), 1))",
          values: [workspace.workspaceId, key],
        });
        return send({ headers: { "idempotency-key": key } });
      }),
  },
  run_actions: { ACTION_UNAVAILABLE: (_, send) => send({}, "/actions/paused/runs") },
  approve_run: {
    NOT_FOUND: (_, send) => send({ body: { approval_id: uuidv7() } }),
    RUN_NOT_WAITING: async (stage, send) => send({}, `/runs/${await makeRun(stage)}/approve`),
    APPROVAL_EXPIRED: async (stage, send) => {
      const runId = await makeRun(stage, "held");
      await db().query("update approvals set expires_at = now() - interval '1 second' where run_id = $1", [runId]);
      return send({}, `/runs/${runId}/approve`);
    },
  },
};
