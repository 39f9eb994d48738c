"use client";

import { RulesField } from "@/components/canvas/panel/fields/rules-field";

/** When a condition goes the way of Yes. */
export function ConditionForm() {
  return <RulesField path={[]} matchLabel="Go the way of Yes when" />;
}
