"use client";

import { isJsonObject } from "#lib/support/json";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { useNodeList } from "@/components/canvas/panel/fields/panel-context";
import { PlainField } from "@/components/canvas/panel/fields/plain-field";
import { RulesField } from "@/components/canvas/panel/fields/rules-field";

/** The ways a switch can go: the first case that holds, in this order. */
export function SwitchForm() {
  const cases = useNodeList(["cases"]);
  return (
    <ItemList path={["cases"]} title="Cases" noun="case" min={1} createItem={() => newCase(cases)}>
      {(path) => (
        <>
          <PlainField path={[...path, "name"]} label="Name" placeholder="Large order" />
          <RulesField path={path} matchLabel="Go this way when" />
        </>
      )}
    </ItemList>
  );
}

/** Its id is the handle that edges leave by, so it must be one that no case has. */
function newCase(cases: readonly Record<string, unknown>[]): Record<string, unknown> {
  const taken = new Set(cases.filter(isJsonObject).map((item) => item.id));
  let number = cases.length + 1;
  while (taken.has(`case_${number}`)) number += 1;
  const rules = [{ left: "", operator: "equals", right: "" }];
  return { id: `case_${number}`, name: `Case ${number}`, match: "all", rules };
}
