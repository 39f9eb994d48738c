"use client";

import type { CredentialsForm } from "@/components/features/connections/use-credentials-form";
import { Button } from "@/components/ui/button";

interface CredentialsFooterProps {
  form: CredentialsForm;
  onClose: () => void;
  label: string;
}

/** Saving without a passing test is possible, but only after the refusal was shown. */
export function CredentialsFooter({ form, onClose, label }: CredentialsFooterProps) {
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      {form.refusal === null ? null : (
        <Button onClick={() => void form.saveAnyway()} disabled={form.isBusy}>
          Save anyway
        </Button>
      )}
      <Button type="submit" form={form.props.id} variant="primary" isBusy={form.isBusy}>
        {label}
      </Button>
    </>
  );
}
