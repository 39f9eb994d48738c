import { LIMITS } from "#lib/contract/limits";
import { formatCount } from "#lib/support/format/format-number";
import { parseBody, printBody } from "@/components/canvas/expressions/literal-values";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";

/** Edits the list that a step iterates over: an expression, or the items themselves. */
export function ListField() {
  return (
    <TemplateField
      path={["items"]}
      label="List"
      hint={`Up to ${formatCount(LIMITS.loopIterations, "item")}`}
      placeholder="{{action_input.orders}}"
      isDeep
      print={printBody}
      parse={parseBody}
      description="Enter an expression that returns a list, or a list as JSON."
    />
  );
}
