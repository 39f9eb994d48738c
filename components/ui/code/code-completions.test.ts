import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { completeCode } from "@/components/ui/code/code-completions";

const VALUES = [
  { name: "orders", detail: "[1,2]" },
  { name: "two words", detail: "" },
];

function labelsAt(text: string): string[] | null {
  const context = new CompletionContext(EditorState.create({ doc: text }), text.length, false);
  return completeCode(context, VALUES)?.options.map(({ label }) => label) ?? null;
}

test("behind input and its dot stand the values the step gets, those that a dot reaches", () => {
  expect(labelsAt("const a = input.")).toEqual(["orders"]);
  expect(labelsAt("return input?.or")).toEqual(["orders"]);
});

test("a name completes to input and to what the sandbox has; behind another object's dot nothing is claimed", () => {
  expect(labelsAt("inp")).toEqual(expect.arrayContaining(["input", "URL", "return"]));
  expect(labelsAt("inp")).not.toContain("fetch");
  expect(labelsAt("other.")).toBeNull();
});
