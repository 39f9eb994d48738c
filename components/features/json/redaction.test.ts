import { expect, it } from "vitest";
import { splitRedactions } from "@/components/features/json/redaction";

it("cuts markers out of a text and says what each stands for", () => {
  const parts = splitRedactions("mail [REDACTED_EMAIL] or Bearer [REDACTED]");
  expect(parts.map((part) => part.text)).toEqual(["mail ", "[REDACTED_EMAIL]", " or Bearer ", "[REDACTED]"]);
  expect(parts.map((part) => part.meaning !== null)).toEqual([false, true, false, true]);
});

it("leaves a text without markers whole, and an empty one empty", () => {
  expect(splitRedactions("plain [text]")).toEqual([{ at: 0, text: "plain [text]", meaning: null }]);
  expect(splitRedactions("")).toEqual([]);
});
