"use client";

import { RulesField } from "@/components/canvas/panel/forms/rules-field";

/** When a condition goes the way of Yes. */
export function ConditionForm() {
  return <RulesField path={[]} matchLabel="Go the way of Yes when" />;
}
