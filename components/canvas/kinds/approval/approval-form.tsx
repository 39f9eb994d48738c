"use client";

import { TemplateField } from "@/components/canvas/panel/fields/template-field";

/** Edits the message for the person who decides. */
export function ApprovalForm() {
  return (
    <>
      <TemplateField
        path={["message"]}
        label="Message"
        hint="optional"
        rows={3}
        placeholder="Refund {{action_input.amount}}?"
      />
      <p className="text-dense text-text-3">
        The run waits up to an hour. To continue after a rejection, connect a step to Rejected; otherwise a rejection
        cancels the run.
      </p>
    </>
  );
}
