import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { CustomConnectorItem } from "#lib/contract/connector/connector";
import type { Role } from "#lib/contract/workspace/roles";
import { ConnectorList } from "@/components/features/connectors/connector-list";
import { sampleConnector } from "@/components/testing/connector.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function itemOf(changes: Partial<CustomConnectorItem> = {}): CustomConnectorItem {
  const { connector, name, description, base_url, auth, version, created_by, updated_at } = sampleConnector();
  return { connector, name, description, base_url, auth, version, created_by, updated_at, operations: 4, ...changes };
}

function renderConnectors(connectors: CustomConnectorItem[], role: Role = "editor") {
  return renderPage(<ConnectorList />, {
    address: "/connections/connectors",
    session: { role },
    prepare: (server) => server.answer("list_custom_connectors", { data: connectors }),
  });
}

test("a connector shows its base URL, its operations and its version, and links to its page", async () => {
  renderConnectors([itemOf({ auth: "bearer", version: 3 })]);
  const table = within(await screen.findByRole("table", { name: "Connectors" }));
  expect(table.getByRole("link", { name: "Orders" }).getAttribute("href")).toBe("/connections/connectors/orders");
  table.getByRole("cell", { name: "https://orders.example/v1" });
  table.getByRole("cell", { name: /bearer/i });
  table.getByRole("cell", { name: "4" });
  table.getByRole("cell", { name: "v3" });
  table.getByRole("cell", { name: "Ann" });
  await expectAccessible();
});

test("a connector of a former member is still listed, without a name", async () => {
  renderConnectors([itemOf({ created_by: null })]);
  const table = within(await screen.findByRole("table", { name: "Connectors" }));
  table.getByRole("link", { name: "Orders" });
  table.getByRole("cell", { name: /former member/i });
});

test("an editor without a connector sees a link to build one", async () => {
  renderConnectors([]);
  await screen.findByRole("heading", { name: /^No connectors/ });
  const links = screen.getAllByRole("link", { name: /build/i });
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/connections/build"]);
  expect(screen.queryByRole("table")).toBeNull();
});

test("a viewer sees no link to build a connector", async () => {
  renderConnectors([], "viewer");
  await screen.findByRole("heading", { name: /^No connectors/ });
  expect(screen.queryByRole("link", { name: /build/i })).toBeNull();
});

test("connectors have their own page next to the connections, and the current page is marked", async () => {
  renderConnectors([itemOf()]);
  await screen.findByRole("table", { name: "Connectors" });
  const pages = within(screen.getByRole("navigation", { name: "Connections" }));
  const [current] = pages.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(current?.getAttribute("href")).toBe("/connections/connectors");
});

test("connectors that fail to load can be retried", async () => {
  const { user, server } = renderPage(<ConnectorList />, {
    prepare: (fake) => fake.refuse("list_custom_connectors", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  await screen.findByText("It did not work.");
  server.answer("list_custom_connectors", { data: [itemOf()] });
  await user.click(screen.getByRole("button", { name: /try again/i }));
  await screen.findByRole("link", { name: "Orders" });
});
