import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { ValidatedConnector } from "#lib/contract/connector/connector";
import { eventually } from "#lib/support/eventually.fixture";
import { ConnectorBuilder } from "@/components/features/connectors/connector-builder";
import { sampleConnector, sampleRoute, validatedConnector } from "@/components/testing/connector.fixture";
import { holdTime } from "@/components/testing/hold-time.fixture";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

const CHECK_AFTER_MS = 600;
const URL_OF_DOCUMENT = "https://orders.example/openapi.json";
const LIST = Array.from({ length: 1_100 }, (_, index) => ({
  operation: `op_${index}`,
  name: `Operation ${index}`,
  method: "GET",
  path: `/things/${index}`,
  tags: [index < 150 ? "Orders" : index < 1_000 ? "Reports" : "untagged"],
}));
const TOO_MANY = [{ field: "paths", pointer: "/paths", code: "too_many_operations", message: "Send select." }];
const LARGE: Partial<ValidatedConnector> = {
  valid: false,
  errors: TOO_MANY,
  operations: [],
  routes: [],
  document: { format: "OpenAPI 3.1", operations: 1_100, tags: [], paths: [], list: LIST },
};

let skip: ReturnType<typeof holdTime>;
beforeEach(() => {
  skip = holdTime();
});

async function openLarge(address = "/connections/build", changes: Partial<ValidatedConnector> = {}) {
  const page = renderPage(<ConnectorBuilder />, {
    address,
    session: { role: "editor" },
    prepare: (server) => {
      server.answer("validate_connector", validatedConnector({ ...LARGE, ...changes }));
      server.answer("get_custom_connector", sampleConnector({ operations: [sampleRoute({ operation: "op_7" })] }));
    },
  });
  await page.user.click(await screen.findByRole("tab", { name: "Address" }));
  const field = await screen.findByRole("textbox", { name: "URL of the OpenAPI document" });
  fireEvent.change(field, { target: { value: URL_OF_DOCUMENT } });
  await skip(CHECK_AFTER_MS);
  await screen.findByRole("heading", { name: "Operations of the document" });
  return page;
}

const box = (name: string | RegExp) => screen.getByRole<HTMLInputElement>("checkbox", { name });

test("a large document offers its operations by tag, and a tag chooses all of its operations", async () => {
  const { user, server } = await openLarge();
  screen.getByText("The document has 1,100 operations. Choose up to 200 of them.");
  expect(screen.queryByText("Send select.")).toBeNull();
  expect(screen.getAllByRole("checkbox")).toHaveLength(3);
  screen.getByText("150 operations, 0 chosen");
  await user.click(box(/^Orders/));
  screen.getByText("150 of 200 chosen");
  await skip(CHECK_AFTER_MS);
  await eventually(() => expect(server.sent("validate_connector").at(-1)?.select?.operations).toHaveLength(150));
  expect(server.sent("validate_connector").at(-1)?.select?.operations?.[0]).toBe("op_0");
  await expectAccessible();
});

test("a tag shows its operations a page at a time, and one of them can be chosen", async () => {
  const { user } = await openLarge();
  await user.click(screen.getByRole("button", { name: "Show the operations of Reports" }));
  expect(screen.getAllByRole("checkbox", { name: /^Operation/ })).toHaveLength(50);
  await user.click(screen.getByRole("button", { name: "Show 50 more" }));
  expect(screen.getAllByRole("checkbox", { name: /^Operation/ })).toHaveLength(100);
  await user.click(box("Operation 150"));
  screen.getByText("850 operations, 1 chosen");
  screen.getByText("1 of 200 chosen");
});

test("a search finds operations of every tag by name and path", async () => {
  const { user } = await openLarge();
  await user.type(screen.getByRole("searchbox", { name: "Search the document" }), "things/104{Enter}");
  await screen.findByRole("checkbox", { name: "Operation 1040" });
  await user.click(box("Operation 104"));
  screen.getByText("1 of 200 chosen");
});

test("more operations than a connector can have are not sent, and the page says how many are chosen", async () => {
  const { user, server } = await openLarge();
  const before = server.sent("validate_connector").length;
  await user.click(box(/^Reports/));
  await skip(CHECK_AFTER_MS);
  expect((await screen.findByRole("alert")).textContent).toContain("850 operations are chosen. Choose up to 200.");
  expect(server.sent("validate_connector")).toHaveLength(before);
  await user.click(screen.getByRole("button", { name: "Clear" }));
  screen.getByText("0 of 200 chosen");
});

test("a new version starts with the operations of the former one and names the steps it would break", async () => {
  const step = { workflow_id: idOf(7), workflow: "Bills", version: 3, step_id: "a", step: "Load", operation: "op_7" };
  const { server } = await openLarge("/connections/build?of=orders", {
    valid: true,
    errors: [],
    operations: ["op_7"],
    changes: { base_url: null, auth: null, added: [], removed: [], changed: [] },
    breaks: [{ ...step, reasons: ["requires query.a"] }],
  });
  await screen.findByText("1 of 200 chosen");
  await skip(CHECK_AFTER_MS);
  await eventually(() => expect(server.sent("validate_connector").at(-1)?.select).toEqual({ operations: ["op_7"] }));
  const broken = (await screen.findByText("Steps that this version can break")).parentElement ?? document.body;
  expect(within(broken).getByRole("listitem").textContent).toBe(
    "Bills, step “Load” in v3, when you publish it againop_7 requires query.a",
  );
});
