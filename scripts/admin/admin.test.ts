import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { takeSignInAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { verifyPassword } from "#lib/domain/accounts/hash-password";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { runAdmin } from "#scripts/admin/run-admin";
import { spawnAdmin } from "#scripts/admin/spawn-admin.fixture";

await openTestDatabase();

const folder = await mkdtemp(join(tmpdir(), "admin-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns a command's JSON object. Runs it in this process, to avoid starting one for each command. */
async function admin(command: string, ...args: string[]) {
  return JSON.parse(await runAdmin(command, args));
}

async function setUp(slug: string, plan = "pro") {
  const email = `${slug}@example.com`;
  const user = await admin("create-user", "--email", email, "--password", "long enough 1", "--name", "Ann");
  const workspace = await admin(
    "create-workspace",
    ...["--slug", slug, "--name", "Acme", "--plan", plan, "--owner", email.toUpperCase()],
  );
  return { email, user, workspace };
}

test("--help lists every command, and a call without a command is an error", async () => {
  const help = await spawnAdmin(folder, ["--help"], { env: { DATABASE_URL: "" } });
  expect(help.code).toBe(0);
  for (const command of [
    ...[
      "create-user",
      "set-password",
      "unlock-user",
      "turn-off-two-step",
      "create-workspace",
      "set-plan",
      "set-queue",
      "list-queues",
      "create-key",
      "rotate-key",
      "revoke-key",
      "list-keys",
    ],
    ...["import-workflow", "export-workflow", "deploy-workflow", "set-action-status"],
    ...["replay-run", "add-encryption-key", "check-encryption", "reseal", "forget-encryption-key", "list-jobs"],
  ]) {
    expect(help.stdout).toContain(`  ${command} `);
  }
  expect(await spawnAdmin(folder, [])).toMatchObject({ code: 1, stdout: "" });
});

test("a forgotten password can be replaced, and its sessions end", async () => {
  const { email, user } = await setUp("forgetful");
  await db().query(
    "insert into user_sessions (id, user_id, method, user_agent, address) values (gen_random_uuid(), $1, 'password', '', '')",
    [user.user_id],
  );
  const set = (password: string) => spawnAdmin(folder, ["set-password", "--email", email], { input: `${password}\n` });
  expect(await set("another long 1")).toMatchObject({
    code: 0,
    stdout: `${JSON.stringify({ user_id: user.user_id })}\n`,
  });
  const { rows } = await db().query(
    "select password_hash, (select count(*)::int from user_sessions s where s.user_id = u.id) as sessions from users u where id = $1",
    [user.user_id],
  );
  expect(await verifyPassword(rows[0].password_hash, "another long 1")).toBe(true);
  expect(rows[0].sessions).toBe(0);
  expect(await set("short")).toMatchObject({ code: 1, stderr: expect.stringContaining("at least 10 characters") });
  expect(await set("")).toMatchObject({ code: 1, stdout: "" });
});

test("a password is never read from the arguments, which the shell and other users can see", async () => {
  const { email } = await setUp("visible");
  await expect(admin("set-password", "--email", email, "--password", "another long 1")).rejects.toThrow("--password");
});

test("a new user's password can be read from stdin", async () => {
  const made = await spawnAdmin(folder, ["create-user", "--email", "piped@example.com", "--name", "P"], {
    input: "another long 1\n",
  });
  expect(made.code).toBe(0);
  const { user_id: userId } = JSON.parse(made.stdout);
  const { rows } = await db().query("select password_hash from users where id = $1", [userId]);
  expect(await verifyPassword(rows[0].password_hash, "another long 1")).toBe(true);
});

test("a locked account is unlocked", async () => {
  const { email, user } = await setUp("locked");
  for (let attempt = 0; attempt < 10; attempt++) await takeSignInAttempt(db(), "account", email);
  expect(await admin("unlock-user", "--email", email)).toEqual({ user_id: user.user_id, had_failures: true });
  expect(await takeSignInAttempt(db(), "account", email)).toBe(0);
});

test("a user and a workspace can be created, and the workspace's keys can be created, rotated, listed, and revoked", async () => {
  const { user, workspace } = await setUp("keys");
  expect(workspace).toEqual({ workspace_id: expect.stringMatching(/^[0-9a-f-]{36}$/), slug: "keys" });
  const made = await admin("create-key", "--workspace", "keys", "--name", "k", "--scopes", "runs:read,actions:run");
  expect(made).toEqual({
    key_id: expect.any(String),
    raw_key: expect.stringMatching(/^svc_[A-Za-z0-9_-]{32}$/),
    prefix: made.raw_key.slice(0, 8),
    scopes: ["actions:run", "runs:read"],
  });
  const { rows } = await db().query("select created_by from api_keys where id = $1", [made.key_id]);
  expect(rows).toEqual([{ created_by: user.user_id }]);
  const rotated = await admin("rotate-key", "--key-id", made.key_id);
  expect(rotated.scopes).toEqual(made.scopes);
  expect(await admin("revoke-key", "--key-id", rotated.key_id)).toMatchObject({ status: "revoked" });
  const list = await admin("list-keys", "--workspace", "keys");
  expect(list.data.map((key: { status: string }) => key.status)).toEqual(["revoked", "revoked"]);
  expect(list.quota).toEqual({ used: 0, limit: 10, plan: "pro" });
  expect(JSON.stringify(list)).not.toContain(made.raw_key);
});

test("a key may belong to another member, but not to a user outside the workspace", async () => {
  const { email } = await setUp("owners");
  const stranger = await setUp("strangers");
  const create = (owner: string) => admin("create-key", "--workspace", "owners", "--name", "k", "--owner", owner);
  expect((await create(email)).scopes).toHaveLength(6);
  await expect(create(stranger.email)).rejects.toThrow("does not belong to the workspace");
});

test("the plan's quota applies to admin commands too, and a larger plan raises it", async () => {
  await setUp("quota", "free");
  await admin("create-key", "--workspace", "quota", "--name", "one");
  await expect(admin("create-key", "--workspace", "quota", "--name", "two")).rejects.toThrow("KEY_QUOTA_EXCEEDED");
  expect(await admin("set-plan", "--workspace", "quota", "--plan", "starter")).toMatchObject({ plan: "starter" });
  await admin("create-key", "--workspace", "quota", "--name", "two");
});

test("a workflow can be imported, published, and paused, and its export can be imported again", async () => {
  await setUp("flows");
  const file = join(folder, "flow.json");
  await writeFile(file, JSON.stringify({ name: "Greeting", definition: greeting() }));
  const imported = await admin("import-workflow", "--workspace", "flows", "--file", file);
  const id = imported.workflow_id;
  expect(await admin("deploy-workflow", "--workflow-id", id, "--slug", "greet", "--approval-policy", "always")).toEqual(
    {
      workflow_id: id,
      version: 1,
      status: "deployed",
      action: { slug: "greet", status: "active", approval_policy: "always", release_version: 1 },
      breaking_changes: [],
      warnings: [],
      subscriptions: [],
    },
  );
  const paused = await admin("set-action-status", "--workspace", "flows", "--slug", "greet", "--status", "paused");
  expect(paused).toMatchObject({ slug: "greet", status: "paused" });

  const exported = await admin("export-workflow", "--workflow-id", id);
  expect(exported).toMatchObject({ name: "Greeting", description: null, definition: greeting() });
  const again = await spawnAdmin(folder, ["import-workflow", "--workspace", "flows", "--file", "-"], {
    input: JSON.stringify(exported),
  });
  expect(again).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\{"workflow_id":"[0-9a-f-]{36}"\}\n$/),
    stderr: "",
  });
  const { rows } = await db().query("select draft from workflows where name = 'Greeting'");
  expect(rows).toEqual([{ draft: greeting() }, { draft: greeting() }]);
});

