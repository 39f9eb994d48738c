"use client";

import { RulesField } from "@/components/canvas/panel/fields/rules-field";

/** The rules of a condition. */
export function ConditionForm() {
  return <RulesField path={[]} matchLabel="Take the True branch when" />;
}
