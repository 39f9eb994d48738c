import { act, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { JsonView } from "@/components/features/json/json-view";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

/** The list measures its box, which has no height in jsdom. */
function giveHeight() {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
}

function renderJson(value: unknown, props: Partial<Parameters<typeof JsonView>[0]> = {}) {
  giveHeight();
  return renderPage(<JsonView value={value} label="output" {...props} />);
}

const lines = () => within(screen.getByRole("list", { name: "output" })).getAllByRole("listitem");
const MANY = { orders: Array.from({ length: 40 }, (_, at) => ({ id: `order-${at}`, customer: { name: `C${at}` } })) };

test("a value is shown line by line, with the number of fields and items", () => {
  renderJson({ name: "Ann", tags: ["a", "b"], none: null, paid: true });
  expect(lines().map((line) => line.textContent)).toEqual([
    "4 fieldsCopy",
    'name: "Ann"Copy',
    "tags: 2 itemsCopy",
    expect.stringContaining('"a"'),
    expect.stringContaining('"b"'),
    "none: nullCopy",
    "paid: trueCopy",
  ]);
});

test("a part of the value can be closed and opened again", async () => {
  const { user } = renderJson({ tags: ["a", "b"] });
  await user.click(screen.getByRole("button", { name: "Close tags" }));
  expect(lines()).toHaveLength(2);
  expect(screen.getByRole("button", { name: "Open tags" }).getAttribute("aria-expanded")).toBe("false");
  await user.click(screen.getByRole("button", { name: "Open tags" }));
  expect(lines()).toHaveLength(4);
});

test("a redacted secret is marked, and its explanation is reachable by keyboard", async () => {
  renderJson({ mail: "to [REDACTED_EMAIL] at once" });
  const mark = screen.getByRole("button", { name: "[REDACTED_EMAIL]" });
  vi.spyOn(mark, "matches").mockReturnValue(true);
  act(() => mark.focus());
  expect((await screen.findByRole("tooltip")).textContent).toContain("An email address was removed.");
  await eventually(() => expect(mark.getAttribute("aria-describedby")).toBe(screen.getByRole("tooltip").id));
});

test("the search counts its matches, opens their place, and Enter goes to the next one", async () => {
  const { user } = renderJson(MANY);
  const search = screen.getByRole("searchbox", { name: "Search the output" });
  await user.type(search, "order-1");
  const said = screen.getAllByRole("status").find(({ textContent }) => textContent?.includes("of"));
  expect(said?.textContent).toBe("1 of 11");
  await user.keyboard("{Enter}");
  expect(said?.textContent).toBe("2 of 11");
  await user.keyboard("{Shift>}{Enter}{Enter}{/Shift}");
  expect(said?.textContent).toBe("11 of 11");
  await user.type(search, "nowhere");
  expect(said?.textContent).toBe("No matches");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Next match" }).disabled).toBe(true);
});

test("a short value has no search", () => {
  renderJson({ id: 1 });
  expect(screen.queryByRole("searchbox")).toBeNull();
});

test("a list of objects is shown as a table whose cells copy the expression that reads them", async () => {
  const { user } = renderJson(
    {
      orders: [
        { id: "A-1", lines: [1, 2] },
        { id: "A-2", "unit price": 5 },
      ],
      others: [{ x: 1 }],
    },
    { expressionRoot: "call" },
  );
  await user.click(screen.getByRole("button", { name: "Table" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "List" }), "orders, 2 items");
  const table = within(screen.getByRole("table", { name: "orders, 2 items as a table" }));
  expect(table.getAllByRole("row").map((row) => row.textContent)).toEqual([
    "Itemidlinesunit price",
    "0A-1[1,2]",
    "1A-25",
  ]);
  await user.click(table.getByRole("button", { name: "5" }));
  expect(await navigator.clipboard.readText()).toBe('{{call.orders[1]["unit price"]}}');
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowUp}{Enter}");
  expect(await navigator.clipboard.readText()).toBe("{{call.orders[0].id}}");
  await expectAccessible();
});

test("a table shows a text that looks like another value in quotes", async () => {
  const { user } = renderJson([
    { id: "8202522731445525542", n: 7, is: "true", at: "2026-11-23T10:00:00Z", of: "[1]" },
    { id: "A-1", n: "7", is: true, at: "1e5", of: null },
  ]);
  await user.click(screen.getByRole("button", { name: "Table" }));
  expect(screen.getAllByRole("row").map((row) => row.textContent)).toEqual([
    "Itemidnisatof",
    '0"8202522731445525542"7"true"2026-11-23T10:00:00Z"[1]"',
    '1A-1"7"true"1e5"null',
  ]);
});

test("a value without a list of objects has no table", () => {
  renderJson({ tags: ["a"], mixed: [{ id: 1 }, 2] });
  expect(screen.queryByRole("button", { name: "Table" })).toBeNull();
});

test("of a long table only the rows near the visible part are rendered", async () => {
  const { user } = renderJson({ orders: Array.from({ length: 5_000 }, (_, id) => ({ id })) });
  await user.click(screen.getByRole("button", { name: "Table" }));
  const table = screen.getByRole("table");
  expect(table.getAttribute("aria-rowcount")).toBe("5001");
  expect(within(table).getAllByRole("row").length).toBeLessThan(100);
});

test("the raw text can be selected as a whole but not changed", async () => {
  const { user } = renderJson({ id: 1 });
  await user.click(screen.getByRole("button", { name: "JSON" }));
  const text = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "output as text" });
  expect(text.value).toBe('{\n  "id": 1\n}');
  expect(text.readOnly).toBe(true);
  await expectAccessible();
});

test("a truncated value is shown as text, and says so", () => {
  renderJson('{"id": 1, "na', { isTruncated: true });
  screen.getByText("Only the first 64 KiB are shown");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe('{"id": 1, "na');
  expect(screen.queryByRole("button", { name: "Tree" })).toBeNull();
});

test("clicking a name copies the expression that reads it", async () => {
  const { user } = renderJson({ customer: { name: "Ann" } }, { expressionRoot: "action_input" });
  await user.click(screen.getByRole("button", { name: "name" }));
  expect(await navigator.clipboard.readText()).toContain("action_input.customer.name");
});

test("a value is copied as JSON, and a text as plain text", async () => {
  const { user } = renderJson({ customer: { name: "Ann" } });
  await user.click(screen.getByRole("button", { name: "Copy the value of customer" }));
  expect(await navigator.clipboard.readText()).toBe('{\n  "name": "Ann"\n}');
  await user.click(screen.getByRole("button", { name: "Copy the value of name" }));
  expect(await navigator.clipboard.readText()).toBe("Ann");
});

test("a very long text is cut until the user expands it", async () => {
  const { user } = renderJson({ text: "x".repeat(5_000) });
  const all = screen.getByRole("button", { name: "Show all 5,000 characters" });
  expect(all.closest("li")?.textContent?.length).toBeLessThan(4_100);
  await user.click(all);
  expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
  expect(lines()[1]?.textContent?.length).toBeGreaterThan(5_000);
});
