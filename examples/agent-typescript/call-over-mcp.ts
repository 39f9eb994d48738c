// Does what an agent does over MCP: lists the actions, calls one, waits for the run and prints its output.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { SIGNALBOX_URL = "http://localhost:3000", SVC_API_KEY = "" } = process.env;
const [slug = "hello-world", input = '{"name":"Ada"}'] = process.argv.slice(2);

interface Run {
  run_id: string;
  status: string;
  output?: unknown;
  error?: { code: string; message: string };
  approval?: { id: string; message?: string };
}

/** A failed tool call. `code` is the same as on REST. */
class ToolError extends Error {
  readonly code: string;
  readonly hint: string;
  constructor({ error, code }: { error: string; code: string }, hint: string) {
    super(`${code}: ${error} ${hint}`);
    this.code = code;
    this.hint = hint;
  }
}

const RETRIES = 4;
const MAX_WAIT_SECONDS = 60;
const sleep = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1_000));

const client = new Client({ name: "example-agent", version: "1.0.0" });

/** Calls a tool, and calls it again when the rate limit or a busy server says to wait. @throws ToolError */
async function callTool<Output>(name: string, args: Record<string, unknown>): Promise<Output> {
  for (let attempt = 0; ; attempt += 1) {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    if (!isError) return structuredContent as Output;
    // The first block holds { error, code, reason, details? }. The second says in words how to continue.
    const [body = "{}", hint = ""] = content.map((block) => (block.type === "text" ? block.text : ""));
    const failure = new ToolError(JSON.parse(body), hint);
    const seconds = Number(/(\d+) seconds/.exec(hint)?.[1] ?? 1);
    const isTemporary = ["RATE_LIMIT_EXCEEDED", "SERVICE_UNAVAILABLE"].includes(failure.code);
    if (!isTemporary || attempt === RETRIES || seconds > MAX_WAIT_SECONDS) throw failure;
    await sleep(seconds);
  }
}

async function callAction(): Promise<Run> {
  const { data: actions } = await callTool<{ data: { slug: string; description?: string }[] }>("list_actions", {});
  for (const { slug, description } of actions) console.error(`action ${slug}: ${description ?? "no description"}`);

  // One idempotency key per intended call: however often the tool is called with it, it starts one run.
  const call = { slug, input: JSON.parse(input), idempotency_key: crypto.randomUUID(), wait_seconds: 25 };
  let run = await callTool<Run>("run_action", call);
  console.error(`run ${run.run_id}: ${run.status}`);
  let reportedApproval = "";
  while (["accepted", "running", "waiting_for_approval"].includes(run.status)) {
    if (run.status === "waiting_for_approval") {
      const { id = "", message } = run.approval ?? {};
      if (id !== reportedApproval) console.error(`waiting for a decision: ${message ?? "approve or reject this run"}`);
      reportedApproval = id;
      // The tool answers at once for a run that waits for a person.
      await sleep(2);
    }
    run = await callTool<Run>("wait_for_run", { run_id: run.run_id, timeout_seconds: 25 });
  }
  return run;
}

try {
  const headers = { authorization: `Bearer ${SVC_API_KEY}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", SIGNALBOX_URL), { requestInit: { headers } }));
  const run = await callAction();
  if (run.status === "succeeded") console.log(JSON.stringify(run.output));
  else throw new Error(`The run ${run.run_id} is ${run.status}: ${run.error?.message ?? "no error"}`);
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof Error ? error.message : error);
} finally {
  await client.close();
}
