"use client";

import type { ComponentProps, ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";

interface FormDialogProps extends Omit<ComponentProps<typeof Dialog>, "isOpen" | "footer"> {
  /** The form of `useOperationForm` or `useCheckedForm`. */
  form: { props: ComponentProps<"form"> & { id: string }; isBusy: boolean };
  onClose: () => void;
  submitLabel: ReactNode;
  /** Replaces the form's own state, if something else keeps the button busy. */
  isBusy?: boolean;
  isDisabled?: boolean;
  /** The layout of the fields. */
  className?: string;
}

/** A dialog whose content is one form, with Cancel and a button that sends it. */
export function FormDialog(props: FormDialogProps) {
  const { form, submitLabel, isBusy = form.isBusy, isDisabled = false, className, children, ...dialog } = props;
  return (
    <Dialog
      isOpen
      {...dialog}
      footer={
        <>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" form={form.props.id} variant="primary" disabled={isDisabled} isBusy={isBusy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form {...form.props} className={className ?? "flex flex-col gap-4"}>
        {children}
      </form>
    </Dialog>
  );
}
