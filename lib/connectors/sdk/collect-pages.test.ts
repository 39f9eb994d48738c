import { expect, it } from "vitest";
import { collectPages } from "#lib/connectors/sdk/collect-pages";
import { StepError } from "#lib/contract/step-error";

const PAGE = 3;
const ALL = Array.from({ length: 8 }, (_, index) => index);

function context(stepMs = 0) {
  let nowMs = 1_000_000;
  const abort = new AbortController();
  return {
    abort,
    signal: abort.signal,
    now: () => {
      nowMs += stepMs;
      return new Date(nowMs);
    },
  };
}

/** Pages of three, by where they begin. */
async function page(from: number) {
  const next = from + PAGE;
  return { items: ALL.slice(from, next), next: next < ALL.length ? next : null };
}

it.each([
  { limit: 100, items: ALL, next: null },
  { limit: 8, items: ALL, next: null },
  { limit: 6, items: ALL.slice(0, 6), next: 6 },
  { limit: 4, items: ALL.slice(0, 6), next: 6 },
  { limit: 2, items: ALL.slice(0, 3), next: 3 },
])(
  "up to $limit of eight items: whole pages, nothing is lost, and what is left can be asked for",
  async ({ limit, ...told }) => {
    expect(await collectPages(context(), { limit, from: 0 }, page)).toEqual(told);
  },
);

it("of nothing there is one empty page", async () => {
  const empty = async () => ({ items: [], next: null });
  expect(await collectPages(context(), { limit: 10, from: "" }, empty)).toEqual({ items: [], next: null });
});

it("a cursor that comes again ends it", async () => {
  const asked: string[] = [];
  const loop = async (cursor: string) => {
    asked.push(cursor);
    return { items: [cursor], next: cursor === "b" ? "a" : "b" };
  };
  const told = await collectPages(context(), { limit: 1_000, from: "a" }, loop);
  expect([told, asked]).toEqual([{ items: ["a", "b"], next: null }, ["a", "b"]]);
});

it("a page that fails fails it all, with what the service says about waiting", async () => {
  const limited = new StepError("RATE_LIMITED", "slower", { retryAfterMs: 7_000 });
  const fetchPage = async (from: number) => {
    if (from > 0) throw limited;
    return page(from);
  };
  await expect(collectPages(context(), { limit: 8, from: 0 }, fetchPage)).rejects.toBe(limited);
});

it("no page is begun when the step is over, or soon will be", async () => {
  const { abort, ...ended } = context();
  const fetchPage = async (from: number) => {
    abort.abort(new StepError("TIMEOUT", "over"));
    return page(from);
  };
  await expect(collectPages(ended, { limit: 8, from: 0 }, fetchPage)).rejects.toThrow("over");
  const slow = context(15_000);
  expect(await collectPages(slow, { limit: 8, from: 0 }, page)).toEqual({ items: ALL.slice(0, 6), next: 6 });
});

it("a page that a step's output has no room for is left to the next step", async () => {
  const large = async (from: number) => ({ items: ["x".repeat(600_000)], next: from + 1 });
  const told = await collectPages(context(), { limit: 8, from: 0 }, large);
  expect([told.items.length, told.next]).toEqual([1, 1]);
});
