import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { ExpressionInput } from "@/components/canvas/expressions/editor/expression-input";
import { insertReference } from "@/components/canvas/expressions/insert-reference";
import { renderPage } from "@/components/testing/render-page.fixture";

const FACTS = { step: "Input", path: "a", type: "string", sample: null, isBroken: false };

function Form() {
  const [value, setValue] = useState("Hi {{input.a}}");
  return (
    <>
      <ExpressionInput
        id="field"
        label="Greeting"
        fieldName="greeting"
        value={value}
        onChange={setValue}
        sources={[]}
        describe={() => FACTS}
        factsKey=""
      />
      <output>{value}</output>
    </>
  );
}

test("a plain field takes the text until the editor is loaded, which continues at the same caret", async () => {
  const { user, container } = renderPage(<Form />);
  const field = () => screen.getByRole("textbox", { name: "Greeting" });
  const text = () => container.querySelector("output")?.textContent;
  // Not loaded yet: no other test of this file has asked for the editor.
  const plain = field();
  expect(plain.tagName).toBe("TEXTAREA");
  expect(container.querySelector(".expression-chip")?.textContent).toBe("Input › a string");
  plain.focus();
  (plain as HTMLTextAreaElement).setSelectionRange(2, 2);
  insertReference("{{input.b}}");
  expect(text()).toBe("Hi{{input.b}} {{input.a}}");

  await eventually(() => expect(plain.isConnected).toBe(false));
  expect(document.activeElement).toBe(field());
  await user.keyboard("!");
  await eventually(() => expect(text()).toBe("Hi{{input.b}}! {{input.a}}"));
  insertReference("{{input.c}}");
  await eventually(() => expect(text()).toBe("Hi{{input.b}}!{{input.c}} {{input.a}}"));
});
