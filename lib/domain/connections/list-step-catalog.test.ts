import { beforeEach, expect, test } from "vitest";
import { CONNECTORS } from "#lib/connectors/registry";
import type { CustomAuth } from "#lib/contract/connector/connector";
import { LIMITS } from "#lib/contract/limits";
import { useConnectionStage } from "#lib/domain/connections/connection.fixture";
import { createBuild } from "#lib/domain/custom-connectors/create-build";
import { runBuild } from "#lib/domain/custom-connectors/run-build";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

const stage = useConnectionStage();

async function build(slug: string, auth: CustomAuth, description: string): Promise<void> {
  const { workspaceId, userId } = stage.workspace;
  const operations = ["list_bills", "get_bill"].map((name) => ({ name, method: "GET", path: `/${name}`, description }));
  const input = { slug, name: "Billing", baseUrl: "https://billing.example/v1", auth, operations };
  const { build_id: id } = await createBuild({ workspaceId, userId, actor: TEST_ACTOR, input });
  await runBuild(id, outgoingSend());
}

const connectHttp = (name: string, allowed: string) =>
  stage.ask("create_connection", {
    connector: "http",
    auth: "bearer",
    name,
    fields: { token: "secret-token", hosts: allowed },
  });

const findApp = async (slug: string) => {
  const { data } = await stage.ask("list_step_catalog", {}, { role: "viewer" });
  return data.find(({ connector }) => connector === slug);
};

beforeEach(() => connectHttp("Billing key", "https://billing.example"));

test("the catalog lists every operation and trigger of every built-in connector, with words to find it by", async () => {
  const { data } = await stage.ask("list_step_catalog", {}, { role: "viewer" });
  for (const { name, operations, triggers = {} } of CONNECTORS) {
    const app = data.find(({ connector }) => connector === name);
    const guided = Object.keys(operations).filter((operation) => operations[operation]?.guide !== undefined);
    expect(app?.operations.map(({ operation }) => operation)).toEqual([...guided, ...Object.keys(triggers)]);
    expect(app?.keywords).not.toBe("");
  }
});

test("a custom connector offers only the connections that may send their credentials to its server", async () => {
  await connectHttp("Another API", "https://other.example");
  await build("billing", "bearer", "Bills.");
  const app = await findApp("billing");
  expect(app?.operations.map(({ operation }) => operation)).toEqual(["list_bills", "get_bill"]);
  expect(app?.connections.map(({ name }) => name)).toEqual(["Billing key"]);
  await build("open-billing", "none", "Bills.");
  expect((await findApp("open-billing"))?.connections).toEqual([]);
});

test("the catalog shortens the descriptions of custom operations", async () => {
  await build("wordy", "none", "word ".repeat(200));
  const lengths = (await findApp("wordy"))?.operations.map(({ description }) => description.length);
  expect(lengths).toEqual([LIMITS.catalogDescriptionCharacters, LIMITS.catalogDescriptionCharacters]);
});

test("the catalog contains nothing of another workspace", async () => {
  await build("billing", "bearer", "Bills.");
  const { data } = await stage.ask("list_step_catalog", {}, { who: await addWorkspace() });
  expect(data.every(({ kind, connections }) => kind === "builtin" && connections.length === 0)).toBe(true);
});
