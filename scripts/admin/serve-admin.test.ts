import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { adminSocket, type InstanceMessage, readLines, sendLine } from "#scripts/admin/admin-socket";
import { askInstance } from "#scripts/admin/ask-instance";
import { USER_INPUT } from "#scripts/admin/read-from-user";
import { runAdmin } from "#scripts/admin/run-admin";
import { serveAdmin } from "#scripts/admin/serve-admin";
import { spawnAdmin } from "#scripts/admin/spawn-admin.fixture";

await openTestDatabase();

const folder = await mkdtemp(join(tmpdir(), "admin-"));
const server = serveAdmin(folder);
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command as a user who names no database: only the instance, which is this process, knows one. */
const admin = (args: string[], input = "") =>
  spawnAdmin(folder, args, { input, env: { DATABASE_URL: "", ENCRYPTION_KEYS: "" } });

/** Creates a workspace and its owner, by their slug. */
async function setUp(slug: string): Promise<void> {
  const email = `${slug}@example.com`;
  await runAdmin("create-user", ["--email", email, "--password", "long enough 1", "--name", "Ann"]);
  await runAdmin("create-workspace", ["--slug", slug, "--owner", email]);
}

test("only the user who started the instance may use its socket", async () => {
  expect((await stat(adminSocket(folder))).mode & 0o777).toBe(0o600);
});

test("the running instance runs a command, and its audit log names the administration", async () => {
  await setUp("served");
  const set = await admin(["set-queue", "--workspace", "served", "--queue", "heavy"]);
  expect(set).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(set.stdout)).toMatchObject({ slug: "served", queue: "heavy" });
  const { rows } = await db().query("select actor_type, actor_name from audit_events where action = $1", [
    "workspace.queue_set",
  ]);
  expect(rows).toEqual([{ actor_type: "system", actor_name: "admin" }]);
});

test("the running instance asks the user for a password, and gets it from stdin", async () => {
  await setUp("asked");
  const set = (input: string) => admin(["set-password", "--email", "asked@example.com"], input);
  expect(await set("another long 1\n")).toMatchObject({ code: 0, stderr: "" });
  expect(await set("short\n")).toMatchObject({ code: 1, stderr: expect.stringContaining("at least 10 characters") });
  expect(await set("")).toMatchObject({ code: 1, stderr: "New password: enter it, or pipe it into the command\n" });
});

test("the running instance reads a file of the user's folder, and their stdin", async () => {
  await setUp("files");
  const document = JSON.stringify({ name: "Greeting", definition: greeting() });
  await writeFile(join(folder, "flow.json"), document);
  const load = (file: string, input = "") => admin(["import-workflow", "--workspace", "files", "--file", file], input);
  for (const loaded of [await load("flow.json"), await load("-", document)]) {
    expect(JSON.parse(loaded.stdout)).toEqual({ workflow_id: expect.any(String) });
  }
  expect(await load("missing.json")).toMatchObject({ code: 1, stderr: expect.stringContaining("missing.json") });
});

test("a refused command and an unknown flag end with the instance's message", async () => {
  const refused = await admin(["list-keys", "--workspace", "nowhere"]);
  expect(refused).toEqual({ code: 1, stdout: "", stderr: "NOT_FOUND: There is no workspace nowhere.\n" });
  expect(await admin(["list-queues", "--all"])).toMatchObject({ code: 1, stderr: expect.stringContaining("--all") });
});

test("an instance with another database or other keys than the user named leaves the command to its own process", async () => {
  const ask = (databaseUrl = "", encryptionKeys = "") =>
    askInstance(folder, { command: "list-queues", args: [], databaseUrl, encryptionKeys }, USER_INPUT);
  const { DATABASE_URL, ENCRYPTION_KEYS } = process.env;
  expect(await ask(DATABASE_URL, ENCRYPTION_KEYS)).toContain("queues");
  expect(await ask(`${DATABASE_URL}_two`)).toBeNull();
  expect(await ask("", `k9:${Buffer.alloc(32).toString("base64")}`)).toBeNull();
});

test("a command that decrypts the whole database never runs in the web server", async () => {
  const checked = await admin(["check-encryption"]);
  expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining("No instance runs on") });
});

test("a user who leaves while the instance waits for them leaves the instance running", async () => {
  await setUp("gone");
  const socket = connect(adminSocket(folder));
  const read = readLines<InstanceMessage>(socket);
  const request = {
    command: "set-password",
    args: ["--email", "gone@example.com"],
    databaseUrl: "",
    encryptionKeys: "",
  };
  sendLine(socket, request);
  expect(await read()).toEqual({ ask: "readSecret", about: "New password" });
  socket.destroy();
  expect(await admin(["list-queues"])).toMatchObject({ code: 0 });
});
