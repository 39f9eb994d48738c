import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { definedStatements } from "#lib/platform/db/define-statement";
import {
  findUncompared,
  listFunctions,
  listPrismaCalls,
  listSqlFunctions,
  listTenantTables,
  readModels,
  type Statement,
} from "#lib/platform/db/tenant-statements.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { listAllSources } from "#lib/source-files.fixture";

await openTestDatabase();

/**
 * What reads or writes rows of workspaces without comparing the workspace, by the reason why it may. A new statement of
 * an operation belongs in none of these lists: the workspace of its caller is known.
 */
const EXEMPT: readonly { reason: string; names: readonly (string | RegExp)[] }[] = [
  {
    reason: "It looks for the workspace: of a key, a person, an invite, or the address that a sender calls.",
    names: [
      ...["find_account", "find_account_by_id", "find_key_identities", "find_open_invite", "lock_open_invites"],
      ...["find_callback_step", "receive_test_event", "refuse_test_event", "take_authorization"],
      "lib/domain/accounts/create-own-workspace.ts: workspaceMember.count",
    ],
  },
  {
    reason: "It is about one person in all of their workspaces.",
    names: ["list_account_activity", "seconds_until_run"],
  },
  {
    reason: "It keeps the instance in order, for all workspaces.",
    names: [
      /^signalbox_/,
      /^(?:read_examples_of|read_sealed|reseal)_/,
      ...["find_workspaces_with_sealed_definitions", "delete_old_idempotency_keys", "delete_old_call_keys"],
      ...["delete_runs", "list_kept_weeks", "list_old_partitions", "list_runs_of_run_checkpoints"],
      ...["count_execution_events", "delete_execution_events", "delete_batch_of_execution_events"],
      ...["count_journal_ends", "delete_journal_ends", "delete_batch_of_journal_ends", "list_runs_of_journal_ends"],
      ...["list_runs_of_execution_events"],
      ...[
        "delete_old_invite_mails",
        "requeue_invite_mails",
        "forget_idle_breakers",
        "forget_test_events",
        "expire_approvals",
      ],
      ...[
        "free_queued_runs_of_workers",
        "take_runs_of_dead_workers",
        "lock_orphans",
        "drop_settled_runs",
        "remove_left_run_jobs",
      ],
      ...[
        "end_overdue_runs",
        "find_pools_to_unlock",
        "look_for_silent_workers",
        "look_for_due_work",
        "has_suspects",
        "find_parked_parents",
      ],
      ...["find_due_alert_rules", "claim_deliveries", "pass_over_schedule", "admit_suspect_run", "add_key_requests"],
      ...["read_traced_runs", "read_traced_events"],
    ],
  },
  {
    reason: "It is a worker's, about a run that the worker holds: the run's lease or ticket says so.",
    names: [
      ...[
        "lock_lease",
        "park_run",
        "release_run",
        "find_news",
        "find_run_status",
        "give_run_back",
        "drop_admitted_run",
      ],
      ...["load_progress", "find_sub_runs", "find_closed_gates", "find_sub_run_causes", "heartbeat"],
    ],
  },
  {
    reason:
      "It is a worker's, about a job that it claimed: a build, a delivery, an invite, a failed run, or a turn of a listener.",
    names: [
      ...["take_build", "end_build_failed", "end_build_ready", "finish_turn", "settle_invite_mail"],
      ...["find_mail_group", "close_mail_group", "settle_delivery", "fail_waiting_deliveries"],
      ...["note_endpoint_success", "note_endpoint_failure", "take_failure_event"],
    ],
  },
  {
    reason: "It follows a run, a version, or a subscription that was found in the workspace in the same call.",
    names: [
      ...["find_gate", "find_definition", "read_attempts", "read_step_ends"],
      ...["read_steps_page_full", "read_steps_page_without_payloads"],
      ...["lock_run_tree", "cancel_runs", "close_approvals", "dequeue_runs", "expire_approvals_of_run"],
      ...["stop_own_listener", "keep_handshake_secret", "known_event"],
    ],
  },
  {
    reason: "It follows the address of a callback, whose token proves the run.",
    names: ["lock_run_of_callback", "find_callback"],
  },
  {
    reason: "It is a part of statements that compare the workspace, or that are in one of these lists.",
    names: ["journal_events", "expand_journal"],
  },
  {
    reason: "It is a trigger of the database, about the row that fired it.",
    names: ["emit_approval_opened", "emit_schedule_missed", "run_event_data"],
  },
  {
    reason: "It adds a row with the workspace of its argument.",
    names: ["lib/domain/connections/insert-connection.ts: connection.createMany"],
  },
];

