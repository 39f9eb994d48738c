import { expect, test } from "vitest";
import { previewInput } from "@/components/features/runs/list/preview-input";

test("an input is shown as one short line, with what the sanitizer hid still hidden", () => {
  expect(
    previewInput({ amount: 12, to: "[REDACTED_EMAIL]", lines: [1, 2], none: [], at: {}, ok: true, no: null }),
  ).toBe('amount: 12, to: "[REDACTED_EMAIL]", lines: [2], none: [], at: {…}, ok: true, no: null');
  expect(previewInput({})).toBe("");
});

test("a preview reads no more of an input than it shows", () => {
  const input = { first: "x".repeat(200) };
  Object.defineProperty(input, "second", {
    enumerable: true,
    get: () => {
      throw new Error("read too far");
    },
  });
  expect(previewInput(input)).toHaveLength(121);
});