test("an activated workflow keeps its trigger's address, and its secret needs the instance's keys", async () => {
  await setUp("events");
  const definition = {
    nodes: [{ id: "start", type: "trigger", data: { kind: "webhook", scheme: "github", secret: "s3cret" } }],
    edges: [],
  };
  const document = JSON.stringify({ name: "Events", definition });
  const file = join(folder, "events.json");
  await writeFile(file, document);
  const { workflow_id: id } = await admin("import-workflow", "--workspace", "events", "--file", file);
  const first = await admin("deploy-workflow", "--workflow-id", id);
  const [subscription] = first.subscriptions;
  expect(first).toMatchObject({ version: 1, action: null, subscriptions: [{ kind: "webhook" }] });
  expect(subscription.url).toMatch(new RegExp(`^http://localhost:\\d+/webhooks/${subscription.id}$`));
  expect((await admin("deploy-workflow", "--workflow-id", id)).subscriptions).toEqual([subscription]);
  expect(JSON.stringify(await admin("export-workflow", "--workflow-id", id))).not.toContain("s3cret");

  expect(await admin("check-encryption")).toEqual({ readable: { definitions: 1, trigger_subscriptions: 1 } });
  const other = { ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 8).toString("base64")}` };
  const refused = { code: 1, stderr: expect.stringContaining('were sealed with the key "k1"') };
  expect(await spawnAdmin(folder, ["check-encryption"], { env: other })).toMatchObject(refused);
  const args = ["import-workflow", "--workspace", "events", "--file", "-"];
  const stranger = await spawnAdmin(folder, args, { input: document, env: { ENCRYPTION_KEYS: "" } });
  expect(stranger).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Set ENCRYPTION_KEYS") });
});

test("an ended run is replayed in its own workspace, on behalf of its owner", async () => {
  const { user } = await setUp("replays");
  const file = join(folder, "r.json");
  await writeFile(file, JSON.stringify({ name: "R", definition: greeting() }));
  const { workflow_id: id } = await admin("import-workflow", "--workspace", "replays", "--file", file);
  await admin("deploy-workflow", "--workflow-id", id, "--slug", "again");
  const { rows } = await db().query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, completed_at, input, correlation_id)
     select '01900000-0000-7000-8000-00000000000a', workspace_id, workflow_id, id, 'action', 'failed', now(), '{"who": "Ada"}', 'c'
     from workflow_versions where workflow_id = $1 returning id`,
    [id],
  );
  const run = await admin("replay-run", "--run-id", rows[0].id, "--mode", "from_start");
  expect(run).toMatchObject({
    source: "replay",
    status: "accepted",
    resume_from_run_id: rows[0].id,
    correlation_id: "c",
  });
  const made = await db().query("select user_id from runs where id = $1", [run.run_id]);
  expect(made.rows).toEqual([{ user_id: user.user_id }]);
  await expect(admin("replay-run", "--run-id", run.run_id)).rejects.toThrow("BAD_REQUEST: The run is accepted");
});

