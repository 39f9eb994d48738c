"use client";

import { type FormEvent, useId, useState } from "react";
import type { ConnectionObject } from "#lib/contract/connection";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Dialog } from "@/components/ui/overlays/dialog";

interface RenameConnectionDialogProps {
  subject: ConnectionObject;
  onClose: () => void;
}

export function RenameConnectionDialog({ subject, onClose }: RenameConnectionDialogProps) {
  const formId = useId();
  const [name, setName] = useState(subject.name);
  const rename = useOperationMutation("rename_connection", { invalidates: ["list_connections"], onSuccess: onClose });
  const isNamed = name.trim() !== "";
  function submit(event: FormEvent) {
    event.preventDefault();
    if (isNamed) rename.mutate({ connection_id: subject.connection_id, name: name.trim() });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Rename ${subject.name}`}
      description="Workflows that use it go on without a change."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" disabled={!isNamed} isBusy={rename.isPending}>
            Rename
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Field label="Name" error={rename.error?.message} isRequired>
          {(control) => (
            <Input
              {...control}
              autoFocus
              maxLength={100}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
