"use client";

import { z } from "zod";
import type { PasskeyRequest } from "#lib/contract/account/account";
import { personNameSchema } from "#lib/contract/account/person-inputs";
import { callOperation } from "@/components/api/call-operation";
import { checkBySchema } from "@/components/api/form-faults";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { createPasskey } from "@/components/features/accounts/passkey";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface PasskeyDialogProps {
  request: PasskeyRequest;
  onClose: () => void;
  /** Called with the recovery codes, if this is the first second factor. */
  onAdded: (codes: string[] | null) => void;
}

const schema = z.object({ name: personNameSchema });

/** Asks for a name, and lets the browser create a passkey. */
export function PasskeyDialog({ request, onClose, onAdded }: PasskeyDialogProps) {
  const form = useCheckedForm({
    start: { name: "" },
    check: (values) => checkBySchema(schema, values, { values, fields: {}, missing: { name: "Enter a name." } }),
    send: async ({ name }) => {
      const response = await createPasskey(request);
      const added = await callOperation("add_passkey", { name, token: request.token, response });
      onAdded(added.recovery_codes);
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Add a passkey"
      description="Your browser asks for a fingerprint, your face, a PIN or a security key."
      submitLabel="Create passkey"
    >
      <Field
        label="Name"
        description="Where you keep it, such as: Work laptop."
        error={form.problem("name")}
        isRequired
      >
        {(control) => <Input {...control} {...form.register("name")} maxLength={100} autoComplete="off" />}
      </Field>
      <FormError>{form.general}</FormError>
    </FormDialog>
  );
}
