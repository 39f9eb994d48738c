import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ConnectorChanges, CustomConnectorObject } from "#lib/contract/connector/connector";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { ConnectorDetail } from "@/components/features/connectors/connector-detail";
import { sampleConnector } from "@/components/testing/connector.fixture";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function renderConnector(connector: CustomConnectorObject, options: { tab?: string; role?: Role } = {}) {
  return renderPage(<ConnectorDetail connector={connector.connector} />, {
    address: `/connections/connectors/orders${options.tab === undefined ? "" : `?tab=${options.tab}`}`,
    session: { role: options.role ?? "editor" },
    prepare: (server) => server.answer("get_custom_connector", connector),
  });
}

const USE = { workflow_id: idOf(10), name: "Refunds", draft: true, deployed: true };
const CHANGES: ConnectorChanges = {
  base_url: { before: "https://old.example", after: "https://new.example" },
  auth: { before: "none", after: "bearer" },
  added: ["list_orders"],
  removed: ["delete_order"],
  changed: [{ operation: "get_order", changes: ["path"] }],
};

test("a connector shows its base URL, its authentication and its operations", async () => {
  renderConnector(sampleConnector({ auth: "bearer" }));
  await screen.findByText("https://orders.example/v1");
  screen.getByText(/with an HTTP API connection$/);
  screen.getByText("The orders of the shop.");
  screen.getByText(/\/orders\/\{order_id\}/);
  await expectAccessible();
});

test("a new version is built from the page of the connector", async () => {
  renderConnector(sampleConnector());
  const link = await screen.findByRole("link", { name: "New version" });
  expect(link.getAttribute("href")).toBe("/connections/build?of=orders");
});

test("a viewer can't delete, rebuild or test a connector", async () => {
  renderConnector(sampleConnector(), { role: "viewer" });
  await screen.findByText("https://orders.example/v1");
  expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
  expect(screen.queryByRole("link", { name: "New version" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Test Get order" })).toBeNull();
});

test("a version shows what it changed, and the published workflows that use it", async () => {
  const [first] = sampleConnector().versions;
  const versions = [
    { version: 3, created_at: secondsAgo(60), created_by: "Ann", changes: null, used_by: [] },
    { version: 2, created_at: secondsAgo(90), created_by: null, changes: CHANGES, used_by: [] },
    ...(first === undefined ? [] : [{ ...first, used_by: [{ workflow_id: idOf(10), name: "Refunds", version: 4 }] }]),
  ];
  renderConnector(sampleConnector({ version: 3, versions }), { tab: "versions" });
  const link = await screen.findByRole("link", { name: "Refunds v4" });
  expect(link.getAttribute("href")).toBe(`/workflows/${idOf(10)}`);
  screen.getByText(/first version/);
  screen.getByText("https://new.example");
  expect(screen.getByText("delete_order").closest("li")?.className).toContain("text-err");
  screen.getByText("list_orders");
  screen.getByText("get_order");
});

test("the workflows whose steps call a connector are listed with a link", async () => {
  renderConnector(sampleConnector({ used_by: [USE] }), { tab: "uses" });
  const link = await screen.findByRole("link", { name: "Refunds" });
  expect(link.getAttribute("href")).toBe(`/workflows/${idOf(10)}`);
});

test("a connector in use can't be deleted; the dialog names the workflows instead", async () => {
  const { user, server } = renderConnector(sampleConnector({ used_by: [USE] }));
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  const dialog = await screen.findByRole("dialog", { name: "Orders is in use" });
  within(dialog).getByRole("link", { name: "Refunds" });
  expect(screen.queryByRole("button", { name: "Delete connector" })).toBeNull();
  expect(server.sent("delete_connector")).toEqual([]);
});

test("an unused connector is deleted after a confirmation, and the list opens", async () => {
  const { user, server, router } = renderConnector(sampleConnector());
  server.answer("delete_connector", { connector: "orders", deleted: true });
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Delete connector" }));
  await eventually(() => expect(router.push).toHaveBeenCalledWith("/connections/connectors"));
  expect(server.sent("delete_connector")).toEqual([{ connector: "orders" }]);
});

test("a refused deletion keeps the dialog open and shows the reason", async () => {
  const { user, server, router } = renderConnector(sampleConnector());
  server.refuse("delete_connector", { code: "BAD_REQUEST", message: "Refunds started to use it." });
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Delete connector" }));
  await within(screen.getByRole("alertdialog")).findByText("Refunds started to use it.");
  expect(router.push).not.toHaveBeenCalled();
});
