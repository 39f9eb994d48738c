"use client";

import { useState } from "react";
import type { ConnectionObject, ConnectorKindObject } from "#lib/contract/connection/connection";
import { createConnectionInput } from "#lib/contract/connection/connection-inputs";
import { callOperation } from "@/components/api/call-operation";
import { CredentialsDialog } from "@/components/features/connections/credentials-dialog";
import { returnPath, signInPlace } from "@/components/features/connections/sign-in";
import { useConnectionKinds } from "@/components/features/connections/use-connections";
import { useCredentialsForm } from "@/components/features/connections/use-credentials-form";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";

interface CreateConnectionDialogProps {
  onClose: () => void;
  /** The connectors to offer; all if omitted. */
  isOffered?: (kind: ConnectorKindObject) => boolean;
  onCreated?: (connection: ConnectionObject) => void;
  /** What the form contains at first, such as the host of the step that needs it. */
  prefill?: { name: string; fields: Record<string, string> } | undefined;
}

const everyKind = () => true;

export function CreateConnectionDialog({
  onClose,
  isOffered = everyKind,
  onCreated,
  prefill,
}: CreateConnectionDialogProps) {
  const kinds = useConnectionKinds();
  const [connector, setConnector] = useState("");
  const offered = kinds.data?.data.filter(isOffered) ?? [];
  const kind = offered.find((item) => item.connector === connector) ?? offered[0];
  const form = useCredentialsForm({
    kind,
    prefill,
    schema: createConnectionInput,
    toInput: (given, name) => ({ connector: kind?.connector ?? "", name, ...given }),
    send: (input) => callOperation("create_connection", input),
    signIn: (given, name) =>
      callOperation("start_authorization", {
        connector: kind?.connector ?? "",
        name,
        return_to: returnPath(),
        ...given,
      }),
    onDone: (connection) => {
      onCreated?.(connection);
      onClose();
    },
  });
  return (
    <CredentialsDialog
      title="New connection"
      description="Secrets are stored encrypted and never shown again."
      kind={kind}
      form={form}
      label={form.auth?.signs_in ? `Sign in at ${signInPlace(kind)}` : "Test and save"}
      onClose={onClose}
    >
      <Field label="Connector" description={kind?.description}>
        {(control) => (
          <Select
            {...control}
            value={kind?.connector}
            onChange={(event) => {
              setConnector(event.target.value);
              form.setAuth("");
            }}
          >
            {offered.map((item) => (
              <option key={item.connector} value={item.connector}>
                {item.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Name" error={form.nameProblem} isRequired>
        {(control) => (
          <Input
            {...control}
            maxLength={100}
            autoComplete="off"
            value={form.name}
            onChange={(event) => form.setName(event.target.value)}
          />
        )}
      </Field>
    </CredentialsDialog>
  );
}