test("a number in a document that would lose digits is refused with its place, instead of being changed", async () => {
  await setUp("digits");
  const file = join(folder, "digits.json");
  const node = '{"id":"a","type":"transform","data":{"fields":[{"name":"x","value":9007199254740993}]}}';
  await writeFile(file, `{"name":"D","definition":{"nodes":[${node}],"edges":[]}}`);
  await expect(admin("import-workflow", "--workspace", "digits", "--file", file)).rejects.toThrow(
    "definition.nodes.0.data.fields.0.value: is a number beyond 2^53, which would lose digits; send it as a string",
  );
});

test("a breaking change is refused without --allow-breaking", async () => {
  await setUp("breaking");
  const file = join(folder, "b.json");
  await writeFile(file, JSON.stringify({ name: "B", definition: greeting() }));
  const { workflow_id: id } = await admin("import-workflow", "--workspace", "breaking", "--file", file);
  await admin("deploy-workflow", "--workflow-id", id, "--slug", "b");
  const changed = greeting([{ name: "who", type: "integer", required: true }]);
  await db().query("update workflows set draft = $2 where id = $1", [id, JSON.stringify(changed)]);
  await expect(admin("deploy-workflow", "--workflow-id", id)).rejects.toThrow("BREAKING_SCHEMA_CHANGE");
  const result = await admin("deploy-workflow", "--workflow-id", id, "--allow-breaking");
  expect(result).toMatchObject({ version: 2, breaking_changes: [{ field: "who", kind: "type_changed" }] });
});

test.each([
  ["an unknown command", ["drop-everything"]],
  ["a name that every object has", ["constructor"]],
  ["an unknown flag", ["list-keys", "--workspace", "x", "--all"]],
  ["a flag without its value", ["list-keys", "--workspace"]],
  ["a missing flag", ["create-user", "--email", "a@b.c"]],
  ["an unknown workspace", ["list-keys", "--workspace", "nowhere"]],
  ["an unknown key", ["revoke-key", "--key-id", "01900000-0000-7000-8000-000000000000"]],
  ["an unknown run", ["replay-run", "--run-id", "01900000-0000-7000-8000-000000000000"]],
  ["an invalid id", ["revoke-key", "--key-id", "1"]],
  ["a missing file", ["import-workflow", "--workspace", "keys", "--file", "none.json"]],
])("%s is refused with a reason", async (_, [command = "", ...args]) => {
  await expect(runAdmin(command, args)).rejects.toThrow(/\S/);
});

test("an error prints one text on stderr and nothing on stdout, and exits with 1", async () => {
  expect(await spawnAdmin(folder, ["list-keys", "--workspace", "nowhere"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "NOT_FOUND: There is no workspace nowhere.\n",
  });
});

test("without a database, a command says how to get one and creates nothing", async () => {
  const { code, stderr } = await spawnAdmin(folder, ["list-keys", "--workspace", "x"], { env: { DATABASE_URL: "" } });
  expect([code, stderr]).toEqual([
    1,
    `No instance runs on ${folder}. Start one with npm start, or name its database in DATABASE_URL.\n`,
  ]);
});

test("a workspace can move to another queue, and list-queues shows if no worker serves that queue", async () => {
  await setUp("heavy-load");
  const set = (queue: string) => admin("set-queue", "--workspace", "heavy-load", "--queue", queue);
  expect(await set("heavy")).toMatchObject({ slug: "heavy-load", queue: "heavy", workers: 0 });
  const { queues } = await admin("list-queues");
  expect(queues).toContainEqual({ queue: "heavy", workspaces: 1, workers: 0, waiting: 0, oldest_seconds: 0 });
  await expect(set("Heavy Load")).rejects.toThrow("must be a queue name");
});
