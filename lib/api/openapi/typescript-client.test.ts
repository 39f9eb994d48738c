import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type Action,
  type ActionDetail,
  createSignalbox,
  type Page,
  type Run,
  type RunNotSucceeded,
  type Signalbox,
  type SignalboxError,
} from "#docs/client/signalbox";
import { describeApi } from "#lib/api/openapi/openapi-document";
import { DESCRIPTION_PATH } from "#lib/api/openapi/openapi-self";
import { useRunningProduct } from "#lib/api/testing/running-product.fixture";
import type { ActionDetailObject, ActionObject } from "#lib/contract/action";
import type { Page as WirePage } from "#lib/contract/page";
import type { RunObject } from "#lib/contract/run";

// The client that docs/client/signalbox.ts gives away, against REST on real HTTP and a real worker.

const product = useRunningProduct();
const connect = (more: Partial<Parameters<typeof createSignalbox>[0]> = {}): Signalbox =>
  createSignalbox({ baseUrl: product.baseUrl, apiKey: product.key, ...more });

// Checked by the type checker.
test("its types are those of the contract", () => {
  expectTypeOf<Run>().toEqualTypeOf<RunObject>();
  expectTypeOf<Action>().toEqualTypeOf<ActionObject>();
  expectTypeOf<ActionDetail>().toEqualTypeOf<ActionDetailObject>();
  expectTypeOf<Page<Run>>().toEqualTypeOf<WirePage<RunObject>>();
});

interface Sent {
  method: string;
  path: string;
  headers: Headers;
  status: number;
}

/** A fetch that tells what went through it, and answers itself where it is told to. */
function listening(answers: (Response | Error)[] = []) {
  const sent: Sent[] = [];
  const listen: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const own = answers.shift();
    const response = own instanceof Error ? null : (own ?? (await fetch(input, init)));
    const { pathname, search } = new URL(request.url);
    sent.push({
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      status: response?.status ?? 0,
    });
    if (response === null) throw own;
    return response;
  };
  return { sent, fetch: listen };
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ error: "no", code }, { status, headers });

