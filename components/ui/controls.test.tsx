import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { holdTime } from "@/components/testing/hold-time.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { CopyButton } from "@/components/ui/copy-button";
import { SearchField } from "@/components/ui/forms/search-field";
import { Tabs } from "@/components/ui/lists/tabs";
import { Tooltip } from "@/components/ui/tooltip";

const TABS = (["first", "second", "third"] as const).map((value) => ({
  value,
  label: value,
  content: <p>About the {value}</p>,
}));

function TabsPage() {
  const [value, setValue] = useState<"first" | "second" | "third">("first");
  return <Tabs label="Parts" value={value} onChange={setValue} tabs={TABS} />;
}

test("arrows, Home and End move along the tabs and wrap around", async () => {
  const { user } = renderPage(<TabsPage />);
  await user.click(screen.getByRole("tab", { name: "first" }));
  const shown = () => screen.getByRole("tab", { selected: true }).textContent;
  await user.keyboard("{ArrowLeft}");
  expect([shown(), document.activeElement?.textContent]).toEqual(["third", "third"]);
  await user.keyboard("{ArrowRight}");
  expect(shown()).toBe("first");
  await user.keyboard("{End}");
  expect(shown()).toBe("third");
  await user.keyboard("{Home}");
  expect(shown()).toBe("first");
  await expectAccessible();
});

test("one tab is in the tab order, and only its panel is mounted", async () => {
  const { user } = renderPage(<TabsPage />);
  await user.click(screen.getByRole("tab", { name: "second" }));
  expect(screen.getAllByRole("tab").map((tab) => tab.tabIndex)).toEqual([-1, 0, -1]);
  expect(screen.getByRole("tabpanel", { name: "second" }).textContent).toBe("About the second");
  expect(screen.queryByText("About the first")).toBeNull();
});

function renderSearch(value = "") {
  const onChange = vi.fn();
  const page = renderPage(<SearchField label="Search" value={value} onChange={onChange} />);
  return { ...page, onChange, field: screen.getByRole<HTMLInputElement>("searchbox", { name: "Search" }) };
}

test("a search is sent on Enter at once, and without it when the typing stops", async () => {
  const skip = holdTime();
  const { user, onChange, field } = renderSearch();
  await user.type(field, "ref{Enter}");
  expect(onChange).toHaveBeenCalledExactlyOnceWith("ref");
  onChange.mockClear();
  await user.type(field, "und");
  await skip(250);
  expect(onChange).toHaveBeenLastCalledWith("refund");
});

test("Escape clears a search, and an empty search leaves Escape to others", async () => {
  const { onChange, field } = renderSearch("refund");
  expect(fireEvent.keyDown(field, { key: "Escape" })).toBe(false);
  expect(onChange).toHaveBeenCalledExactlyOnceWith("");
});

test("an empty search has no button to clear it and does not take Escape", () => {
  const { onChange, field } = renderSearch();
  expect(screen.queryByRole("button", { name: "Clear search" })).toBeNull();
  expect(fireEvent.keyDown(field, { key: "Escape" })).toBe(true);
  expect(onChange).not.toHaveBeenCalled();
});

test("a copy button says that it copied", async () => {
  const onCopied = vi.fn();
  const { user } = renderPage(<CopyButton value="the text" label="Copy it" onCopied={onCopied} />);
  await user.click(screen.getByRole("button", { name: "Copy it" }));
  await screen.findByRole("button", { name: "Copied" });
  expect(await navigator.clipboard.readText()).toBe("the text");
  expect(onCopied).toHaveBeenCalledTimes(1);
});

test("a copy that the browser refuses says to select the text instead", async () => {
  const onCopied = vi.fn();
  const { user } = renderPage(<CopyButton value="the text" label="Copy it" onCopied={onCopied} />);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("not allowed"));
  Object.assign(document, { execCommand: () => false });
  await user.click(screen.getByRole("button", { name: "Copy it" }));
  await screen.findByRole("button", { name: "Copying failed; select the text instead" });
  expect(onCopied).not.toHaveBeenCalled();
});

function renderTooltip() {
  const page = renderPage(
    <Tooltip content="More about it">
      <button type="button">Word</button>
    </Tooltip>,
  );
  const button = screen.getByRole("button", { name: "Word" });
  vi.spyOn(button, "matches").mockReturnValue(true);
  return { ...page, button };
}

test("a tooltip describes the focused element and closes when the focus leaves", async () => {
  const { user, button } = renderTooltip();
  await user.tab();
  const bubble = await screen.findByRole("tooltip");
  expect(button.getAttribute("aria-describedby")).toBe(bubble.id);
  await user.tab();
  await eventually(() => expect(screen.queryByRole("tooltip")).toBeNull());
});

test("Escape dismisses a tooltip without moving the focus", async () => {
  const { user, button } = renderTooltip();
  await user.tab();
  await screen.findByRole("tooltip");
  await user.keyboard("{Escape}");
  await eventually(() => expect(screen.queryByRole("tooltip")).toBeNull());
  expect(document.activeElement).toBe(button);
});
