"use client";

import { RulesField } from "@/components/canvas/panel/fields/rules-field";

/** Edits the rules under which a condition takes its True branch. */
export function ConditionForm() {
  return <RulesField path={[]} matchLabel="Take the True branch when" />;
}