const SOURCES = listAllSources().filter(
  ({ path }) => /^(?:lib|worker)\/.*\.ts$/.test(path) && !/\.(?:test|fixture)\.ts$|\/test-[^/]*$/.test(path),
);

for (const { path, text } of SOURCES) {
  if (/\bdefine(?:Statement|Variants)\(/.test(text)) await import(/* @vite-ignore */ join(process.cwd(), path));
}
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
const tables = await listTenantTables(client).finally(() => client.end());
const found = [
  ...definedStatements().map(({ name, sql }) => ({ name, text: sql })),
  ...listSqlFunctions(),
  ...listCalls(),
].filter((one) => findUncompared(one, tables).length > 0);

/** Prisma's calls on tables of workspaces, written like statements of them. */
function listCalls(sources = SOURCES): Statement[] {
  const models = readModels();
  const functions = new Map(SOURCES.flatMap(({ text }) => listFunctions(text)));
  return sources.flatMap(({ path, text }) =>
    listPrismaCalls(path, text, functions).map(({ name, model, text: given }) => ({
      name,
      text: /\bworkspaceId\b|\bworkspaceId_/.test(given) ? "" : `from ${models.get(model)}`,
    })),
  );
}

const isExempt = (name: string) =>
  EXEMPT.some(({ names }) => names.some((one) => (typeof one === "string" ? one === name : one.test(name))));

test("every statement on rows of workspaces compares the workspace, or has a reason", () => {
  expect(found.filter(({ name }) => !isExempt(name)).map(({ name }) => name)).toEqual([]);
});

test("the lists name no statement that compares the workspace, or that no longer exists", () => {
  const names = found.map(({ name }) => name);
  const unneeded = EXEMPT.flatMap((list) => list.names).filter((one) =>
    typeof one === "string" ? !names.includes(one) : !names.some((name) => one.test(name)),
  );
  expect(unneeded).toEqual([]);
});

test("the tables of workspaces are known from the catalog", () => {
  expect(tables).toEqual(expect.arrayContaining(["runs", "workflows", "connections", "api_keys", "call_keys"]));
  expect(tables.length).toBeGreaterThan(30);
});

describe("a statement that forgets the workspace is found:", () => {
  test.each([
    ["a read", "select id from workflows where id = $1"],
    ["a read that only returns the workspace", "select workspace_id from runs where id = $1"],
    ["a join", "select 1 from users u join workspace_members m on m.user_id = u.id"],
    ["a change", "update connections set name = $2 where id = $1"],
    ["a deletion", "delete from api_keys where id = any($1)"],
    ["a row without the workspace", "insert into saved_views (id, name) values ($1, $2)"],
    ["a comparison in a comment", "select id from runs where id = $1 -- and workspace_id = $2"],
  ])("%s", (_, text) => {
    expect(findUncompared({ name: "sample", text }, tables)).not.toEqual([]);
  });

  test.each([
    "select id from workflows where workspace_id = $1 and id = $2",
    "select id from workflows w where (w.workspace_id, w.id) in (select * from given)",
    "select 1 from actions a join workflows w using (workspace_id, id)",
    "insert into saved_views (id, workspace_id, name) values ($1, $2, $3)",
    "select id from users where id = $1",
  ])("but not one that compares it: %s", (text) => {
    expect(findUncompared({ name: "sample", text }, tables)).toEqual([]);
  });

  test("a call of Prisma", () => {
    const call = (args: string) => {
      const text = `const where = { workspaceId, id };\nconst other = { id };\nprisma().workflow.findFirst(${args});\n`;
      return listCalls([{ path: "lib/x.ts", text, imports: [] }]).filter(
        (one) => findUncompared(one, tables).length > 0,
      );
    };
    expect(call("{ where: { id } }").map(({ name }) => name)).toEqual(["lib/x.ts: workflow.findFirst"]);
    expect(call("{ where: other }")).toHaveLength(1);
    expect(call("{ where }")).toEqual([]);
    expect(call("{ where: { workspaceId, id } }")).toEqual([]);
  });
});
