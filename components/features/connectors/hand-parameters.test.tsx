import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { DescribedOperation } from "#lib/contract/connector/connector-inputs";
import { eventually } from "#lib/support/eventually.fixture";
import { ConnectorBuilder } from "@/components/features/connectors/connector-builder";
import { sampleConnector, validatedConnector } from "@/components/testing/connector.fixture";
import { holdTime } from "@/components/testing/hold-time.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

/** How long the builder waits after the last keystroke before it checks. */
const CHECK_AFTER_MS = 600;

let skip: ReturnType<typeof holdTime>;
beforeEach(() => {
  skip = holdTime();
});

async function renderByHand(address = "/connections/build") {
  const page = renderPage(<ConnectorBuilder />, {
    address,
    session: { role: "editor" },
    prepare: (server) => {
      server.answer("validate_connector", validatedConnector());
      server.answer("get_custom_connector", sampleConnector());
    },
  });
  await page.user.click(await screen.findByRole("tab", { name: /manually/i }));
  await screen.findByRole("textbox", { name: "Operation" });
  return page;
}

type Page = Awaited<ReturnType<typeof renderByHand>>;

function fill(name: string | RegExp, value: string) {
  fireEvent.change(screen.getByRole("textbox", { name }), { target: { value } });
}

/** Returns the operations of the last check. */
async function checked({ server }: Page): Promise<readonly DescribedOperation[]> {
  const before = server.sent("validate_connector").length;
  await skip(CHECK_AFTER_MS);
  await eventually(() => expect(server.sent("validate_connector").length).toBeGreaterThan(before));
  return server.sent("validate_connector").at(-1)?.operations ?? [];
}

async function addParameter(page: Page, name: string) {
  await page.user.click(screen.getByRole("button", { name: /add parameter/i }));
  fill(/^Name of parameter/, name);
}

test("a name in the path is a required parameter without a description", async () => {
  const page = await renderByHand();
  fill("Operation", "get_order");
  fill("Path", "/shops/{shop}/orders/{order_id}");
  screen.getByText("shop, order_id");
  const [operation] = await checked(page);
  expect(operation?.parameters).toEqual([
    { name: "shop", in: "path", required: true, schema: { type: "string" } },
    { name: "order_id", in: "path", required: true, schema: { type: "string" } },
  ]);
});

test("a parameter is sent with its place, its type and whether it is required", async () => {
  const page = await renderByHand();
  fill("Operation", "list_orders");
  await addParameter(page, "limit");
  await page.user.selectOptions(screen.getByRole("combobox", { name: /^Type/ }), "integer");
  await page.user.click(screen.getByRole("checkbox", { name: "Required" }));
  const [operation] = await checked(page);
  expect(operation?.parameters).toEqual([{ name: "limit", in: "query", required: true, schema: { type: "integer" } }]);
  await expectAccessible();
});

test("a path parameter is always required", async () => {
  const page = await renderByHand();
  fill("Operation", "get_order");
  fill("Path", "/orders/{order_id}");
  await addParameter(page, "order_id");
  await page.user.selectOptions(screen.getByRole("combobox", { name: /^Place/ }), "path");
  const required = screen.getByRole<HTMLInputElement>("checkbox", { name: "Required" });
  expect([required.checked, required.disabled]).toEqual([true, true]);
  expect(screen.queryByText("order_id", { selector: "code" })).toBeNull();
  const [operation] = await checked(page);
  expect(operation?.parameters).toEqual([{ name: "order_id", in: "path", required: true, schema: { type: "string" } }]);
});

test("a parameter without a name is not sent, and a removed one disappears", async () => {
  const page = await renderByHand();
  fill("Operation", "list_orders");
  await addParameter(page, "limit");
  await page.user.click(screen.getByRole("button", { name: /add parameter/i }));
  expect((await checked(page))[0]?.parameters).toHaveLength(1);
  await page.user.click(screen.getByRole("button", { name: /^Remove parameter 1/ }));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: /^Name of parameter 1/ }).value).toBe("");
  expect((await checked(page))[0]?.parameters).toEqual([]);
});

test("a request that can have a body shows a field for its schema", async () => {
  const page = await renderByHand();
  expect(screen.queryByText("Body")).toBeNull();
  fill("Operation", "create_order");
  await page.user.selectOptions(screen.getByRole("combobox", { name: "Method" }), "POST");
  await page.user.click(await screen.findByRole("textbox", { name: "Body" }));
  await page.user.paste('{ "type": "object" }');
  await page.user.click(await screen.findByRole("checkbox", { name: /body is required/i }));
  const [operation] = await checked(page);
  expect(operation).toMatchObject({ method: "POST", body: { type: "object" }, body_required: false });
});

test("an invalid schema is reported with its operation, and nothing is checked", async () => {
  const page = await renderByHand();
  fill("Operation", "get_order");
  await page.user.click(await screen.findByRole("textbox", { name: "Response" }));
  await page.user.paste("[1]");
  await skip(CHECK_AFTER_MS);
  expect((await screen.findByRole("alert")).textContent).toMatch(/^get_order: .*JSON Schema/);
  expect(page.server.sent("validate_connector")).toEqual([]);
});

test("an operation without a name is not checked", async () => {
  const page = await renderByHand();
  fill("Path", "/orders");
  await skip(CHECK_AFTER_MS);
  expect(page.server.sent("validate_connector")).toEqual([]);
});

test("several operations can be described, and one can be removed", async () => {
  const page = await renderByHand();
  fill("Operation", "get_order");
  await page.user.click(screen.getByRole("button", { name: /add operation/i }));
  const second = within(screen.getByRole("group", { name: "New operation" }));
  fireEvent.change(second.getByRole("textbox", { name: "Operation" }), { target: { value: "list_orders" } });
  expect((await checked(page)).map(({ name }) => name)).toEqual(["get_order", "list_orders"]);
  const first = within(screen.getByRole("group", { name: "get_order" }));
  await page.user.click(first.getByRole("button", { name: /remove operation/i }));
  expect((await checked(page)).map(({ name }) => name)).toEqual(["list_orders"]);
});

test("a new version can start with the operations of the previous one", async () => {
  const page = await renderByHand("/connections/build?of=orders");
  page.server.answer("describe_custom_connector", {
    data: [
      {
        name: "get_order",
        method: "GET",
        path: "/orders/{order_id}",
        parameters: [{ name: "order_id", in: "path", required: true, schema: { type: "integer", minimum: 1 } }],
      },
    ],
  });
  await page.user.click(screen.getByRole("button", { name: /its operations/i }));
  const [operation] = await checked(page);
  expect(operation).toMatchObject({
    name: "get_order",
    parameters: [{ name: "order_id", schema: { type: "integer", minimum: 1 } }],
  });
  expect(page.server.sent("describe_custom_connector")).toEqual([{ connector: "orders" }]);
});

test("operations that fail to load leave the form unchanged", async () => {
  const page = await renderByHand("/connections/build?of=orders");
  page.server.refuse("describe_custom_connector", { code: "INTERNAL_ERROR", message: "It did not work." });
  fill("Operation", "get_order");
  await page.user.click(screen.getByRole("button", { name: /its operations/i }));
  expect((await screen.findByRole("alert")).textContent).toMatch(/try again/i);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Operation" }).value).toBe("get_order");
});
