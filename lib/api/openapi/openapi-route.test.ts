import { describe, expect, test } from "vitest";
import { type Answer, callRest, expectCommonHeaders, expectRateHeaders } from "#lib/api/rest/rest.fixture";
import type { OpenApiDocument } from "#lib/contract/openapi/openapi";
import { addAction, TEST_SCHEMA } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const workspace = await addWorkspace();
await addAction(workspace, { slug: "greet" });
await addAction(workspace, { slug: "refund" });
await addAction(workspace, { slug: "paused", status: "paused" });
await addAction(await addWorkspace(), { slug: "foreign" });

const describeTo = async (options: Parameters<typeof addKey>[1]) =>
  callRest("GET", "/openapi.json", { key: (await addKey(workspace, options)).raw_key });
const pathsOf = ({ body }: Answer) =>
  Object.keys((body as unknown as OpenApiDocument).paths).filter((path) => /^\/actions\/[a-z]/.test(path));

describe("GET /openapi.json", () => {
  test("without a key is the same for everyone, cacheable and readable by any page", async () => {
    const answer = await callRest("GET", "/openapi.json");
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
      vary: "authorization",
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(answer.headers.has("x-ratelimit-limit")).toBe(false);
    expect(pathsOf(answer)).toEqual([]);
    const etag = answer.headers.get("etag") ?? "";
    expect((await callRest("GET", "/openapi.json", { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await callRest("GET", "/openapi.json", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("with a key that can read actions has a path for each active one, and counts as a request", async () => {
    const answer = await describeTo({ scopes: ["actions:read"] });
    expect(answer.status).toBe(200);
    expectRateHeaders(answer);
    expectCommonHeaders(answer);
    expect(pathsOf(answer)).toEqual(["/actions/refund/run", "/actions/greet/run"]);
    const { components } = answer.body as unknown as OpenApiDocument;
    expect(components.schemas["greet.input"]).toMatchObject(TEST_SCHEMA);
  });

  test("with a key that is limited to some actions has only those", async () => {
    expect(pathsOf(await describeTo({ actionSlugs: ["refund"] }))).toEqual(["/actions/refund/run"]);
  });

  test("with any other valid key is the general document, with the key's window", async () => {
    const answer = await describeTo({ scopes: ["runs:read"] });
    expect(answer.status).toBe(200);
    expectRateHeaders(answer);
    expect(pathsOf(answer)).toEqual([]);
  });

  test("with an invalid key is a 401, as on every endpoint", async () => {
    for (const authorization of ["Bearer ", "Basic x", `Bearer svc_${"a".repeat(32)}`]) {
      const answer = await callRest("GET", "/openapi.json", { headers: { authorization } });
      expect(answer).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
      expect(answer.headers.has("access-control-allow-origin")).toBe(false);
    }
  });
});
