import { expect, it } from "vitest";
import { collectPages } from "#lib/connectors/sdk/collect-pages";
import { StepError } from "#lib/contract/run/step-error";

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

/** Returns pages of three items, starting at `from`. */
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
])("a limit of $limit of eight items returns whole pages and the cursor of the rest", async ({ limit, ...told }) => {
  expect(await collectPages(context(), { limit, from: 0 }, page)).toEqual(told);
});

it("an empty collection returns one empty page", async () => {
  const empty = async () => ({ items: [], next: null });
  expect(await collectPages(context(), { limit: 10, from: "" }, empty)).toEqual({ items: [], next: null });
});

it("a repeated cursor ends the collection", async () => {
  const asked: string[] = [];
  const loop = async (cursor: string) => {
    asked.push(cursor);
    return { items: [cursor], next: cursor === "b" ? "a" : "b" };
  };
  const told = await collectPages(context(), { limit: 1_000, from: "a" }, loop);
  expect([told, asked]).toEqual([{ items: ["a", "b"], next: null }, ["a", "b"]]);
});

it("a failed page fails the whole collection and keeps the service's retry delay", async () => {
  const limited = new StepError("RATE_LIMITED", "slower", { retryAfterMs: 7_000 });
  const fetchPage = async (from: number) => {
    if (from > 0) throw limited;
    return page(from);
  };
  await expect(collectPages(context(), { limit: 8, from: 0 }, fetchPage)).rejects.toBe(limited);
});

it("no page is requested when the step is over or about to time out", async () => {
  const { abort, ...ended } = context();
  const fetchPage = async (from: number) => {
    abort.abort(new StepError("TIMEOUT", "over"));
    return page(from);
  };
  await expect(collectPages(ended, { limit: 8, from: 0 }, fetchPage)).rejects.toThrow("over");
  const slow = context(15_000);
  expect(await collectPages(slow, { limit: 8, from: 0 }, page)).toEqual({ items: ALL.slice(0, 6), next: 6 });
});

it("a page that does not fit into the step's output is left to the next step", async () => {
  const large = async (from: number) => ({ items: ["x".repeat(600_000)], next: from + 1 });
  const told = await collectPages(context(), { limit: 8, from: 0 }, large);
  expect([told.items.length, told.next]).toEqual([1, 1]);
});
