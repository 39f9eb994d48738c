"use client";

import { Check, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Decision } from "#lib/contract/approval/approval";
import { LIMITS } from "#lib/contract/limits";
import { useDecision } from "@/components/features/approvals/use-decision";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";

interface DecisionFormProps {
  runId: string;
  approvalId: string;
  onDecided?: () => void;
  /** A and R focus a button, which Enter then presses: a letter alone decides nothing. */
  hasShortcuts?: boolean;
}

/** Shows the comment field and the Reject and Approve buttons. */
export function DecisionForm({ runId, approvalId, onDecided, hasShortcuts = false }: DecisionFormProps) {
  const { form, chosen, refusal, decide } = useDecision({
    runId,
    approvalId,
    ...(onDecided === undefined ? {} : { onDecided }),
  });
  const approve = useRef<HTMLButtonElement>(null);
  const reject = useRef<HTMLButtonElement>(null);
  const alert = useRef<HTMLParagraphElement>(null);
  const focusOn = (button: HTMLButtonElement | null) => (hasShortcuts ? button?.focus() : false);
  useShortcuts({ a: () => focusOn(approve.current), r: () => focusOn(reject.current) });
  useEffect(() => {
    if (refusal !== null) alert.current?.scrollIntoView({ block: "nearest" });
  }, [refusal]);

  const button = (said: Decision) => ({
    isBusy: chosen === said,
    disabled: form.isBusy,
    onClick: () => decide(said),
    ...(hasShortcuts ? { "aria-keyshortcuts": said === "approved" ? "A" : "R" } : {}),
  });
  return (
    <form {...form.props} className="flex flex-col gap-3">
      <Field label="Comment" hint="optional" error={form.problem("comment")}>
        {(control) => (
          <Textarea {...control} {...form.register("comment")} rows={2} maxLength={LIMITS.commentCharacters} />
        )}
      </Field>
      <p ref={alert} role="alert" className="text-err empty:hidden">
        {refusal}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {hasShortcuts ? (
          <p className="mr-auto hidden text-dense text-text-3 lg:block">
            Press A or R, then Enter. J and K move through the list.
          </p>
        ) : null}
        <Button ref={reject} variant="danger" {...button("rejected")}>
          <X aria-hidden className="size-3.5" />
          Reject
        </Button>
        <Button ref={approve} variant="primary" {...button("approved")}>
          <Check aria-hidden className="size-3.5" />
          Approve
        </Button>
      </div>
    </form>
  );
}
