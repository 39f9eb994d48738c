import { afterAll, describe, expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke, type Operation } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { callTool, newKey, newWorkspace, runOverRest } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { ApiError } from "#lib/contract/error/api-error";
import { SCOPES } from "#lib/contract/key/scopes";
import { createSavedView } from "#lib/domain/runs/views/create-saved-view";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

// Rate limits would answer before the code under test does. Limits are read at the first request.
process.env.REQUESTS_PER_WINDOW = "0";

await openTestDatabase();

/** Ids in an operation's input: one of the other workspace, and one that does not exist. */
type Ids = Record<string, { foreign: unknown; unknown: unknown }>;
/** Valid values for the other required fields, so that only the id decides the answer. */
const REST_OF_INPUT: Record<string, unknown> = {
  client_id: "01900000-0000-7000-8000-00000000000c",
  is_here: true,
  action_slugs: undefined,
  status: "paused",
  input: {},
  items: [{}],
  name: "renamed",
  definition: greeting(),
  expected_revision: 1,
  timeout_seconds: 0,
  kind: "failures_in_a_row",
  threshold: 3,
  is_enabled: false,
  from: 1,
  to: "draft",
  role: "viewer",
  step_id: "greet",
  body: "{}",
};

const [mine, theirs] = [await newWorkspace("mine"), await newWorkspace("theirs")];
const key = await newKey(mine, ...SCOPES);
const theirKey = await newKey(theirs, ...SCOPES);
const server = await startMcpServer(OPERATIONS);
// A slug of the other workspace that this workspace does not have.
await db().query("update actions set slug = 'theirs' where workspace_id = $1 and slug = 'greet'", [theirs.workspaceId]);
const run = await (await runOverRest(theirKey, "theirs", { input: { who: "Ada" } })).json();
const build = { slug: "theirs", name: "Theirs", base_url: "https://api.example.com", openapi: "{}" };
await callTool(server.url, theirKey, "build_connector", build);
await db().query(
  `insert into event_endpoints (id, workspace_id, kind, url, secret_sealed, events)
   values ($1, $2, 'webhook', 'https://example.com/', '', '{run.failed}')`,
  [uuidv7(), theirs.workspaceId],
);
await db().query(
  `insert into alert_rules (id, workspace_id, kind, threshold, window_minutes, min_runs)
   values ($1, $2, 'slow', 1, 1, 1)`,
  [uuidv7(), theirs.workspaceId],
);
await createSavedView(
  { ...theirs, isEditor: true },
  {
    name: "Failed",
    isShared: true,
    settings: { filters: {}, columns: [], order: "desc" },
  },
);
const idOf = async (table: string) =>
  (await db().query(`select id from ${table} where workspace_id = $1 limit 1`, [theirs.workspaceId])).rows[0]?.id;
const ids: Ids = {
  slug: { foreign: "theirs", unknown: "nobodys" },
  run_id: { foreign: run.run_id, unknown: uuidv7() },
  workflow_id: { foreign: await idOf("workflows"), unknown: uuidv7() },
  build_id: { foreign: await idOf("connector_builds"), unknown: uuidv7() },
  key_id: { foreign: await idOf("api_keys"), unknown: uuidv7() },
  endpoint_id: { foreign: await idOf("event_endpoints"), unknown: uuidv7() },
  rule_id: { foreign: await idOf("alert_rules"), unknown: uuidv7() },
  user_id: { foreign: theirs.userId, unknown: uuidv7() },
  invite_id: { foreign: await inviteOf(theirs), unknown: uuidv7() },
  view_id: { foreign: await idOf("saved_views"), unknown: uuidv7() },
};
afterAll(() => server.close());

async function inviteOf({ workspaceId, userId, actor }: typeof theirs): Promise<string> {
  const request = { workspaceId, actorUserId: userId, actor, email: "new@example.com", role: "viewer" } as const;
  return (await createInvite(request)).invite_id;
}

/** Operations that take one of the ids. Operations that create a slug are left out. */
const NAMES = [
  "run_id",
  "workflow_id",
  "key_id",
  "build_id",
  "user_id",
  "invite_id",
  "slug",
  "endpoint_id",
  "rule_id",
  "view_id",
];
const MAKES_SLUG = ["check_slug", "create_sub_workflow", "build_connector", "validate_connector"];
const named = OPERATIONS.flatMap((operation) => {
  const idName = NAMES.find((name) => name in operation.input.shape);
  return idName && !MAKES_SLUG.includes(operation.name) ? [{ operation, name: operation.name, idName }] : [];
});

