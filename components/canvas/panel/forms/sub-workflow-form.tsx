"use client";

import { PairsField } from "@/components/canvas/panel/forms/pairs-field";
import { PlainField } from "@/components/canvas/panel/plain-field";

/** Which action runs, and what it is called with. */
export function SubWorkflowForm() {
  return (
    <>
      <PlainField path={["action_slug"]} label="Action" hint="its slug" isMono placeholder="refund-order" />
      <PairsField path={["input"]} title="Input" noun="field" placeholder="order_id" />
    </>
  );
}
