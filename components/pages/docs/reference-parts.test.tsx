import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { API_ERROR_STATUS } from "#lib/contract/error/api-error";
import { API_ERROR_MEANINGS } from "#lib/contract/openapi/api-error-meanings";
import type { ReferenceTool } from "#lib/contract/openapi/api-reference";
import { RUN_ERROR_CODES } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { PLAN_LIMITS, PLANS } from "#lib/contract/workspace/plans";
import { ErrorTable, RunErrorTable } from "@/components/pages/docs/error-table";
import { Example } from "@/components/pages/docs/example";
import { FieldList, fieldsOf } from "@/components/pages/docs/field-list";
import { OtherLimits, PlanTable } from "@/components/pages/docs/limit-tables";
import { Prose } from "@/components/pages/docs/prose";
import { ToolList } from "@/components/pages/docs/tool-list";
import { expectAccessible } from "@/components/testing/render-page.fixture";

const itemTexts = (name: RegExp) =>
  within(screen.getByRole("list", { name }))
    .getAllByRole("listitem")
    .map((item) => item.textContent);

/** The text of the only field of an object with that schema. */
function textOf(schema: JsonObject, isInput = true): string {
  const { container, unmount } = render(
    <FieldList label="Fields" fields={fieldsOf({ properties: { field: schema } }, isInput)} />,
  );
  const text = container.textContent;
  unmount();
  return text;
}

test("every refusal has its status and its meaning, in the order of the statuses", async () => {
  render(<ErrorTable />);
  const texts = itemTexts(/refusals/);
  const codes = Object.keys(API_ERROR_MEANINGS) as (keyof typeof API_ERROR_MEANINGS)[];
  expect(texts).toHaveLength(codes.length);
  for (const code of codes) {
    expect(texts).toContain(`${API_ERROR_STATUS[code]} ${code}${API_ERROR_MEANINGS[code].when}`);
  }
  const statuses = texts.map((text) => text?.slice(0, 3));
  expect(statuses).toEqual(statuses.toSorted());
  await expectAccessible();
});

test("every reason why a run fails has a headline and advice", () => {
  render(<RunErrorTable />);
  const texts = itemTexts(/failed runs/);
  expect(texts).toHaveLength(RUN_ERROR_CODES.length);
  for (const [index, code] of RUN_ERROR_CODES.entries())
    expect(texts[index]).toMatch(new RegExp(`^${code}\\w.+\\. .+`));
});

test("every plan is listed with its limits", () => {
  render(<PlanTable />);
  const rows = screen.getAllByRole("row").slice(1);
  const cells = rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
  const shown = (limit: number | null) =>
    limit === null ? expect.stringMatching(/no limit/i) : limit.toLocaleString("en");
  expect(cells).toEqual(
    PLANS.map((plan) => {
      const { requestsPerWindow, activeKeys, runsPerMonth } = PLAN_LIMITS[plan];
      return [plan, shown(requestsPerWindow), shown(activeKeys), shown(runsPerMonth)];
    }),
  );
});

test("the limits that no plan changes are the ones of the contract", () => {
  const { container } = render(<OtherLimits />);
  for (const limit of ["30 s", "5 min", "1 h", "24 hours"]) expect(container.textContent).toContain(limit);
});

test("a field shows whether a caller must send it", () => {
  const schema = { properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a"] };
  render(<FieldList label="Body" fields={fieldsOf(schema, true)} />);
  expect(itemTexts(/Body/)).toEqual(["astringrequired", "bstringoptional"]);
});

test("a field of an answer does not claim to be required", () => {
  expect(textOf({ type: "string" }, false)).toBe("fieldstring");
});

test("a type reads as words, with its format, its items and its alternatives", () => {
  expect(textOf({ type: "string", format: "uuid" })).toContain("string (uuid)");
  expect(textOf({ type: ["string", "null"] })).toContain("string or null");
  expect(textOf({ type: "array", items: { type: "integer" } })).toContain("array of integer");
  expect(textOf({ anyOf: [{ type: "number" }, { type: "boolean" }] })).toContain("number or boolean");
  expect(textOf({ const: "run.failed" })).toContain('"run.failed"');
  expect(textOf({})).toContain("anything");
});

test("a type that is another object leads to that object", () => {
  const list = { type: "array", items: { $ref: "#/components/schemas/Run" } };
  render(<FieldList label="Fields" fields={fieldsOf({ properties: { data: list } }, false)} />);
  expect(screen.getByRole("link", { name: "Run" }).getAttribute("href")).toBe("#Run");
});

test("allowed values, the default and the bounds of a field are listed", () => {
  expect(textOf({ type: "string", enum: ["asc", "desc"], default: "asc" })).toMatch(/"asc", "desc".*"asc"/);
  expect(textOf({ type: "array", items: { enum: ["a", "b"] } })).toContain('"a", "b"');
  expect(textOf({ type: "integer", minimum: 1, maximum: 100 })).toContain("1 to 100");
  expect(textOf({ type: "integer", maximum: 20 })).toMatch(/20/);
  expect(textOf({ type: "string", maxLength: 2_000 })).toMatch(/at most 2,000 characters/);
  expect(textOf({ type: "string", pattern: "^[a-z]+$" })).toContain("^[a-z]+$");
});

test("a description marks as code what is in backticks", () => {
  const { container } = render(
    <p>
      <Prose text="Send `wait` in `Prefer`." />
    </p>,
  );
  expect([...container.querySelectorAll("code")].map((code) => code.textContent)).toEqual(["wait", "Prefer"]);
  expect(container.textContent).toBe("Send wait in Prefer.");
});

test("an example is JSON, and nothing where there is none", () => {
  render(
    <>
      <Example label="A body" value={{ amount: 5 }} />
      <Example label="No body" value={undefined} />
    </>,
  );
  const code = screen.getByText("A body").closest("details")?.querySelector("code");
  expect(JSON.parse(code?.textContent ?? "")).toEqual({ amount: 5 });
  expect(screen.queryByText("No body")).toBeNull();
});

test("a tool shows its scopes, whether it only reads, and its arguments", async () => {
  const get: ReferenceTool = {
    name: "get_run",
    description: "Reads a run.",
    scopes: ["runs:read"],
    isReadOnly: true,
    properties: { run_id: { type: "string" } },
    required: ["run_id"],
  };
  const archive: ReferenceTool = {
    name: "list_all",
    description: "Does more.",
    scopes: [],
    isReadOnly: false,
    properties: {},
    required: [],
  };
  render(<ToolList tools={[get, archive]} />);
  const [first, second] = within(screen.getByRole("list", { name: "Tools" }))
    .getAllByRole("listitem")
    .filter((item) => item.id !== "");
  const reading = within(first ?? document.body);
  reading.getByText("runs:read");
  reading.getByText(/reads? only|read-only/i);
  reading.getByText(/^1 argument/);
  expect(reading.getByRole("list", { name: /get_run/, hidden: true }).textContent).toBe("run_idstringrequired");
  expect(second?.textContent).not.toMatch(/argument|reads/);
  await expectAccessible();
});
