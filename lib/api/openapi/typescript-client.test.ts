import { describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import {
  type Action,
  type ActionDetail,
  type Batch,
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
import type { ActionDetailObject, ActionObject } from "#lib/contract/action/action";
import type { RunObject } from "#lib/contract/run/run";
import type { batchSchema } from "#lib/contract/run/run-schema";
import type { Page as WirePage } from "#lib/contract/wire/page";

// Tests the published client docs/client/signalbox.ts against REST on real HTTP and a real worker.

const product = useRunningProduct();
const connect = (more: Partial<Parameters<typeof createSignalbox>[0]> = {}): Signalbox =>
  createSignalbox({ baseUrl: product.baseUrl, apiKey: product.key, ...more });

// The type checker does the check.
test("its types are those of the contract", () => {
  expectTypeOf<Run>().toEqualTypeOf<RunObject>();
  expectTypeOf<Action>().toEqualTypeOf<ActionObject>();
  expectTypeOf<ActionDetail>().toEqualTypeOf<ActionDetailObject>();
  expectTypeOf<Page<Run>>().toEqualTypeOf<WirePage<RunObject>>();
  // The client's reasons are open, because new ones are added.
  type Reason = NonNullable<z.output<typeof batchSchema>["data"][number]["error"]>["reason"];
  expectTypeOf<z.output<typeof batchSchema>>().toExtend<Batch>();
  expectTypeOf<Reason>().toExtend<NonNullable<Batch["data"][number]["error"]>["reason"]>();
});

interface Sent {
  method: string;
  path: string;
  headers: Headers;
  status: number;
}

/** A fetch that records requests, and answers some of them itself if asked to. */
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

test("it has a method for every described operation and sends only what the description allows", async () => {
  const { sent, fetch } = listening();
  const client = connect({ fetch });
  const held = await client.run("held", { name: "Ada" }, { correlationId: "c-1" });
  await client.runMany("held", [{ input: { name: "Ada" }, correlationId: "c-2" }], { correlationId: "c-1" });
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

describe("runMany", () => {
  test("returns a run or an error for each call, in their order", async () => {
    const { data, refused } = await connect().runMany<{ said: { name: string } }>("echo", [
      { input: { name: "Ada" }, correlationId: "of-ada" },
      { input: {} },
      { input: { name: "Dry" }, dryRun: true },
    ]);
    expectTypeOf(data[0]?.run?.output?.said.name).toEqualTypeOf<string | undefined>();
    expect(data.map(({ run, error }) => run?.status ?? error?.code)).toEqual([
      "accepted",
      "INPUT_VALIDATION_FAILED",
      "succeeded",
    ]);
    expect(data[0]?.run?.correlation_id).toBe("of-ada");
    expect(refused).toBe(1);
  });

  test("creates the runs once even if the answer is lost", async () => {
    let isLost = false;
    const lossy: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (isLost) return response;
      isLost = true;
      throw new TypeError("fetch failed");
    };
    const calls = ["first", "second"].map((name) => ({ input: { name: `Many ${name}` } }));
    const { data } = await connect({ fetch: lossy }).runMany("echo", calls);
    expect(data.map((item) => item.idempotent_replayed)).toEqual([true, true]);
    const listed = (await connect().listRuns({ action_slug: "echo", limit: 100 })).data;
    expect(listed.filter(({ input }) => String(input.name).startsWith("Many"))).toHaveLength(2);
  });
});

describe("runAndWait", () => {
  test("returns the output of the run", async () => {
    const run = await connect().runAndWait<{ said: { name: string } }>("echo", { name: "Ada" });
    expectTypeOf(run.output.said.name).toBeString();
    expect(run).toMatchObject({ status: "succeeded", output: { said: { name: "Ada" } } });
  });

  test("creates one run even if the answer to the call is lost, and polls with waiting requests", async () => {
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

  test("stops waiting for a run that no one approves in time, and reports its status", async () => {
    const failure = connect().runAndWait("held", { name: "Ada" }, { timeoutSeconds: 1 });
    const { run } = await failure.then(
      () => Promise.reject(new Error("it succeeded")),
      (error: RunNotSucceeded) => error,
    );
    expect(run.status).toBe("waiting_for_approval");
  });

  test("reports that a run was rejected", async () => {
    const client = connect();
    const held = await client.run("held", { name: "Ada" }, { idempotencyKey: "rejected-1" });
    await client.reject(held.run_id);
    // The key returns the first answer again, so this waits for the same run.
    const failure = client.runAndWait("held", { name: "Ada" }, { idempotencyKey: "rejected-1" });
    await expect(failure).rejects.toMatchObject({ run: { status: "cancelled", error: { code: "APPROVAL_REJECTED" } } });
  });
});

test("a signal stops the waiting", async () => {
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

  test("because of the rate limit is retried after the seconds it names", async () => {
    const { sent, fetch } = listening([
      refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "0" }),
      refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": "0" }),
      refusal(409, "IDEMPOTENCY_IN_PROGRESS", { "retry-after": "0" }),
    ]);
    await connect({ fetch }).run("echo", { name: "Ada" });
    expect(sent.map(({ status }) => status)).toEqual([429, 503, 409, 202]);
  });

  test("that asks to wait longer than the client's limit is reported at once", async () => {
    const { sent, fetch } = listening([refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "3600" })]);
    await expect(connect({ fetch }).getAction("echo")).rejects.toMatchObject({ status: 429, retryAfter: 3_600 });
    expect(sent).toHaveLength(1);
  });

  test("is reported after the allowed retries, and never retried if the caller is at fault", async () => {
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
