import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useShownRequest } from "@/components/features/approvals/use-shown-request";
import { approvalRequest } from "@/components/testing/approval.fixture";
import { idOf } from "@/components/testing/page.fixture";

const listOf = (...numbers: number[]) => numbers.map((number) => approvalRequest({ id: idOf(number) }));
const shown = (id: number | null, next: number | null) => ({
  id: id === null ? null : idOf(id),
  nextId: next === null ? null : idOf(next),
});

interface Page {
  approvals?: number[];
  cursor?: string;
  chosen?: number;
}

function open(first: Page) {
  const read = ({ approvals, cursor = "", chosen }: Page) =>
    useShownRequest({
      approvals: approvals && listOf(...approvals),
      cursor,
      chosenId: chosen === undefined ? null : idOf(chosen),
    });
  return renderHook(read, { initialProps: first });
}

test("the chosen request is shown, or else the first; the last one is followed by the one before it", () => {
  const page = open({});
  expect(page.result.current).toEqual(shown(null, null));
  page.rerender({ approvals: [1, 2, 3] });
  expect(page.result.current).toEqual(shown(1, 2));
  page.rerender({ approvals: [1, 2, 3], chosen: 3 });
  expect(page.result.current).toEqual(shown(3, 2));
});

test("a request that someone else decides stays shown: no other takes its place under the pointer", () => {
  const page = open({ approvals: [1, 2] });
  page.rerender({ approvals: [2, 3] });
  expect(page.result.current).toEqual(shown(1, 2));
});

test("a request that has left the list is followed by the one that came after it, or else by the first", () => {
  const page = open({ approvals: [1, 2, 3, 4], chosen: 2 });
  page.rerender({ approvals: [1, 3, 4], chosen: 2 });
  expect(page.result.current).toEqual(shown(2, 3));
  page.rerender({ approvals: [1, 4], chosen: 2 });
  expect(page.result.current).toEqual(shown(2, 1));
});

test("a request that arrives in an empty inbox is shown", () => {
  const page = open({ approvals: [1] });
  page.rerender({ approvals: [] });
  page.rerender({ approvals: [5] });
  expect(page.result.current).toEqual(shown(5, null));
});

test("the first request of another page is shown once the page has loaded", () => {
  const page = open({ approvals: [1, 2] });
  page.rerender({ cursor: "second" });
  page.rerender({ cursor: "second", approvals: [6, 7] });
  expect(page.result.current).toEqual(shown(6, 7));
});
