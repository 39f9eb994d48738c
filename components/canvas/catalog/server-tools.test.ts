import { expect, test } from "vitest";
import type { CatalogApp } from "#lib/contract/connector/connector";
import { arrangeEntries } from "@/components/canvas/catalog/arrange-entries";
import { buildCatalog } from "@/components/canvas/catalog/build-catalog";
import { appsConnectedTo, BUILT_IN_APPS } from "@/components/canvas/catalog/catalog.fixture";
import { entryLabel } from "@/components/canvas/catalog/catalog-entry";
import { idOf } from "@/components/testing/page.fixture";

const toolOf = (index: number): CatalogApp["operations"][number] => ({
  operation: "echo",
  name: "Echo",
  description: "Repeats the text.",
  keywords: "",
  kind: "action",
  connection_id: idOf(index),
});
const APPS = appsConnectedTo("mcp", "Notes", "Weather").map((app) => {
  return app.connector === "mcp" ? { ...app, operations: [toolOf(1), toolOf(2)] } : app;
});
const catalog = buildCatalog({ apps: APPS, actions: [] });

test("the tools of a server are found by the name of its connection, which the new step gets", () => {
  const [entry] = catalog.search("weather echo");
  expect(entry && entryLabel(entry)).toBe("Weather: Echo");
  expect(entry?.choice).toMatchObject({
    step: { data: { connector: "mcp", operation: "echo", connection_id: idOf(2), params: {} } },
  });
});

test("the list of one connection has the tools of its server only", () => {
  const app = { connector: "mcp", name: "Notes", connectionId: idOf(1) };
  const wish = { query: "", category: "all", app, recent: [], refusalOf: () => null } as const;
  const offers = arrangeEntries(catalog, wish).flatMap((section) => section.offers);
  expect(offers.map(({ entry }) => entryLabel(entry))).toEqual(["Notes: Echo"]);
});

test("before a server is connected, the connector is offered as a step in which to connect one", () => {
  const [entry] = buildCatalog({ apps: BUILT_IN_APPS, actions: [] }).search("mcp");
  expect(entry?.choice).toMatchObject({ kind: "step", step: { data: { connector: "mcp", operation: "" } } });
});
