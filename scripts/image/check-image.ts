import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKED_IMAGE, podman } from "#scripts/image/image-tools";
import { findFreePort } from "#scripts/instance/find-free-port";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";
import { showStep } from "#scripts/progress";

const MAX_BYTES = 350_000_000;
/** The grace periods of deploy/compose.yaml. */
const GRACE_SECONDS = { web: 15, worker: 45 };
const READY_SECONDS = 120;
const WORKFLOW = {
  nodes: [
    { id: "in", type: "action_input", data: { properties: [{ name: "amount", type: "number", required: true }] } },
    {
      id: "sum",
      type: "code",
      data: { source: "return { total: input.amount + 1 };", input: { amount: "{{in.amount}}" } },
    },
    {
      id: "out",
      type: "return_output",
      data: { properties: [{ name: "total", type: "number", value: "{{sum.total}}" }] },
    },
  ],
  edges: [
    { id: "a", source: "in", target: "sum" },
    { id: "b", source: "sum", target: "out" },
  ],
};

/**
 * The options of every container, as in deploy/compose.yaml. File limits are explicit, because podman may not raise
 * ours.
 */
const CONFINED = [
  ...["--runtime", "runc", "--network", "host", "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"],
  ...["--read-only", "--tmpfs", "/tmp", "--cap-drop", "all"],
  ...["--security-opt", "no-new-privileges"],
];

interface Stage {
  url: string;
  /** The container's options. */
  options: string[];
}

/** Checks the image itself, and the containers of each role on this machine's PostgreSQL. */
export async function checkImage(): Promise<void> {
  await showStep("Checking what the image contains", checkContents);
  const postgres = await startThrowawayPostgres({ settings: { fsync: "off" } });
  const folder = await mkdtemp(join(tmpdir(), "image-check-"));
  const started: string[] = [];
  try {
    const stage = await prepare(folder, postgres.cluster.url("postgres"));
    await showStep("Applying the migrations in a container", async () => {
      await podman("run", "--rm", ...stage.options, "--env", "ROLE=migrate", CHECKED_IMAGE);
    });
    for (const role of ["web", "worker"] as const) {
      started.push(await showStep(`Starting the ${role} container`, () => startRole(role, stage)));
    }
    await showStep("Calling an action with a code step", () => callAction(stage));
    await showStep("Checking the rights of the processes", () => checkRights());
    for (const role of ["web", "worker"] as const) {
      await showStep(`Stopping the ${role} container with SIGTERM`, (note) => stopRole(role, note));
    }
  } catch (error) {
    const logs = await Promise.all(started.map((name) => podman("logs", "--tail", "30", name).catch(() => "")));
    throw new Error(`${logs.join("\n")}\n${(error as Error).message}`, { cause: error });
  } finally {
    for (const name of started) await podman("rm", "--force", "--time", "0", name).catch(() => {});
    await postgres.remove();
    await rm(folder, { recursive: true });
  }
}

/** Runs a program in a new container of the image, without network. */
async function runAlone(...command: string[]): Promise<string> {
  const [program = "", ...args] = command;
  const options = ["--rm", "--runtime", "runc", "--network", "none", "--ulimit", "nofile=4096:4096"];
  return podman("run", ...options, "--ulimit", "nproc=4096:4096", "--entrypoint", program, CHECKED_IMAGE, ...args);
}

async function checkContents(note: (text: string) => void): Promise<void> {
  const size = Number(await podman("image", "inspect", "--format", "{{.Size}}", CHECKED_IMAGE));
  note(`${(size / 1_000_000).toFixed(0)} MB`);
  assert.ok(size < MAX_BYTES, `the image has ${size} bytes; the limit is ${MAX_BYTES}`);
  const config = JSON.parse(await podman("image", "inspect", "--format", "{{json .Config}}", CHECKED_IMAGE));
  assert.equal(config.User, "10001:10001");
  assert.deepEqual(Object.keys(config.Volumes), ["/data"]);
  assert.ok(!/SECRET|ENCRYPTION|DATABASE_URL|TOKEN/.test(JSON.stringify(config.Env)), "a secret is in the image");
  const files = (await runAlone("find", "/app", "-type", "f")).split("\n");
  const unwanted = files.filter((path) =>
    /\.test\.tsx?$|\.map$|\/\.env|node_modules\/(vitest|playwright|npm)\//.test(path),
  );
  assert.deepEqual(unwanted, [], "files that the image does not need");
  const programs = await runAlone("sh", "-c", "command -v npm npx yarn gcc make python3 git || true");
  assert.equal(programs, "", "programs that the image does not need");
  const bundle = "/etc/ssl/certs/ca-certificates.crt";
  const authorities = await runAlone("grep", "--count", "--regexp=-----BEGIN CERTIFICATE-----", bundle);
  assert.ok(Number(authorities) > 50, "the certificate authorities that sslrootcert=system needs are missing");
  // What only root may list holds nothing that this user may write to.
  const writable = await runAlone(
    "sh",
    "-c",
    "find / -xdev -writable -not -type l -not -path '/proc/*' -not -path '/dev/*' -not -path '/sys/*' 2>/dev/null || true",
  );
  assert.deepEqual(
    writable.split("\n").filter((path) => !/^\/(tmp|var\/tmp|run\/lock|data)$/.test(path)),
    [],
  );
}

