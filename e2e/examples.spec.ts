import { execFile, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, type Product, test } from "#e2e/fixtures";

const execute = promisify(execFile);

/** The example programs by test name. Each takes a slug and an input, and prints the run's output. */
const AGENTS = {
  "the TypeScript agent over MCP": ["node", "examples/agent-typescript/call-over-mcp.ts"],
  "the TypeScript agent over REST": ["node", "examples/agent-typescript/call-over-rest.ts"],
  "the Python agent over MCP": ["python3", "examples/agent-python/call_over_mcp.py"],
  "the Python agent over REST": ["python3", "examples/agent-python/call_over_rest.py"],
} as const;
const HAS_PYTHON = isInstalled("python3");

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Declares a test. If its program is missing, the test is skipped and its title says why. */
function testWith(program: string, title: string, body: Parameters<typeof test>[2]): void {
  if (program !== "python3" || HAS_PYTHON) test(title, body);
  else test.skip(`${title} (SKIPPED: python3 is not installed)`, body);
}

function environment({ url, raw_key, data_dir }: Product): NodeJS.ProcessEnv {
  return { ...process.env, DATA_DIR: data_dir, SIGNALBOX_URL: url, SVC_API_KEY: raw_key };
}

/** Runs the commands in an example's README with this instance's address and key. */
async function runReadme(name: string, product: Product): Promise<string[]> {
  const readme = readFileSync(`examples/${name}/README.md`, "utf8");
  const commands = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block).join("");
  const filledIn = commands.replaceAll("http://localhost:3000", product.url).replaceAll("svc_...", product.raw_key);
  const { stdout } = await execute("sh", ["-euc", filledIn], { env: environment(product) });
  return stdout.trimEnd().split("\n");
}

/** Runs an admin command and returns its answer. */
async function admin(product: Product, ...args: string[]) {
  const { stdout } = await execute("npm", ["run", "--silent", "admin", "--", ...args], { env: environment(product) });
  return JSON.parse(stdout);
}

