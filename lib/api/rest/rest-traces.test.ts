import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { callRest } from "#lib/api/rest/rest.fixture";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { type Collector, startCollector } from "#lib/platform/telemetry/sdk/collector.fixture";
import { openSdk } from "#lib/platform/telemetry/sdk/open-sdk";
import { setTelemetry, stopTelemetry } from "#lib/platform/telemetry/telemetry";

await openTestDatabase();
const collector: Collector = await startCollector();
Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRICS_EXPORTER: "none" });
afterAll(() => collector.close());

const workspace = await addWorkspace();
const key = (await addKey(workspace, { scopes: ["actions:run", "actions:read"] })).raw_key;
await addAction(workspace, { slug: "greet" });
beforeEach(() => {
  collector.spans.length = 0;
  setTelemetry(openSdk("web", env()));
});

const CANARY = "canary-4711";

describe("the span of a request (decisions, Traces)", () => {
  test.each([
    ["an unknown path", "GET", `/${CANARY}`, 404, undefined],
    ["another method", "DELETE", `/actions/${CANARY}`, 405, undefined],
    ["a key without the scope", "GET", `/runs/${CANARY}`, 403, undefined],
    ["a body that cannot be read", "POST", `/actions/greet/run?q=${CANARY}`, 400, "{"],
  ])("has no part of the path of %s", async (_, method, path, status, body) => {
    expect((await callRest(method, path, { key, body })).status).toBe(status);
    await stopTelemetry();
    const [span] = collector.spans;
    expect(span?.attributes).toMatchObject({
      "signalbox.workspace.id": workspace.workspaceId,
      "http.response.status_code": status,
    });
    expect(span?.attributes).not.toHaveProperty("signalbox.operation.name");
    expect(JSON.stringify(span)).not.toContain(CANARY);
  });

  test("has the operation that was called", async () => {
    await callRest("GET", "/actions", { key });
    await stopTelemetry();
    expect(collector.spans[0]?.attributes["signalbox.operation.name"]).toBe("list_actions");
  });
});
