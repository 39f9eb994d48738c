import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { ExpressionInput } from "@/components/canvas/expressions/editor/expression-input";
import { loadExpressionEditor } from "@/components/canvas/expressions/editor/load-editor";
import { renderPage } from "@/components/testing/render-page.fixture";

test("a field that gets the focus right after its editor was loaded keeps it", async () => {
  renderPage(
    <ExpressionInput
      id="field"
      label="Greeting"
      fieldName="greeting"
      value=""
      onChange={() => undefined}
      sources={[]}
      describe={() => ({ step: "Input", path: "a", type: "string", sample: null, isBroken: false })}
      factsKey=""
    />,
  );
  const field = () => screen.getByRole("textbox", { name: "Greeting" });
  // Not loaded yet: no other test of this file has asked for the editor.
  const plain = field();
  expect(plain.tagName).toBe("TEXTAREA");
  // The field has asked for it first.
  await loadExpressionEditor();
  field().focus();
  await eventually(() => expect(plain.isConnected).toBe(false));
  expect(document.activeElement).toBe(field());
});
