import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { CONNECTORS } from "#lib/connectors/registry";
import { APP_MARKS, AppMark } from "@/components/features/connections/app-mark";

const lettersOf = (connector: string) =>
  render(<AppMark connector={connector} />).container.querySelector<HTMLElement>("[data-letters]")?.dataset.letters;

test("every built-in connector has a mark of its own", () => {
  expect(Object.keys(APP_MARKS).toSorted()).toEqual(CONNECTORS.map(({ name }) => name).toSorted());
  const signs = Object.values(APP_MARKS).map(({ sign }) => sign);
  expect(new Set(signs).size).toBe(signs.length);
});

test("the letters of a mark are no text that a reader, a search or a copy would meet", () => {
  expect(render(<AppMark connector="telegram" />).container.textContent).toBe("");
});

test.each([
  ["billing-api", "Ba"],
  ["orders", "Or"],
  ["x", "X"],
  ["constructor", "Co"],
])("a custom connector %s is marked %s", (connector, letters) => {
  expect(lettersOf(connector)).toBe(letters);
});
