"use client";

import type { ConnectionObject } from "#lib/contract/connection/connection";
import { renameConnectionInput } from "#lib/contract/connection/connection-inputs";
import { useOperationForm } from "@/components/api/use-operation-form";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface RenameConnectionDialogProps {
  subject: ConnectionObject;
  onClose: () => void;
}

export function RenameConnectionDialog({ subject, onClose }: RenameConnectionDialogProps) {
  const form = useOperationForm("rename_connection", {
    schema: renameConnectionInput,
    start: { name: subject.name },
    toInput: ({ name }) => ({ connection_id: subject.connection_id, name: name.trim() }),
    invalidates: ["list_connections", "list_step_catalog"],
    onSuccess: onClose,
  });
  const isNamed = form.value("name").trim() !== "";
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Rename ${subject.name}`}
      description="Workflows that use it keep working."
      submitLabel="Rename"
      isDisabled={!isNamed}
    >
      <Field label="Name" error={form.problem("name") ?? form.general} isRequired>
        {(control) => <Input {...control} {...form.register("name")} autoFocus maxLength={100} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}
