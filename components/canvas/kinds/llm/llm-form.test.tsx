import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { sampleConnection, sampleConnectorKind } from "@/components/testing/connection.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";

const NONE = { has_more: false as const, next_cursor: null };
const MODELS = sampleConnectorKind({ connector: "models", name: "Models", serves_models: true });
const HTTP = sampleConnectorKind();
const CONNECTION = sampleConnection({ connector: "models", name: "Our models", origins: ["https://models.example"] });
const DATA = { connection_id: "", model: "", prompt: "" };

function prepare(server: FakeServer) {
  server.answer("list_connection_kinds", { data: [MODELS, HTTP], ...NONE });
  server.answer("list_connections", pageOf([CONNECTION, sampleConnection({ connection_id: idOf(2), name: "Shop" })]));
  server.answer("list_models", { data: ["small", "large"] });
}

test("only connections that serve models are offered, and the chosen one suggests its models", async () => {
  const { user, dataOf, container } = renderForm("llm", DATA, { prepare });
  const option = await screen.findByRole("option", { name: "Our models" });
  expect(screen.queryByRole("option", { name: "Shop" })).toBeNull();
  await user.selectOptions(screen.getByRole("combobox", { name: "Connection" }), option);
  expect(dataOf()).toMatchObject({ connection_id: CONNECTION.connection_id });
  await screen.findByText("Its secret is sent only to models.example");
  await screen.findByText((_, element) => element?.getAttribute("value") === "large");
  expect([...container.querySelectorAll("datalist option")].map((item) => item.getAttribute("value"))).toEqual([
    "small",
    "large",
  ]);
});

test("numbers are stored as numbers, other text stays as typed, and empty fields are removed", async () => {
  const { user, dataOf } = renderForm("llm", DATA);
  const temperature = screen.getByRole("textbox", { name: /^Temperature/ });
  await fillIn(user, temperature, "0.2");
  await fillIn(user, screen.getByRole("textbox", { name: /^Max tokens/ }), "many");
  expect(dataOf()).toEqual({ ...DATA, temperature: 0.2, max_tokens: "many" });
  await fillIn(user, temperature, "");
  expect(dataOf()).toEqual({ ...DATA, max_tokens: "many" });
});

test("an emptied system message is removed", async () => {
  const { user, dataOf } = renderForm("llm", { ...DATA, system: "Be brief." });
  await fillIn(user, screen.getByRole("textbox", { name: /^System/ }), "");
  expect(dataOf()).toEqual(DATA);
});

test("a schema is stored as an object once it parses as JSON, and as text before", async () => {
  const { user, dataOf } = renderForm("llm", DATA);
  const schema = screen.getByRole("textbox", { name: /^Output schema/ });
  await fillIn(user, schema, '{"type": "obj');
  expect(dataOf()).toMatchObject({ output_schema: '{"type": "obj' });
  await user.paste('ect"}');
  expect(dataOf()).toMatchObject({ output_schema: { type: "object" } });
});

test("the preview shows the messages with the last values and marks missing ones", async () => {
  const prompt = "Sort {{action_input.amount}} and {{action_input.orders}}";
  const { container, session } = renderForm("llm", { ...DATA, system: "Be brief.", prompt });
  act(() =>
    session.tests.getState().keepSample("start", { output: { amount: 7 }, receivedAt: "2026-01-01T00:00:00Z" }),
  );
  const details = container.querySelector("details");
  act(() => details?.setAttribute("open", ""));
  const message = await screen.findByRole("region", { name: "User message" });
  within(message).getByText(/^Sort/);
  within(screen.getByRole("region", { name: "System message" })).getByText("Be brief.");
  const missing = screen.getByRole("list", { name: "Missing values" });
  expect(within(missing).getAllByRole("listitem").length).toBeGreaterThan(0);
  screen.getByText(/^Estimate: about \d+ tokens, without the missing values\.$/);
});

test("fields of the answer are built like the input of an action, and stored as a JSON Schema", async () => {
  const { user, dataOf } = renderForm("llm", DATA);
  await user.selectOptions(screen.getByRole("combobox", { name: "Returned object" }), "Field by field");
  await user.click(screen.getByRole("button", { name: "Add field" }));
  await user.keyboard("category");
  await user.click(screen.getByRole("button", { name: "Add field" }));
  await user.keyboard("score");
  const types = screen.getAllByRole("combobox", { name: "Type" });
  await user.selectOptions(types[1] ?? document.body, "number");
  await user.click(screen.getAllByRole("checkbox", { name: "Required" })[1] ?? document.body);
  expect(dataOf()).toMatchObject({
    output_schema: {
      type: "object",
      properties: { category: { type: "string" }, score: { type: "number" } },
      required: ["category"],
    },
  });
  await user.selectOptions(screen.getByRole("combobox", { name: "Returned object" }), "JSON Schema");
  expect(screen.getByRole("textbox", { name: /^Output schema/ })).toHaveProperty(
    "value",
    expect.stringContaining('"category"'),
  );
});

test("a field whose name is typed over another one loses nothing", async () => {
  const schema = { type: "object", properties: { id: { type: "number" }, x: { type: "string" } } };
  const { user, dataOf } = renderForm("llm", { ...DATA, output_schema: schema });
  const second = screen.getAllByRole("textbox", { name: "Name" })[1] ?? document.body;
  await fillIn(user, second, "id");
  expect(dataOf()).toMatchObject({ output_schema: { properties: { id: { type: "number" } } } });
  await user.click(second);
  await user.keyboard("{End}_2");
  expect(dataOf()).toMatchObject({
    output_schema: { properties: { id: { type: "number" }, id_2: { type: "string" } } },
  });
});

test("an example becomes fields, and a text that is no object says what to paste", async () => {
  const { user, dataOf } = renderForm("llm", DATA);
  await user.click(screen.getByRole("button", { name: "Generate from example" }));
  const example = screen.getByRole("textbox", { name: "Example" });
  await fillIn(user, example, "[1]");
  await user.click(screen.getByRole("button", { name: "Use the example" }));
  screen.getByText(/^Paste a JSON object/);
  await fillIn(user, example, '{"name": "Ada", "tags": ["a"], "at": {"ok": true}, "score": 0.5}');
  await user.click(screen.getByRole("button", { name: "Use the example" }));
  expect(dataOf()).toMatchObject({
    output_schema: {
      type: "object",
      properties: {
        name: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
        at: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
        score: { type: "number" },
      },
      required: ["name", "tags", "at", "score"],
    },
  });
  expect(screen.getAllByRole("textbox", { name: "Name" }).map((field) => (field as HTMLInputElement).value)).toEqual([
    "name",
    "tags",
    "at",
    "ok",
    "score",
  ]);
});

test("a schema that fields cannot express stays JSON", () => {
  renderForm("llm", { ...DATA, output_schema: { type: "object", oneOf: [] } });
  expect(screen.queryByRole("combobox", { name: "Returned object" })).toBeNull();
  screen.getByRole("textbox", { name: /^Output schema/ });
});
