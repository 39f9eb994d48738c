"use client";

import { LIMITS } from "#lib/contract/limits";
import { parseBody, printBody } from "@/components/canvas/expressions/literal-values";
import { useItemData } from "@/components/canvas/panel/fields/panel-context";
import { RulesField } from "@/components/canvas/panel/fields/rules-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";

/** The list that a filter takes, and the rules that its items are kept by. */
export function FilterForm() {
  return (
    <>
      <TemplateField
        path={["items"]}
        label="List"
        hint={`${LIMITS.loopIterations.toLocaleString("en")} items at most`}
        placeholder="{{action_input.orders}}"
        isDeep
        print={printBody}
        parse={parseBody}
      >
        <p className="text-dense text-text-3">An expression that gives a list, or a list as JSON.</p>
      </TemplateField>
      <RulesField path={[]} matchLabel="Keep an item when" sources={useItemData()} />
    </>
  );
}
