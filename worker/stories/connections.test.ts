import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { chatCompletion, startProvider } from "#lib/connectors/llm/provider.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { listConnections } from "#lib/domain/connections/list-connections";
import { replaceCredentials } from "#lib/domain/connections/replace-credentials";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { tablesWith } from "#lib/platform/db/find-text.fixture";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const stage = useRunStage();

const KEY = "sk-canary-1a2b3c4d5e6f";
const SCHEMA = {
  type: "object",
  properties: { category: { type: "string" } },
  required: ["category"],
};

const provider = await startProvider(KEY);
afterAll(() => provider.close());
beforeEach(async () => {
  // Isolates the test from the breakers and names of other tests.
  stage.workspace = await addWorkspace();
  provider.requests.length = 0;
  provider.answers.length = 0;
});

const connectModel = () => stage.connect("openai", "api_key", { base_url: `${provider.url}/v1`, api_key: KEY });

const ask = (connection_id: string, more: JsonObject = {}) =>
  node("ask", "llm", { connection_id, model: "model-a", prompt: "Sort: {{action_input.name}}", ...more });
const result = (value: string) =>
  node("out", "return_output", { properties: [{ name: "answer", type: "object", value }] });
const llmRun = (connection_id: string, more: JsonObject = {}, value = "{{ask}}") =>
  stage.start([ask(connection_id, more), result(value)], "in>ask>out");
const generations = () => provider.requests.filter((request) => request.path.endsWith("/chat/completions"));
const statusNow = async () => (await listConnections(stage.workspace.workspaceId, { limit: 1 })).data[0];

