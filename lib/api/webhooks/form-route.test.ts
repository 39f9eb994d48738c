import { describe, expect, test, vi } from "vitest";
import { formRoute } from "#lib/api/webhooks/form-route";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import { addTrigger, editorIn, republish, runsOf } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();
process.env.RUNS_PER_USER_PER_HOUR = "2";

const FIELDS = [
  { name: "email", label: "Email", type: "email", required: true },
  { name: "seats", type: "integer" },
];
/** Publishes a form in a workspace of its own, whose owner may start two runs an hour. */
async function addForm(more: JsonObject = {}) {
  const workspace = await addWorkspace();
  return { workspace, ...(await addTrigger(workspace, { kind: "form", title: "Sign up", fields: FIELDS, ...more })) };
}

async function ask(path: string, init: RequestInit = {}) {
  const response = await formRoute(new Request(new URL(path, "http://localhost"), init));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const tokenIn = (page: string) => /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";

/** Opens the form, and returns a function that sends it as a browser does, a while later. */
async function open(id: string, afterMs = 5_000) {
  const token = tokenIn((await ask(`/forms/${id}`)).text);
  return (fields: Record<string, string>, more: Record<string, string> = {}) => {
    const entries = Object.entries(fields).map(([name, text]) => [`field.${name}`, text]);
    const body = new URLSearchParams([...entries, ...Object.entries({ token, website: "", ...more })]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + afterMs });
    return ask(`/forms/${id}`, { method: "POST", body }).finally(() => vi.useRealTimers());
  };
}

describe("the page of a form", () => {
  test("can be filled in, loads and runs nothing, and cannot be framed", async () => {
    const { subscriptionId } = await addForm();
    const { status, headers, text } = await ask(`/forms/${subscriptionId}?seats=3&other=x`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(text).toMatch(/type="number" value="3"[^>]* name="field.seats"/);
    expect(text).not.toContain("<script");
  });

  test("of no form, of another kind of trigger, or of a paused one is a 404", async () => {
    const { subscriptionId: webhook } = await addTrigger(await addWorkspace(), { kind: "webhook" });
    const paused = await addForm();
    await setTriggerStatus(editorIn(paused.workspace), paused.workflowId, "paused");
    for (const id of ["x", "01a22c11-b2c6-4417-8bf5-6bb83ea74f43", webhook, paused.subscriptionId]) {
      const { status, text } = await ask(`/forms/${id}`);
      expect([status, text.includes("This form is closed")]).toEqual([404, true]);
    }
  });
});

describe("a form that is sent", () => {
  test("starts one run with its values, however often the same page is sent", async () => {
    const form = await addForm({ answer: { type: "message", text: "We'll write to you." } });
    const send = await open(form.subscriptionId);
    const [first, second] = [
      await send({ email: "ada@example.com", seats: "2" }),
      await send({ email: "ada@example.com", seats: "2" }),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.text).toContain("We&#39;ll write to you.");
    const runs = await runsOf(form);
    expect(runs).toMatchObject([{ source: "webhook", jobs: 1 }]);
    expect(runs[0]?.input).toEqual({
      output: { body: { email: "[REDACTED_EMAIL]", seats: 2 }, timestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    // Corrected and sent again, it is another submission.
    await send({ email: "ada@example.com", seats: "3" });
    expect(await runsOf(form)).toHaveLength(2);
  });

  test("comes back with what was typed if a field is wrong, and starts nothing", async () => {
    const form = await addForm();
    const send = await open(form.subscriptionId);
    const { status, text } = await send({ email: "ada", seats: "many" });
    expect(status).toBe(400);
    expect(text).toContain("Email must be an email address, such as ada@example.com.");
    expect(text).toContain("seats must be a whole number.");
    expect(text).toMatch(/type="email" value="ada"/);
    expect(await runsOf(form)).toEqual([]);
    expect((await listDeliveries(form.workspace.workspaceId, form.workflowId, { limit: 10 })).data).toEqual([]);
  });

  test.each<[string, number, Record<string, string>, string]>([
    ["faster than people type", 10, {}, "That was faster than people type."],
    ["after more than a day", 25 * 3_600_000, {}, "This page was open for too long."],
    ["with a field that people cannot see", 5_000, { website: "x" }, "A field that people can&#39;t see was filled in"],
    ["without the token of its page", 5_000, { token: "" }, "This page was open for too long."],
  ])("%s comes back with what was typed and a new token", async (_how, afterMs, more, problem) => {
    const form = await addForm();
    const send = await open(form.subscriptionId, afterMs);
    const { status, text } = await send({ email: "ada@example.com" }, more);
    expect([status, text.includes(problem)]).toEqual([400, true]);
    expect(text).toMatch(/type="email" value="ada@example.com"/);
    expect(tokenIn(text)).not.toBe("");
    expect(await runsOf(form)).toEqual([]);
  });

  test("with the token of another form starts nothing", async () => {
    const [one, other] = [await addForm(), await addForm()];
    const token = tokenIn((await ask(`/forms/${other.subscriptionId}`)).text);
    const send = await open(one.subscriptionId);
    expect((await send({ email: "ada@example.com" }, { token })).status).toBe(400);
    expect(await runsOf(one)).toEqual([]);
  });

  test("as JSON, or too large, is refused with a page", async () => {
    const { subscriptionId } = await addForm();
    const headers = { "content-type": "application/json" };
    expect((await ask(`/forms/${subscriptionId}`, { method: "POST", body: "{}", headers })).status).toBe(400);
    const send = await open(subscriptionId);
    expect((await send({ email: "x".repeat(300_000) })).status).toBe(413);
  });

  test("leads to the author's page, which its policy allows", async () => {
    const form = await addForm({ answer: { type: "redirect", url: "https://example.com/thanks?a=1" } });
    const page = await ask(`/forms/${form.subscriptionId}`);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://example.com;");
    const { status, headers } = await (await open(form.subscriptionId))({ email: "ada@example.com" });
    expect([status, headers.get("location")]).toEqual([303, "https://example.com/thanks?a=1"]);
  });

  test("is checked against the fields that are published now", async () => {
    const form = await addForm();
    const send = await open(form.subscriptionId);
    await republish(form.workspace, form, {
      kind: "form",
      title: "Sign up",
      fields: [...FIELDS, { name: "city", required: true }],
    });
    expect((await send({ email: "ada@example.com" })).text).toContain("city is required.");
    expect((await send({ email: "ada@example.com", city: "Paris" })).status).toBe(200);
  });

  test("above the owner's hourly limit keeps what was typed, and starts nothing", async () => {
    const form = await addForm();
    const send = await open(form.subscriptionId);
    for (const seats of ["1", "2"]) expect((await send({ email: "ada@example.com", seats })).status).toBe(200);
    const { status, headers, text } = await send({ email: "bob@example.com" });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(text).toMatch(/type="email" value="bob@example.com"/);
    expect(await runsOf(form)).toHaveLength(2);
  });
});