/** Starts an agent. `ended` resolves with its output, and `reported` resolves when its progress matches. */
function startAgent(agent: readonly string[], args: string[], env: NodeJS.ProcessEnv) {
  const [program = "", ...script] = agent;
  const child = spawn(program, [...script, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const progress: string[] = [];
  child.stderr.on("data", (data: Buffer) => progress.push(data.toString()));
  const exited = once(child, "close").then(([code]) => code as number);
  return {
    progress: () => progress.join(""),
    ended: Promise.all([text(child.stdout), exited]).then(([stdout, code]) => ({ stdout, code })),
  };
}

async function runAgent(agent: readonly string[], args: string[], env: NodeJS.ProcessEnv) {
  const started = startAgent(agent, args, env);
  return { ...(await started.ended), stderr: started.progress() };
}

const BUSY = { error: "Rate limit exceeded", code: "RATE_LIMIT_EXCEEDED", reason: "rate_limit_exceeded" };
const BUSY_RESULT = {
  isError: true,
  content: [
    { type: "text", text: JSON.stringify(BUSY) },
    { type: "text", text: "Wait at least 1 seconds before the next call." },
  ],
};

/** Starts a proxy to the instance that answers an action's first call with a 429. */
async function startBusyFront(target: string) {
  const calls: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const isCall = incoming.url?.endsWith("/run") || body.includes('"run_action"');
    if (isCall) calls.push(incoming.headers["idempotency-key"]?.toString() ?? readIdempotencyKey(body));
    if (isCall && calls.length === 1) {
      const isMcp = incoming.url === "/mcp";
      const answer = isMcp ? { jsonrpc: "2.0", id: JSON.parse(body.toString()).id, result: BUSY_RESULT } : BUSY;
      outgoing.writeHead(isMcp ? 200 : 429, { "content-type": "application/json", "retry-after": "1" });
      outgoing.end(JSON.stringify(answer));
      return;
    }
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = incoming.headers;
    const response = await fetch(new URL(incoming.url ?? "/", target), {
      method: incoming.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    });
    outgoing.writeHead(response.status, { "content-type": response.headers.get("content-type") ?? "text/plain" });
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, calls, stop };
}

const readIdempotencyKey = (body: Buffer): string => JSON.parse(body.toString()).params.arguments.idempotency_key;

testWith("node", "the commands in the TypeScript agent's README call the demo action", async ({ product }) => {
  const printed = await runReadme("agent-typescript", product);
  const output = { greeting: "Hello, Ada!", known: false };
  expect(printed.map((line) => JSON.parse(line))).toEqual([output, output]);
});

testWith("python3", "the commands in the Python agent's README call the demo action", async ({ product }) => {
  const printed = await runReadme("agent-python", product);
  const output = { greeting: "Hello, Ada!", known: false };
  expect(printed.map((line) => JSON.parse(line))).toEqual([output, output]);
});

for (const [name, agent] of Object.entries(AGENTS)) {
  testWith(agent[0], `${name} repeats a refused call with the same idempotency key`, async ({ product }) => {
    const front = await startBusyFront(product.url);
    const env = { ...environment(product), SIGNALBOX_URL: front.url };
    const { code, stdout } = await runAgent(agent, [product.slug, JSON.stringify(product.input)], env);
    front.stop();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ known: true });
    expect(front.calls).toEqual([front.calls[0], front.calls[0]]);
    expect(front.calls[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  testWith(agent[0], `${name} reports a refusal with its code and fails`, async ({ product }) => {
    const env = environment(product);
    const wrongInput = await runAgent(agent, [product.slug, "{}"], env);
    expect(wrongInput).toMatchObject({ code: 1, stdout: "" });
    expect(wrongInput.stderr).toContain("INPUT_VALIDATION_FAILED");
    const wrongKey = await runAgent(agent, [product.slug, "{}"], { ...env, SVC_API_KEY: "svc_wrong" });
    expect(wrongKey).toMatchObject({ code: 1, stdout: "" });
    expect(wrongKey.stderr).toContain("UNAUTHORIZED");
  });
}

test("the commands in the workflows' README publish an action, and every agent waits for its approval", async ({
  product,
  request,
}) => {
  const [answer = ""] = await runReadme("workflows", product);
  expect(JSON.parse(answer)).toMatchObject({ status: "deployed", action: { slug: "approve-expense" } });

  const decider = await admin(
    product,
    ...["create-key", "--workspace", "demo", "--name", "Decider", "--scopes", "approvals:decide"],
  );
  const large = JSON.stringify({ amount: 240, purpose: "a desk" });
  const agents = Object.values(AGENTS).filter(([program]) => program !== "python3" || HAS_PYTHON);
  const started = agents.map((agent) => startAgent(agent, ["approve-expense", large], environment(product)));
  for (const [index, { progress, ended }] of started.entries()) {
    await expect.poll(progress).toContain("waiting for a decision: Pay back 240 for a desk?");
    const runId = /run ([0-9a-f-]{36}):/.exec(progress())?.[1];
    const decision = index === 0 ? "rejected" : "approved";
    const decided = await request.post(`/api/v1/runtime/runs/${runId}/approve`, {
      headers: { authorization: `Bearer ${decider.raw_key}` },
      data: { decision },
    });
    expect(decided.status(), await decided.text()).toBe(200);
    const { code, stdout } = await ended;
    expect({ code, output: JSON.parse(stdout) }).toEqual({ code: 0, output: { status: decision, amount: 240 } });
  }
  await admin(product, "revoke-key", "--key-id", decider.key_id);
});

test("the commands in the webhook sender's README send a signed event that starts a run", async ({ product, api }) => {
  const [answer = ""] = await runReadme("webhook-sender", product);
  const { accepted, run_id } = JSON.parse(answer);
  expect(accepted).toBe(true);
  const response = await api.get(`/api/v1/runtime/runs/${run_id}`, { headers: { prefer: "wait=20" } });
  const run = await response.json();
  expect(run).toMatchObject({ source: "webhook", status: "succeeded" });
  expect(run.steps.at(-1)).toMatchObject({ step_id: "order", output: { order_id: "A-1001", total: 42.5 } });
});

test("a webhook with an invalid secret is refused, and one that is sent twice starts one run", async ({ product }) => {
  const secret = `whsec_${Buffer.from(randomUUID()).toString("base64")}`;
  const document = JSON.parse(readFileSync("examples/workflows/receive-order.json", "utf8"));
  document.definition.nodes[0].data.secret = secret;
  const imported = execute(
    "npm",
    ["run", "--silent", "admin", "--", "import-workflow", "--workspace", "demo", "--file", "-"],
    {
      env: environment(product),
    },
  );
  imported.child.stdin?.end(JSON.stringify(document));
  const { workflow_id } = JSON.parse((await imported).stdout);
  const { subscriptions } = await admin(product, "deploy-workflow", "--workflow-id", workflow_id);
  const env = { ...process.env, WEBHOOK_URL: subscriptions[0].url, WEBHOOK_SECRET: secret, WEBHOOK_ID: randomUUID() };
  const send = ["node", "examples/webhook-sender/send-webhook.ts"];
  const first = JSON.parse((await runAgent(send, [], env)).stdout);
  expect(first).toMatchObject({ accepted: true });
  const second = JSON.parse((await runAgent(send, [], env)).stdout);
  expect(second).toEqual({ accepted: false, duplicate: true, run_id: first.run_id });
  const forged = await runAgent(send, [], { ...env, WEBHOOK_SECRET: "whsec_AAAA", WEBHOOK_ID: randomUUID() });
  expect(forged.code).toBe(1);
  expect(forged.stdout).toContain("INVALID_SIGNATURE");
});

test("the webhook workflow cannot be published without a secret", async ({ product }) => {
  const { workflow_id } = await admin(
    product,
    ...["import-workflow", "--workspace", "demo", "--file", "examples/workflows/receive-order.json"],
  );
  const published = admin(product, "deploy-workflow", "--workflow-id", workflow_id);
  await expect(published).rejects.toThrow(/PUBLISH_VALIDATION_FAILED.*must not be blank/s);
});
