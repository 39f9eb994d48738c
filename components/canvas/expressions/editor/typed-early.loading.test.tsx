import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { ExpressionInput } from "@/components/canvas/expressions/editor/expression-input";
import { renderPage } from "@/components/testing/render-page.fixture";

const VALUE = { expression: "{{trigger.output.body}}", type: "object", description: "" };
const SOURCES = [{ label: "Webhook", fields: [VALUE] }];

function Form() {
  const [value, setValue] = useState("");
  return (
    <ExpressionInput
      id="field"
      label="Greeting"
      fieldName="greeting"
      value={value}
      onChange={setValue}
      sources={SOURCES}
      describe={() => ({ step: "Webhook", path: "body", type: "object", sample: null, isBroken: false })}
      factsKey=""
    />
  );
}

test("an expression that is typed before the editor is loaded gets its list when it is", async () => {
  const { user } = renderPage(<Form />);
  const field = () => screen.getByRole("textbox", { name: "Greeting" });
  // Not loaded yet: no other test of this file has asked for the editor.
  const plain = field();
  expect(plain.tagName).toBe("TEXTAREA");
  plain.focus();
  await user.paste("{{trig");
  expect(field()).toBe(plain);
  expect(plain).toHaveProperty("value", "{{trig");

  await eventually(() => expect(plain.isConnected).toBe(false));
  await eventually(() => expect(screen.getByRole("option", { name: /^trigger\.output\.body/ })).toBeTruthy());
});
