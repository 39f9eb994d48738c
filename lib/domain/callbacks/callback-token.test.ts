import { expect, test } from "vitest";
import { readCallbackToken, signCallback } from "#lib/domain/callbacks/callback-token";

const PLACE = { runId: "018f2f6e-0000-7000-8000-000000000001", nodeId: "wait", iteration: "0.2" };
const sign = (place: typeof PLACE) => signCallback(Buffer.alloc(32, 1), place);

test("a token names its run, step and iteration", () => {
  expect(readCallbackToken(sign(PLACE))).toMatchObject(PLACE);
});

test("a token with a character that PostgreSQL refuses is no token, whether in the id or in the iteration", () => {
  expect(readCallbackToken(sign({ ...PLACE, nodeId: "wa\0it" }))).toBeNull();
  expect(readCallbackToken(sign({ ...PLACE, iteration: "0\0" }))).toBeNull();
});
