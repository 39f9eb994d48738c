"use client";

import { clsx } from "clsx";
import * as Primitive from "radix-ui/alert-dialog";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { OVERLAY_LOOK, WINDOW_LOOK } from "@/components/ui/overlays/dialog";
import { returnFocus } from "@/components/ui/overlays/return-focus";

export interface AlertDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The consequence, in plain words. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  isBusy?: boolean;
  isDestructive?: boolean;
  /** The text that the user must type to enable the button. */
  typeToConfirm?: string;
  error?: string | null;
}

/** A question that must be answered. The button that confirms is on the right; Cancel has the focus. */
export function AlertDialog(props: AlertDialogProps) {
  const { isOpen, onClose, title, children } = props;
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Primitive.Portal>
        <Primitive.Overlay className={OVERLAY_LOOK} />
        <Primitive.Content onCloseAutoFocus={returnFocus} className={clsx(WINDOW_LOOK, "max-w-[440px]")}>
          <AnswerForm {...props}>
            <Primitive.Title className="text-title font-semibold">{title}</Primitive.Title>
            <Primitive.Description asChild>
              <div className="flex flex-col gap-2 text-text-2">{children}</div>
            </Primitive.Description>
          </AnswerForm>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** The question's text, the confirmation to type, and the two buttons. Mounted again for each question. */
function AnswerForm(props: AlertDialogProps) {
  const { children, confirmLabel, cancelLabel = "Cancel", onConfirm, error, isBusy = false, isDestructive } = props;
  const { typeToConfirm } = props;
  const [typed, setTyped] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    onConfirm();
  }
  return (
    <form className="contents" onSubmit={submit}>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4">
        {children}
        {typeToConfirm === undefined ? null : (
          <Field label={`Type ${typeToConfirm} to confirm`}>
            {(control) => (
              <Input
                {...control}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
        )}
        {error ? (
          <p role="alert" className="text-err">
            {error}
          </p>
        ) : null}
      </div>
      <footer className="flex flex-wrap justify-end gap-2 border-t border-border px-4 py-3">
        <Primitive.Cancel asChild>
          <Button variant="secondary">{cancelLabel}</Button>
        </Primitive.Cancel>
        <Button
          type="submit"
          variant={isDestructive ? "danger-solid" : "primary"}
          isBusy={isBusy}
          disabled={typeToConfirm !== undefined && typed.trim() !== typeToConfirm}
        >
          {confirmLabel}
        </Button>
      </footer>
    </form>
  );
}
