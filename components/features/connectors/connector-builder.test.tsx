import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { ValidatedConnector } from "#lib/contract/connector/connector";
import { eventually } from "#lib/support/eventually.fixture";
import { ConnectorBuilder } from "@/components/features/connectors/connector-builder";
import { sampleBuild, sampleConnector, validatedConnector } from "@/components/testing/connector.fixture";
import { holdTime } from "@/components/testing/hold-time.fixture";
import { idOf } from "@/components/testing/page.fixture";
import { describedBy, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

/** How long the builder waits after the last keystroke before it checks; builds are polled more often than that. */
const CHECK_AFTER_MS = 600;
let skip: ReturnType<typeof holdTime>;
beforeEach(() => {
  skip = holdTime();
});

const SUGGESTED: ValidatedConnector["suggested"] = {
  name: "Orders API (v2)",
  base_url: "https://orders.example/v2",
  auth: "bearer",
  service: null,
};

function renderBuilder(result: ValidatedConnector, address = "/connections/build") {
  return renderPage(<ConnectorBuilder />, {
    address,
    session: { role: "editor" },
    prepare: (server) => {
      server.answer("validate_connector", result);
      server.answer("get_custom_connector", sampleConnector());
    },
  });
}

async function giveAddress(user: ReturnType<typeof renderBuilder>["user"], text: string) {
  await user.click(screen.getByRole("tab", { name: "Address" }));
  const field = await screen.findByRole("textbox", { name: "URL of the OpenAPI document" });
  fireEvent.change(field, { target: { value: text } });
  await skip(CHECK_AFTER_MS);
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const build = () => screen.getByRole<HTMLButtonElement>("button", { name: "Build" });
const DOCUMENT = "https://orders.example/openapi.json";

test("the document fills the name, the slug, the base URL and the authentication", async () => {
  const { user, server } = renderBuilder(validatedConnector({ suggested: SUGGESTED }));
  await giveAddress(user, DOCUMENT);
  await screen.findByText("1 operation");
  await eventually(() => expect(field("Name").value).toBe("Orders API (v2)"));
  expect(field("Slug").value).toBe("orders-api-v2");
  expect(field("Base URL").value).toBe("https://orders.example/v2");
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Authentication" }).value).toBe("bearer");
  expect(server.sent("validate_connector")[0]).toEqual({ openapi_url: DOCUMENT, auth: "none" });
});

test("a document of a known service names what to choose in the connection", async () => {
  const service = { service: "github", name: "GitHub" };
  const suggested = { ...SUGGESTED, auth: "oauth2_authorization_code" as const, service };
  const { user } = renderBuilder(validatedConnector({ suggested }));
  await giveAddress(user, DOCUMENT);
  await screen.findByText(/choose GitHub as the service when you create the connection\.$/);
  await user.selectOptions(screen.getByRole("combobox", { name: "Authentication" }), "bearer");
  expect(screen.queryByText(/choose GitHub/)).toBeNull();
});

test("a typed value overrides the document's suggestion", async () => {
  const { user } = renderBuilder(validatedConnector({ suggested: SUGGESTED }));
  fireEvent.change(field("Name"), { target: { value: "Shop" } });
  await giveAddress(user, DOCUMENT);
  await eventually(() => expect(field("Base URL").value).toBe("https://orders.example/v2"));
  expect(field("Name").value).toBe("Shop");
  expect(field("Slug").value).toBe("shop");
});

test("a base URL that is not HTTP is explained and not sent", async () => {
  const { user, server } = renderBuilder(validatedConnector());
  await giveAddress(user, "orders.example");
  expect((await screen.findByRole("alert")).textContent).toMatch(/https:\/\/ or http:\/\//);
  expect(server.sent("validate_connector")).toEqual([]);
});

test("a document with errors lists them and can't be built", async () => {
  const errors = [
    { field: "paths", pointer: "/paths/~1orders/get", code: "custom", message: "The path is given twice." },
  ];
  const { user } = renderBuilder(validatedConnector({ valid: false, errors, operations: [], routes: [] }));
  await giveAddress(user, DOCUMENT);
  await screen.findByText("The path is given twice.");
  screen.getByText("Errors (1)");
  screen.getByText("/paths/~1orders/get");
  expect(build().disabled).toBe(true);
});

test("missing settings are named at their fields, and nothing is built", async () => {
  const { user, server } = renderBuilder(validatedConnector());
  await giveAddress(user, DOCUMENT);
  await user.click(build());
  for (const name of ["Name", "Slug", "Base URL"]) {
    await eventually(() => expect(describedBy(field(name))).toContain("This is required."));
  }
  expect(server.sent("build_connector")).toEqual([]);
});

test("a finished build links to the connector", async () => {
  const { user, server, router } = renderBuilder(validatedConnector({ suggested: SUGGESTED }));
  server.answer("build_connector", { build_id: idOf(30), connector: "orders", status: "queued" });
  server.answer("get_build_status", sampleBuild());
  await giveAddress(user, DOCUMENT);
  await eventually(() => expect(field("Name").value).toBe("Orders API (v2)"));
  await user.click(build());
  await eventually(() => expect(router.push).toHaveBeenCalledWith("/connections/connectors/orders"));
  expect(server.sent("build_connector")).toEqual([
    {
      openapi_url: DOCUMENT,
      slug: "orders-api-v2",
      name: "Orders API (v2)",
      base_url: "https://orders.example/v2",
      auth: "bearer",
    },
  ]);
  expect(server.sent("get_build_status")[0]).toEqual({ build_id: idOf(30) });
});

test("a failed build shows its errors and can be started again", async () => {
  const { user, server, router } = renderBuilder(validatedConnector({ suggested: SUGGESTED }));
  const errors = [{ field: "", pointer: "", code: "custom", message: "The document is removed." }];
  server.answer("build_connector", { build_id: idOf(30), connector: "orders", status: "queued" });
  server.answer("get_build_status", sampleBuild({ status: "failed", errors }));
  await giveAddress(user, DOCUMENT);
  await eventually(() => expect(field("Name").value).toBe("Orders API (v2)"));
  await user.click(build());
  await within(await screen.findByRole("alert")).findByText("The document is removed.");
  expect(build().disabled).toBe(false);
  expect(router.push).not.toHaveBeenCalled();
});

test("an error in a manual operation links to its form", async () => {
  const errors = [
    { field: "paths", pointer: "/paths/~1orders~1{order_id}/get", code: "custom", message: "No such path." },
  ];
  const { user, server } = renderBuilder(validatedConnector({ valid: false, errors }));
  await user.click(screen.getByRole("tab", { name: "Manually" }));
  fireEvent.change(await screen.findByRole("textbox", { name: "Operation" }), { target: { value: "get_order" } });
  fireEvent.change(field("Path"), { target: { value: "/orders/{order_id}" } });
  await screen.findByText("order_id");
  await skip(CHECK_AFTER_MS);
  await user.click(await screen.findByRole("button", { name: "/paths/~1orders~1{order_id}/get" }));
  expect(document.activeElement?.tagName).toBe("SUMMARY");
  expect(document.activeElement?.textContent).toContain("get_order");
  expect(server.sent("validate_connector").at(-1)?.operations?.[0]).toMatchObject({
    name: "get_order",
    method: "GET",
    path: "/orders/{order_id}",
  });
});

test("an error in a setting links to its field, even if the document has a URL", async () => {
  const errors = [{ field: "base_url", pointer: "/base_url", code: "custom", message: "The host is unknown." }];
  const { user } = renderBuilder(validatedConnector({ valid: false, errors }));
  await giveAddress(user, DOCUMENT);
  await user.click(await screen.findByRole("button", { name: "/base_url" }));
  expect(document.activeElement).toBe(field("Base URL"));
});

test("an error in all manual operations links to the first one", async () => {
  const errors = [{ field: "operations", pointer: "/operations", code: "custom", message: "One is described twice." }];
  const { user } = renderBuilder(validatedConnector({ valid: false, errors }));
  await user.click(screen.getByRole("tab", { name: "Manually" }));
  fireEvent.change(await screen.findByRole("textbox", { name: "Operation" }), { target: { value: "get_order" } });
  fireEvent.change(field("Path"), { target: { value: "/orders" } });
  await user.click(await screen.findByRole("button", { name: "/operations" }));
  expect(document.activeElement?.textContent).toContain("get_order");
});

test("a setting is checked while the user types, and an empty one only when it is needed", async () => {
  const { user } = renderBuilder(validatedConnector());
  fireEvent.change(field("Slug"), { target: { value: "Orders!" } });
  await eventually(() => expect(describedBy(field("Slug"))).toContain("Must start with a lowercase letter"));
  expect(describedBy(field("Name"))).not.toContain("This is required.");
  fireEvent.change(field("Slug"), { target: { value: "orders" } });
  await eventually(() => expect(describedBy(field("Slug"))).not.toContain("Must start"));
  await user.click(build());
  await eventually(() => expect(describedBy(field("Name"))).toContain("This is required."));
});

test("without a source nothing is built, and its field says why and gets the focus", async () => {
  const { user, server } = renderBuilder(validatedConnector());
  for (const [name, value] of [
    ["Name", "Orders"],
    ["Base URL", "https://orders.example"],
  ] as const) {
    fireEvent.change(field(name), { target: { value } });
  }
  await user.click(screen.getByRole("tab", { name: "Address" }));
  const address = await screen.findByRole<HTMLInputElement>("textbox", { name: "URL of the OpenAPI document" });
  await user.click(build());
  await eventually(() => expect(describedBy(address)).toContain("Enter the URL of a document."));
  await expectFocus(address);
  expect(server.sent("build_connector")).toEqual([]);
});

test("a field that the server refuses says so and gets the focus", async () => {
  const { user, server } = renderBuilder(validatedConnector({ suggested: SUGGESTED }));
  const details = [{ field: "base_url", pointer: "/base_url", code: "custom", message: "must not be a local address" }];
  server.refuse("build_connector", { code: "BAD_REQUEST", message: "base_url: must not be a local address", details });
  await giveAddress(user, DOCUMENT);
  await eventually(() => expect(field("Name").value).toBe("Orders API (v2)"));
  await user.click(build());
  await eventually(() => expect(describedBy(field("Base URL"))).toContain("Must not be a local address."));
  await expectFocus(field("Base URL"));
  fireEvent.change(field("Base URL"), { target: { value: "https://orders.example" } });
  await eventually(() => expect(describedBy(field("Base URL"))).not.toContain("Must not be"));
});

test("while offline nothing is lost, and the build can be started again", async () => {
  const { user, server, router } = renderBuilder(validatedConnector({ suggested: SUGGESTED }));
  await giveAddress(user, DOCUMENT);
  await eventually(() => expect(field("Name").value).toBe("Orders API (v2)"));
  server.goOffline();
  await user.click(build());
  expect((await screen.findByRole("alert")).textContent).toMatch(/^You're offline\./);
  server.goOnline();
  server.answer("build_connector", { build_id: idOf(30), connector: "orders", status: "queued" });
  server.answer("get_build_status", sampleBuild());
  await user.click(build());
  await eventually(() => expect(router.push).toHaveBeenCalledWith("/connections/connectors/orders"));
});

test("a new version keeps the slug and shows what changes", async () => {
  const changes = { base_url: null, auth: null, added: ["list_orders"], removed: [], changed: [] };
  const { user } = renderBuilder(validatedConnector({ changes }), "/connections/build?of=orders");
  await screen.findByRole("button", { name: "Build v2" });
  expect(field("Slug").value).toBe("orders");
  expect(field("Slug").disabled).toBe(true);
  await giveAddress(user, DOCUMENT);
  await screen.findByText("list_orders");
  screen.getByText("Changes since v1");
});

test("a viewer sees who can build a connector", () => {
  renderPage(<ConnectorBuilder />, { address: "/connections/build", session: { role: "viewer" } });
  screen.getByText("You need the editor role to build connectors");
  expect(screen.queryByRole("button", { name: "Build" })).toBeNull();
});
