"use client";

import { isJsonObject } from "#lib/support/json";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { useNodeList } from "@/components/canvas/panel/fields/panel-context";
import { PlainField } from "@/components/canvas/panel/fields/plain-field";
import { RulesField } from "@/components/canvas/panel/fields/rules-field";

/** Edits the cases of a switch. The first case that matches wins, in this order. */
export function SwitchForm() {
  const cases = useNodeList(["cases"]);
  return (
    <ItemList path={["cases"]} title="Cases" noun="case" min={1} createItem={() => newCase(cases)}>
      {(path, _item, index) => (
        <>
          <PlainField path={[...path, "name"]} label="Name" placeholder="Large order" />
          <RulesField path={path} matchLabel="Use this case when" label={`Rules of case ${index + 1}`} />
        </>
      )}
    </ItemList>
  );
}

/** The id is the handle of the case's edges, so it must differ from the ids of all other cases. */
function newCase(cases: readonly Record<string, unknown>[]): Record<string, unknown> {
  const taken = new Set(cases.filter(isJsonObject).map((item) => item.id));
  let number = cases.length + 1;
  while (taken.has(`case_${number}`)) number += 1;
  const rules = [{ left: "", operator: "equals", right: "" }];
  return { id: `case_${number}`, name: `Case ${number}`, match: "all", rules };
}