async function prepare(folder: string, databaseUrl: string): Promise<Stage> {
  const secrets = {
    database_url: databaseUrl,
    encryption_keys: `k1:${randomBytes(32).toString("base64")}`,
    nextauth_secret: randomBytes(24).toString("hex"),
  };
  await chmod(folder, 0o755);
  for (const [name, text] of Object.entries(secrets)) await writeFile(join(folder, name), `${text}\n`, { mode: 0o644 });
  const port = await findFreePort(0);
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...Object.fromEntries(Object.keys(secrets).map((name) => [`${name.toUpperCase()}_FILE`, `/run/secrets/${name}`])),
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_BASE_URL: url,
  };
  const environment = Object.entries(settings).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  return { url, options: [...CONFINED, "--volume", `${folder}:/run/secrets:ro`, ...environment] };
}

const nameOf = (role: string) => `signalbox-check-${role}`;

/** @returns the container's name, after its health check passes */
async function startRole(role: "web" | "worker", { options }: Stage): Promise<string> {
  const name = nameOf(role);
  await podman("rm", "--force", "--ignore", name);
  await podman("run", "--detach", "--name", name, ...options, "--env", `ROLE=${role}`, CHECKED_IMAGE);
  const deadline = performance.now() + READY_SECONDS * 1_000;
  // Runs the health check itself, because podman's timer needs systemd, which a container or a virtual machine may not
  // have.
  for (let problem = ""; ; ) {
    const isHealthy = await podman("healthcheck", "run", name).then(
      () => true,
      (error: Error) => {
        problem = error.message;
        return false;
      },
    );
    if (isHealthy) return name;
    if (performance.now() > deadline) throw new Error(`${await podman("logs", name)}\n${name}: ${problem}`);
  }
}

/** Creates a workspace with the container's command line, and calls its action. */
async function callAction({ url }: Stage): Promise<void> {
  const admin = async (...words: string[]) =>
    JSON.parse(await podman("exec", nameOf("web"), "node", "scripts/admin.ts", ...words));
  await admin("create-user", "--email", "ada@example.com", "--password", "a phrase of five words", "--name", "Ada");
  await admin("create-workspace", "--slug", "acme", "--name", "Acme", "--owner", "ada@example.com");
  const scopes = "workflows:write,actions:run,runs:read";
  const { raw_key: key } = await admin("create-key", "--workspace", "acme", "--name", "all", "--scopes", scopes);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const tool = async (name: string, args: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
    const accept = "application/json, text/event-stream";
    const answer = await fetch(`${url}/mcp`, { method: "POST", headers: { ...headers, accept }, body });
    const { result } = (await answer.json()) as {
      result: { isError?: boolean; structuredContent: { workflow_id: string } };
    };
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent;
  };
  const { workflow_id } = await tool("create_workflow", { name: "Add", definition: WORKFLOW });
  await tool("deploy_workflow", { workflow_id, slug: "add" });
  const called = await fetch(`${url}/api/v1/runtime/actions/add/run`, {
    method: "POST",
    headers,
    body: JSON.stringify({ input: { amount: 41 } }),
  });
  const { run_id: runId } = (await called.json()) as { run_id: string };
  const ended = await fetch(`${url}/api/v1/runtime/runs/${runId}`, { headers: { ...headers, prefer: "wait=25" } });
  const run = (await ended.json()) as { status: string; output: unknown };
  assert.deepEqual([run.status, run.output], ["succeeded", { total: 42 }], JSON.stringify(run));
  const page = await fetch(`${url}/sign-in`);
  assert.equal(page.status, 200, "the page for signing in");
}

async function checkRights(): Promise<void> {
  for (const role of ["web", "worker"]) {
    const inside = (...command: string[]) => podman("exec", nameOf(role), ...command);
    assert.equal(await inside("id", "-u"), "10001");
    const status = await inside("cat", "/proc/1/status");
    for (const line of [/^CapEff:\s0+$/m, /^NoNewPrivs:\s1$/m, /^Seccomp:\s2$/m]) assert.match(status, line);
    await assert.rejects(inside("touch", "/app/x"), /Read-only file system/);
    const first = (await inside("cat", "/proc/1/cmdline")).split("\0", 1)[0];
    assert.equal(first, "tini");
    // A killed process must not stay behind as a zombie.
    const states = await inside("sh", "-c", "cat /proc/[0-9]*/stat");
    assert.doesNotMatch(states, /\) Z /);
    const lines = (await podman("logs", nameOf(role))).split("\n").filter((line) => line.startsWith("{"));
    for (const line of lines) assert.ok("time" in JSON.parse(line), line);
  }
}

async function stopRole(role: "web" | "worker", note: (text: string) => void): Promise<void> {
  const started = performance.now();
  await podman("stop", "--time", String(GRACE_SECONDS[role]), nameOf(role));
  const seconds = (performance.now() - started) / 1_000;
  const code = await podman("inspect", "--format", "{{.State.ExitCode}}", nameOf(role));
  note(`exit code ${code}`);
  assert.equal(code, "0", "a container that was killed has the exit code 137");
  assert.ok(seconds < GRACE_SECONDS[role], `took ${seconds} s`);
}
