import { expect, it } from "vitest";
import { splitRedactions } from "@/components/features/json/redaction";

it("splits a text at its markers and explains each marker", () => {
  const parts = splitRedactions("mail [REDACTED_EMAIL] or Bearer [REDACTED]");
  expect(parts.map((part) => part.text)).toEqual(["mail ", "[REDACTED_EMAIL]", " or Bearer ", "[REDACTED]"]);
  expect(parts.map((part) => part.meaning !== null)).toEqual([false, true, false, true]);
});

it("keeps a text without markers whole, and an empty text empty", () => {
  expect(splitRedactions("plain [text]")).toEqual([{ at: 0, text: "plain [text]", meaning: null }]);
  expect(splitRedactions("")).toEqual([]);
});