/** Returns the operation's input with the given id and valid values for the other required fields. */
function inputWith(operation: Operation, idName: string, which: "foreign" | "unknown") {
  const required = Object.entries(operation.input.shape).filter(([, field]) => !field.safeParse(undefined).success);
  const rest = required.map(([name]) => [name, REST_OF_INPUT[name]]);
  return { ...Object.fromEntries(rest), [idName]: ids[idName]?.[which] } as Record<string, unknown>;
}

/** Replaces the id in an answer, the only part that may differ. */
function withoutId(answer: unknown, idName: string, which: "foreign" | "unknown"): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(String(ids[idName]?.[which]), "<id>"));
}

/** Returns every row of the other workspace, in every table with a workspace_id. */
async function theirRows(): Promise<unknown> {
  const { rows: tables } = await db().query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'workspace_id' and table_type = 'BASE TABLE' order by 1`,
  );
  const contents: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await db().query(
      `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest from ${name} t where workspace_id = $1`,
      [theirs.workspaceId],
    );
    contents[name] = rows[0].digest;
  }
  return contents;
}

/** Calls the operation with both ids, and expects equal answers and no change in the other workspace. */
async function expectAlike(idName: string, ask: (which: "foreign" | "unknown") => Promise<unknown>): Promise<unknown> {
  const before = await theirRows();
  const foreign = withoutId(await ask("foreign"), idName, "foreign");
  const unknown = withoutId(await ask("unknown"), idName, "unknown");
  expect(foreign).toEqual(unknown);
  expect(await theirRows()).toEqual(before);
  return foreign;
}

/** An id that is only a filter gives an empty list. */
const isFilter = ({ input }: Operation, idName: string) => input.shape[idName]?.safeParse(undefined).success;
const EMPTY = { data: [], has_more: false, next_cursor: null };
/** Groups of errors are not pages. */
const emptyAnswerOf = ({ name }: Operation) => (name === "list_error_groups" ? { data: [], is_partial: false } : EMPTY);
/** A tool leaves out what is null. */
const EMPTY_TOOL = { data: [], has_more: false };
const NOT_FOUND = expect.stringMatching(/^(RUN_NOT_FOUND|ACTION_NOT_FOUND|NOT_FOUND)$/);

describe("an id of another workspace gets the same answer as an unknown id, and its resource does not change", () => {
  test.each(named.filter(({ operation }) => operation.rest))(
    "at the endpoint of $name",
    async ({ operation, idName }) => {
      const { method, path } = operation.rest ?? { method: "GET", path: "" };
      const answer = await expectAlike(idName, async (which) => {
        const { [idName]: id, ...body } = inputWith(operation, idName, which);
        const { status, body: answered } = await callRest(method, path.replace(`:${idName}`, String(id)), {
          key,
          ...(method === "POST" ? { body } : {}),
        });
        return { status, body: answered };
      });
      expect(answer).toMatchObject(
        isFilter(operation, idName) ? { status: 200, body: EMPTY } : { status: 404, body: { code: NOT_FOUND } },
      );
    },
  );

  test.each(named.filter(({ operation }) => operation.mcp))("at the tool $name", async ({ operation, idName }) => {
    const answer = await expectAlike(idName, async (which) => {
      const { isError, body } = await callTool(server.url, key, operation.name, inputWith(operation, idName, which));
      return { isError, body };
    });
    expect(answer).toMatchObject(
      isFilter(operation, idName) ? { isError: false, body: EMPTY_TOOL } : { isError: true, body: { code: NOT_FOUND } },
    );
  });

  test.each(named)("for a member who calls $name in the browser", async ({ operation, idName }) => {
    const { workspaceId, userId } = mine;
    const caller: Caller = { kind: "user", role: "owner", plan: "business", name: "Ada", workspaceId, userId };
    const answer = await expectAlike(idName, (which) =>
      invoke(operation, caller, inputWith(operation, idName, which), requestContext()).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return { code: error.code, message: error.message, details: error.details ?? null };
      }),
    );
    expect(answer).toMatchObject(isFilter(operation, idName) ? emptyAnswerOf(operation) : { code: NOT_FOUND });
  });
});
