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

test("after input and its dot, the values of the step are offered if a dot can reach them", () => {
  expect(labelsAt("const a = input.")).toEqual(["orders"]);
  expect(labelsAt("return input?.or")).toEqual(["orders"]);
});

test("a name completes to input and the globals of the sandbox; after another object's dot nothing is offered", () => {
  expect(labelsAt("inp")).toEqual(expect.arrayContaining(["input", "URL", "return"]));
  expect(labelsAt("inp")).not.toContain("fetch");
  expect(labelsAt("other.")).toBeNull();
});