describe("an LLM step", () => {
  it("calls its connection's model, and passes text, object, and usage to later steps", async () => {
    provider.answers.push(chatCompletion('{"category":"refund"}'));
    const run = await llmRun(await connectModel(), { system: "You sort.", output_schema: SCHEMA });
    expect(await stage.reaches(run, "succeeded")).toMatchObject({
      output: {
        answer: {
          text: '{"category":"refund"}',
          object: { category: "refund" },
          usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
        },
      },
    });
    expect(generations()).toMatchObject([
      {
        headers: { authorization: `Bearer ${KEY}`, "idempotency-key": `${run.runId}:ask:` },
        body: {
          messages: [
            { role: "system", content: "You sort." },
            { role: "user", content: "Sort: Ada" },
          ],
        },
      },
    ]);
    const step = await stage.step(run, "ask");
    expect(step?.input).toEqual({
      model: "model-a",
      system: "You sort.",
      prompt: "Sort: Ada",
      output_schema: SCHEMA,
    });
    expect((await statusNow())?.last_used_at).not.toBeNull();
  });

  it("is retried after a rate limit and after a failure, each time with a new idempotency key", async () => {
    provider.answers.push({ status: 429, headers: { "retry-after": "0" } });
    provider.answers.push({ status: 429, headers: { "retry-after": new Date().toUTCString() } });
    provider.answers.push({ status: 500, body: { error: { message: "overloaded" } } });
    await stage.reaches(await llmRun(await connectModel(), { maxRetries: 3 }), "succeeded");
    const keys = generations().map((request) =>
      String(request.headers["idempotency-key"]).split(":").slice(1).join(":"),
    );
    expect(keys).toEqual(["ask:", "ask::r1", "ask::r2", "ask::r3"]);
  });

  it("fails without a retry if its key is no longer accepted", async () => {
    const id = await connectModel();
    provider.key = "sk-rotated";
    const { error } = await stage.reaches(await llmRun(id, { maxRetries: 3 }), "failed");
    provider.key = KEY;
    expect(error).toMatchObject({ code: "AUTH_EXPIRED", step_id: "ask" });
    expect(generations()).toHaveLength(1);
    expect(await statusNow()).toMatchObject({ status: "expired", last_error: expect.stringContaining("401") });
  });

  it("uses the credentials of today when its run is replayed", async () => {
    const id = await connectModel();
    const run = await llmRun(id);
    await stage.reaches(run, "succeeded");
    provider.key = "sk-replaced-9z8y7x";
    const { workspaceId } = stage.workspace;
    const fields = { base_url: `${provider.url}/v1`, api_key: provider.key };
    const connection = { workspaceId, connectionId: id, actor: TEST_ACTOR };
    await replaceCredentials({ ...connection, auth: "api_key", fields, acceptFailure: false });
    await stage.reaches(await stage.replay(run, { mode: "from_start" }), "succeeded");
    provider.key = KEY;
    expect(generations().map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${KEY}`,
      "Bearer sk-replaced-9z8y7x",
    ]);
  });

  it("fails with the mismatch if the corrected object does not match the schema either", async () => {
    provider.answers.push(chatCompletion('{"category":7}'), chatCompletion('{"category":8}'));
    const run = await llmRun(await connectModel(), { output_schema: SCHEMA, maxRetries: 3 });
    const { error } = await stage.reaches(run, "failed");
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("/category must be string"),
    });
    expect(generations()).toHaveLength(2);
  });

  it("drops the connection to a provider whose answer does not end", async () => {
    provider.answers.push({ isEndless: true });
    const run = await llmRun(await connectModel());
    await until("the call", () => generations()[0]);
    await stage.cancel(run);
    await until("the connection to be dropped", () => generations()[0]?.isDropped);
    await stage.reaches(run, "cancelled");
  });

  it("does not call its provider after five failures, because the breaker is open", async () => {
    const id = await connectModel();
    provider.answers.push(...Array.from({ length: 5 }, () => ({ status: 503 })));
    for (let call = 0; call < 5; call += 1) await stage.reaches(await llmRun(id), "failed");
    const { error } = await stage.reaches(await llmRun(id), "failed");
    expect(error).toMatchObject({
      code: "UPSTREAM_ERROR",
      reason: "circuit_open",
      message: expect.stringContaining("circuit open: openai"),
    });
    expect(generations()).toHaveLength(5);
  });

  it("cannot use another workspace's connection", async () => {
    const id = await connectModel();
    stage.workspace = await addWorkspace();
    const { error } = await stage.reaches(await llmRun(id), "failed");
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: "connection_id: there is no such connection" });
    expect(generations()).toEqual([]);
  });
});

describe("an HTTP step with a connection", () => {
  const request = (connection_id: string, url: string) =>
    node("get", "connector", { connector: "http", operation: "request", connection_id, params: { url } });

  it("sends the secret only to the hosts of the connection", async () => {
    const id = await stage.connect("http", "api_key", {
      placement: "query",
      name: "key",
      value: KEY,
      hosts: stage.server.url,
    });
    const good = await stage.start([request(id, `${stage.server.url}/a?b=1`)], "in>get>out");
    await stage.reaches(good, "succeeded");
    expect(stage.server.of(`/a?b=1&key=${KEY}`)).toHaveLength(1);
    const bad = await stage.start([request(id, `${provider.url}/steal`)], "in>get>out");
    const { error } = await stage.reaches(bad, "failed");
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("credentials go to") });
    expect(provider.requests).toEqual([]);
  });

  it("cannot use a connection to another service", async () => {
    const id = await connectModel();
    const run = await stage.start([request(id, `${provider.url}/v1/x`)], "in>get>out");
    const { error } = await stage.reaches(run, "failed");
    expect(error).toMatchObject({ message: expect.stringContaining("is a connection to openai, not to http") });
  });
});

it("no secret appears in the database, in the worker's log, or in the run that a reader sees", async () => {
  const model = await connectModel();
  const bearer = await stage.connect("http", "bearer", { token: KEY, hosts: `${provider.url}\n${stage.server.url}` });
  // A server that echoes the request in both a success and a refusal.
  stage.server.answer("/echo", { you_sent: { authorization: `Bearer ${KEY}` } });
  stage.server.answer("/refuse", { error: `the token ${KEY} is bad` }, 422);
  const call = (id: string) =>
    node(id, "connector", {
      connector: "http",
      operation: "request",
      connection_id: bearer,
      continueOnFailure: true,
      params: { method: "POST", url: `${stage.server.url}/${id}` },
    });
  provider.answers.push(chatCompletion(`Your key is ${KEY}.`));
  const run = await stage.start(
    [ask(model), call("echo"), call("refuse"), result("{{echo}}")],
    "in>ask>echo>refuse>out",
  );
  const { output } = await stage.reaches(run, "succeeded");
  expect(JSON.stringify(output)).toContain("[REDACTED]");
  const shown = JSON.stringify(await stage.show(run));
  expect(shown).toContain("answered 422");
  for (const text of [shown, JSON.stringify(output), stage.worker.output()]) expect(text).not.toContain(KEY);
  expect(await tablesWith(KEY)).toEqual([]);
});