test("it has a method for every operation of the description, and sends nothing the description does not know", async () => {
  const { sent, fetch } = listening();
  const client = connect({ fetch });
  const held = await client.run("held", { name: "Ada" }, { correlationId: "c-1" });
  const all = { limit: 1, order: "asc", include: "steps", status: "succeeded,waiting_for_approval" } as const;
  await client.listActions({ status: "all", q: "e", limit: 1 });
  await client.getAction("echo");
  await client.getRun(held.run_id, { steps: "summary", include: "events", wait: 0 });
  await client.listRuns({ ...all, correlation_id: "c-1", created_after: held.created_at });
  await client.approve(held.run_id, { comment: "go" });
  await client.cancel(held.run_id);
  const { paths } = describeApi(product.baseUrl);
  const met = sent.map(({ method, path, headers }) => {
    const url = new URL(path, product.baseUrl);
    const own = url.pathname.replace("/api/v1/runtime", "");
    const [template = "", methods] =
      Object.entries(paths).find(([known]) => new RegExp(`^${known.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(own)) ?? [];
    const operation = methods?.[method.toLowerCase() as "get" | "post"];
    const known = operation?.parameters.map(({ name }) => name.toLowerCase()) ?? [];
    const said = [...url.searchParams.keys(), ...headers.keys()].filter(
      (name) => name !== "authorization" && name !== "content-type",
    );
    expect(
      said.filter((name) => !known.includes(name)),
      template,
    ).toEqual([]);
    return operation?.operationId;
  });
  const described = Object.entries(paths).filter(([path]) => path !== DESCRIPTION_PATH);
  const operations = described.flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId));
  expect([...new Set(met)].toSorted()).toEqual(operations.toSorted());
});

describe("runAndWait", () => {
  test("answers with the output of the run", async () => {
    const run = await connect().runAndWait<{ said: { name: string } }>("echo", { name: "Ada" });
    expectTypeOf(run.output.said.name).toBeString();
    expect(run).toMatchObject({ status: "succeeded", output: { said: { name: "Ada" } } });
  });

  test("makes one run although the answer to the call was lost, and polls by waiting", async () => {
    const { sent, fetch: listen } = listening();
    let isLost = false;
    const lossy: typeof fetch = async (input, init) => {
      const response = await listen(input, init);
      if (isLost) return response;
      isLost = true;
      throw new TypeError("fetch failed");
    };
    const run = await connect({ fetch: lossy }).runAndWait("echo", { name: "Once" });
    const [first, second, ...polls] = sent;
    expect(first?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.headers.get("idempotency-key")).toBe(first?.headers.get("idempotency-key"));
    expect(polls.map(({ headers }) => headers.get("prefer"))).toEqual(polls.map(() => "wait=25"));
    const { data } = await connect().listRuns({ action_slug: "echo", limit: 100 });
    expect(data.filter(({ input }) => input.name === "Once").map(({ run_id }) => run_id)).toEqual([run.run_id]);
  });

  test("gives up a run that nobody approves in time, saying how far it is", async () => {
    const failure = connect().runAndWait("held", { name: "Ada" }, { timeoutSeconds: 1 });
    const { run } = await failure.then(
      () => Promise.reject(new Error("it succeeded")),
      (error: RunNotSucceeded) => error,
    );
    expect(run.status).toBe("waiting_for_approval");
  });

  test("says what became of a run that was rejected", async () => {
    const client = connect();
    const held = await client.run("held", { name: "Ada" }, { idempotencyKey: "rejected-1" });
    await client.reject(held.run_id);
    // The key gives the first answer again, so this waits for the very same run.
    const failure = client.runAndWait("held", { name: "Ada" }, { idempotencyKey: "rejected-1" });
    await expect(failure).rejects.toMatchObject({ run: { status: "cancelled", error: { code: "APPROVAL_REJECTED" } } });
  });
});

test("a signal ends the waiting", async () => {
  const failure = connect().runAndWait("held", { name: "Ada" }, { signal: AbortSignal.timeout(200) });
  await expect(failure).rejects.toMatchObject({ name: "TimeoutError" });
});

describe("a refusal", () => {
  test("is an error with its code, its details and the id of the request", async () => {
    const error = await connect()
      .run("echo", {})
      .then(
        () => null,
        (thrown: SignalboxError) => thrown,
      );
    expect(error).toMatchObject({
      name: "SignalboxError",
      status: 400,
      code: "INPUT_VALIDATION_FAILED",
      details: [{ field: "name", pointer: "/name", code: "required" }],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await expect(connect({ apiKey: "svc_no" }).getAction("echo")).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("for the rate is tried again after the seconds it names", async () => {
    const { sent, fetch } = listening([
      refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "0" }),
      refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": "0" }),
      refusal(409, "IDEMPOTENCY_IN_PROGRESS", { "retry-after": "0" }),
    ]);
    await connect({ fetch }).run("echo", { name: "Ada" });
    expect(sent.map(({ status }) => status)).toEqual([429, 503, 409, 202]);
  });

  test("that asks for more patience than there is, comes at once", async () => {
    const { sent, fetch } = listening([refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "3600" })]);
    await expect(connect({ fetch }).getAction("echo")).rejects.toMatchObject({ status: 429, retryAfter: 3_600 });
    expect(sent).toHaveLength(1);
  });

  test("is given up after the retries that are allowed, and never retried when it is the caller's", async () => {
    const busy = listening(
      Array.from({ length: 9 }, () => refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": "0" })),
    );
    await expect(connect({ fetch: busy.fetch, maxRetries: 2 }).listRuns()).rejects.toMatchObject({ status: 503 });
    expect(busy.sent).toHaveLength(3);
    const wrong = listening();
    await expect(connect({ fetch: wrong.fetch }).getAction("nothing")).rejects.toMatchObject({ status: 404 });
    expect(wrong.sent).toHaveLength(1);
  });
});
