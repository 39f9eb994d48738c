import { expect, test } from "vitest";
import { uuidv7 } from "#lib/support/ids";
import { shortId } from "@/components/words/short-id";

test("ids made in the same moment look different when they are shortened", () => {
  const ids = Array.from({ length: 200 }, () => uuidv7());
  expect(new Set(ids.map(shortId)).size).toBe(ids.length);
  expect(shortId("0199b7c2-8d10-7c11-9f3e-1b5e02d7a91e")).toBe("…02d7a91e");
  expect(shortId("run_1")).toBe("run_1");
});
