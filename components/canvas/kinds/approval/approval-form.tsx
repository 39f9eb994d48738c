"use client";

import { TemplateField } from "@/components/canvas/panel/fields/template-field";

/** What the person who decides is asked. */
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
        The run waits up to an hour. Draw a way out of Rejected to go on after a rejection; without one it cancels the
        run.
      </p>
    </>
  );
}
