"use client";

import { writeExpression } from "#lib/core/expressions/write-expression";
import { ListField } from "@/components/canvas/panel/fields/list-field";
import { useItemData, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { RulesField } from "@/components/canvas/panel/fields/rules-field";

/** Edits the list that a filter reads, and the rules that decide which items it keeps. */
export function FilterForm() {
  const { node } = usePanel();
  const itemData = useItemData();
  return (
    <>
      <ListField />
      <RulesField
        path={[]}
        matchLabel="Keep an item when"
        placeholder={writeExpression(node.id, ["item", "amount"])}
        sources={itemData}
      />
      <p className="text-dense text-text-3">
        In the rules, <code className="font-mono">{writeExpression(node.id, ["item"])}</code> is the current item and{" "}
        <code className="font-mono">{writeExpression(node.id, ["index"])}</code> is its position, starting at 0.
      </p>
    </>
  );
}
