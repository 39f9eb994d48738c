import { test as base, expect, type Product, signIn } from "#e2e/fixtures";

interface Run {
  run_id: string;
  status: string;
  source: string;
}

const property = (name: string, value: string) => ({ name, type: "string", value });
const GATED = {
  nodes: [
    { id: "in", type: "action_input", data: { properties: [] } },
    { id: "gate", type: "approval", data: { name: "Check", message: "Continue?" } },
    { id: "out", type: "return_output", data: { properties: [property("done", "yes")] } },
  ],
  edges: [
    { id: "a", source: "in", target: "gate" },
    { id: "b", source: "gate", target: "out", sourceHandle: "approved" },
  ],
};
const SCHEDULED = {
  nodes: [
    { id: "each", type: "trigger", data: { kind: "schedule", mode: "interval", seconds: 3_600 } },
    { id: "note", type: "transform", data: { fields: [{ name: "at", value: "{{trigger.output.timestamp}}" }] } },
  ],
  edges: [{ id: "a", source: "each", target: "note" }],
};

/** Starts an instance whose statements go through a transaction pooler of ten connections. */
const test = base.extend<{ pooled: Product }>({
  pooled: async ({ pooledDatabase, startSeededProduct }, use) => {
    const { DATABASE_URL, DATABASE_URL_DIRECT } = pooledDatabase;
    await use(await startSeededProduct({ DATABASE_URL, DATABASE_URL_DIRECT, WORKERS: "2" }));
  },
});

function callerOf({ url, raw_key: key }: Product) {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const send = async (path: string, body?: object, wait = 0): Promise<Run> => {
    const answer = await fetch(`${url}/api/v1/runtime${path}`, {
      method: body ? "POST" : "GET",
      headers: { ...headers, ...(wait ? { prefer: `wait=${wait}` } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const result = await answer.json();
    expect(answer.ok, JSON.stringify(result)).toBe(true);
    return result;
  };
  const tool = async (name: string, args: object): Promise<Run> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
    const answer = await (await fetch(`${url}/mcp`, { method: "POST", headers, body })).json();
    expect(answer.result?.isError, JSON.stringify(answer)).not.toBe(true);
    return answer.result.structuredContent;
  };
  return { send, tool, until: (run: Run) => send(`/runs/${run.run_id}`, undefined, 20) };
}

test("calls, waits, approvals, streams, schedules, replays and cancels work through a transaction pooler", async ({
  pooled,
  pooledDatabase,
  playwright,
}) => {
  test.slow();
  const { send, tool, until } = callerOf(pooled);
  const user = await playwright.request.newContext({
    baseURL: pooled.url,
    extraHTTPHeaders: { origin: pooled.url },
  });
  await signIn(user, pooled);
  const operate = async (name: string, data: object) => {
    const answer = await user.post(`/api/web/${name}`, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const publish = async (definition: object, target: object) => {
    const { workflow_id } = await operate("create_workflow", { name: "Through the pooler", definition });
    await operate("deploy_workflow", { workflow_id, ...target });
    return workflow_id as string;
  };

  const called = await send(`/actions/${pooled.slug}/run`, { input: pooled.input });
  expect((await until(called)).status).toBe("succeeded");
  const overMcp = await tool("run_action", { slug: pooled.slug, input: pooled.input });
  expect((await tool("wait_for_run", { run_id: overMcp.run_id })).status).toBe("succeeded");
  const replayed = await tool("replay_run", { run_id: called.run_id, mode: "from_start" });
  expect(await until(replayed)).toMatchObject({ status: "succeeded", source: "replay" });

  await publish(GATED, { slug: "gated" });
  const approved = await until(await send("/actions/gated/run", { input: {} }));
  expect(approved.status).toBe("waiting_for_approval");
  await operate("approve_run", { run_id: approved.run_id, decision: "approved" });
  expect((await until(approved)).status).toBe("succeeded");
  const cancelled = await until(await send("/actions/gated/run", { input: {} }));
  await operate("cancel_run", { run_id: cancelled.run_id });
  expect((await until(cancelled)).status).toBe("cancelled");

  const { cookies } = await user.storageState();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const left = new AbortController();
  const stream = await fetch(`${pooled.url}/api/stream`, { headers: { cookie }, signal: left.signal });
  const events = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const streamed = await send(`/actions/${pooled.slug}/run`, { input: pooled.input });
  let heard = "";
  while (!heard.includes(streamed.run_id)) heard += (await events?.read())?.value ?? "";

  const scheduled = await publish(SCHEDULED, {});
  await pooledDatabase.query(
    "update trigger_subscriptions set next_at = now() - interval '1 ms' where workflow_id = $1",
    [scheduled],
  );
  const runs = () =>
    pooledDatabase.query("select status from runs where workflow_id = $1 and source = 'schedule'", [scheduled]);
  await expect.poll(runs).toEqual([{ status: "succeeded" }]);

  expect((await pooledDatabase.sessions()).servers).toBeLessThanOrEqual(10);
  // Counts the event stream of the web process, and for each worker a heartbeat and a graphile-worker listener. A
  // connection that the pooler opens during the count looks like one of these.
  await expect.poll(async () => (await pooledDatabase.sessions()).around).toBe(5);
  left.abort();
  await user.dispose();
});
