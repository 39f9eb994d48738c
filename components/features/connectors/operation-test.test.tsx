import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { CustomConnectorObject, TriedOperation } from "#lib/contract/connector/connector";
import { eventually } from "#lib/support/eventually.fixture";
import { OperationTest } from "@/components/features/connectors/operation-test";
import { pageOf } from "@/components/testing/page.fixture";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { CONNECTION } from "@/components/testing/sample-objects.fixture";

const SHOP: Pick<CustomConnectorObject, "connector" | "auth" | "version" | "operations"> = {
  connector: "shop",
  auth: "bearer",
  version: 1,
  operations: [
    { operation: "get_order", name: "get_order", description: "Reads an order", method: "GET", path: "/orders/{id}" },
  ],
};

const PARAMS = {
  type: "object",
  properties: {
    path: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    query: { type: "object", properties: { limit: { type: "integer" } } },
  },
  required: ["path"],
};

const ANSWER: TriedOperation = {
  outcome: "succeeded",
  requests: [{ method: "GET", url: "https://shop.example/orders/7", status: 200, after_ms: 0, duration_ms: 5 }],
  output: { total: 5 },
  error: null,
  duration_ms: 6,
};

function renderTest() {
  return renderPage(
    <OperationTest connector={SHOP as CustomConnectorObject} operation={null} onChoose={() => undefined} />,
    {
      prepare: (server) => {
        server.answer("get_operation_schema", { params_schema: PARAMS } as never);
        server.answer("list_connections", pageOf([CONNECTION]));
      },
    },
  );
}

const field = (name: RegExp) => screen.getByRole<HTMLInputElement>("textbox", { name });
const ID = /^path\.id$/;
const LIMIT = /^query\.limit$/;

test("the fields of an operation build its nested params, sent with the selected connection", async () => {
  const { user, server } = renderTest();
  server.answer("test_operation", ANSWER);
  await screen.findByRole("form", { name: "Parameters" });
  await expectAccessible();
  await screen.findByRole("option", { name: "Shop" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Connection" }), "Shop");
  await user.type(field(ID), "7");
  await user.type(field(LIMIT), "3");
  await user.click(screen.getByRole("button", { name: "Send request" }));
  await screen.findByText("Succeeded after 6 ms");
  expect(server.sent("test_operation")).toEqual([
    {
      connector: "shop",
      operation: "get_order",
      params: { path: { id: "7" }, query: { limit: 3 } },
      connection_id: CONNECTION.connection_id,
    },
  ]);
});

test("a text that does not match its parameter's type is marked, gets the focus and is not sent", async () => {
  const { user, server } = renderTest();
  await screen.findByRole("form", { name: "Parameters" });
  await user.type(field(LIMIT), "many{Enter}");
  await eventually(() => expect(describedBy(field(LIMIT))).toContain("Enter a whole number."));
  await expectFocus(field(LIMIT));
  expect(server.sent("test_operation")).toEqual([]);
});

test("a refused call is explained next to the form, which keeps its texts", async () => {
  const { user, server } = renderTest();
  server.refuse("test_operation", { code: "BAD_REQUEST", message: "The operation needs a connection." });
  await screen.findByRole("form", { name: "Parameters" });
  await user.type(field(ID), "7{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("The operation needs a connection.");
  expect(field(ID).value).toBe("7");
});
