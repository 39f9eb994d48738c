import { expect, it } from "vitest";
import { ORDERS_YAML } from "#lib/connectors/custom/orders.fixture";
import type { CustomAuth } from "#lib/contract/connector/connector";
import { createBuild } from "#lib/domain/custom-connectors/create-build";
import { getBuild } from "#lib/domain/custom-connectors/get-build";
import { getCustomConnector } from "#lib/domain/custom-connectors/get-custom-connector";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const stage = useRunStage();

async function built(auth: CustomAuth, openapi: string = ORDERS_YAML) {
  const { workspaceId, userId } = stage.workspace;
  const input = { slug: "orders", name: "Orders", baseUrl: `${stage.server.url}/v1`, auth, openapi };
  const { build_id } = await createBuild({ workspaceId, userId, actor: TEST_ACTOR, input });
  return until("the end of the build", async () => {
    const build = await getBuild(workspaceId, build_id);
    return (build.status === "ready" || build.status === "failed") && build;
  });
}

const definition = (more: object = {}) => {
  const params = { path: { order_id: "{{action_input.name}}" }, query: { expand: "items" } };
  const get = node("get", "connector", { connector: "orders", operation: "getOrder", params, ...more });
  const out = node("out", "return_output", {
    properties: [{ name: "ok", type: "boolean", value: "{{get.body.ok}}" }],
  });
  return between([get, out], "in>get>out");
};
const call = (more: object = {}) => stage.startDefinition(definition(more));

it("a workflow calls an operation as soon as its connector is built", async () => {
  expect(await built("none")).toMatchObject({ status: "ready", progress: 100, errors: [] });
  expect(await stage.reaches(await call(), "succeeded")).toMatchObject({ output: { ok: true } });
  expect(stage.server.calls.at(-1)?.path).toBe("/v1/orders/Ada?expand=items");
});

it("a published workflow keeps the connector build that it was published with, and the next version gets the latest build", async () => {
  await built("none");
  const action = await stage.addAction({ definition: definition() });
  const run = async () => {
    await stage.reaches(await stage.runAction(action), "succeeded");
    return stage.server.calls.at(-1)?.path;
  };
  await built("none", ORDERS_YAML.replace("/orders/{order_id}", "/bills/{order_id}"));
  expect(await run()).toBe("/v1/orders/Ada?expand=items");
  await built("none", ORDERS_YAML.replace("/orders/{order_id}", "/receipts/{order_id}"));
  expect(await run()).toBe("/v1/orders/Ada?expand=items");
  await stage.reaches(await call(), "succeeded");
  expect(stage.server.calls.at(-1)?.path).toBe("/v1/receipts/Ada?expand=items");
});

it("the ten latest builds are kept with their changes, and so are the builds that published workflows use", async () => {
  const { workspace } = stage;
  await built("none");
  await stage.addAction({ definition: definition() });
  await built("bearer", ORDERS_YAML.replace("expand, in: query", "expand, required: true, in: query"));
  const { versions, used_by: usedBy } = await getCustomConnector(workspace.workspaceId, "orders");
  expect(versions[0]).toMatchObject({
    created_by: "Owner",
    used_by: [],
    changes: {
      auth: { before: "none", after: "bearer" },
      base_url: null,
      added: [],
      removed: [],
      changed: [{ operation: "getOrder", changes: ["requires query.expand"] }],
    },
  });
  expect(versions[1]?.used_by).toHaveLength(1);
  expect(usedBy.some(({ deployed }) => deployed)).toBe(true);
  await db().query("update connectors set version = version + 30 where workspace_id = $1", [workspace.workspaceId]);
  await built("none");
  const kept = (await getCustomConnector(workspace.workspaceId, "orders")).versions;
  // The latest build, whose changes are unknown, and the used build remain. The second build is deleted.
  expect(kept.map(({ changes, used_by }) => [changes === null, used_by.length > 0])).toContainEqual([true, false]);
  expect(kept.map(({ version }) => version)).not.toContain(versions[0]?.version);
  expect(kept.map(({ version }) => version)).toContain(versions[1]?.version);
});

it("a connector with secrets needs a connection whose hosts a person confirmed", async () => {
  await built("bearer");
  const refused = await stage.reaches(await call(), "failed");
  expect(refused.error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("connection_id") });
  const connect = (name: string, hosts: string) =>
    stage.connect("http", "bearer", { token: "canary-token", hosts }, { name });
  await stage.reaches(await call({ connection_id: await connect("here", stage.server.url) }), "succeeded");
  const count = stage.server.calls.length;
  const elsewhere = await stage.reaches(
    await call({ connection_id: await connect("there", "api.example.com") }),
    "failed",
  );
  expect(elsewhere.error.message).toContain("credentials go to");
  expect(stage.server.calls).toHaveLength(count);
});

it("a failed build reports where and why", async () => {
  expect(await built("none", "swagger: '1.2'")).toMatchObject({
    status: "failed",
    errors: [{ pointer: "/swagger", message: expect.stringContaining("Swagger 2.0") }],
  });
});
