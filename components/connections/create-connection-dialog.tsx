"use client";

import { useId, useState } from "react";
import type { ConnectionObject, ConnectorKindObject } from "#lib/contract/connection";
import { callOperation } from "@/components/api/call-operation";
import { CredentialsFields } from "@/components/connections/credentials-fields";
import { CredentialsFooter } from "@/components/connections/credentials-footer";
import { returnPath, signInPlace } from "@/components/connections/sign-in";
import { useConnectionKinds } from "@/components/connections/use-connections";
import { useCredentialsForm } from "@/components/connections/use-credentials-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { QueryView } from "@/components/ui/query-view";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";

interface CreateConnectionDialogProps {
  onClose: () => void;
  /** Which connectors are offered; all when left out. */
  isOffered?: (kind: ConnectorKindObject) => boolean;
  onCreated?: (connection: ConnectionObject) => void;
}

const everyKind = () => true;

export function CreateConnectionDialog({ onClose, isOffered = everyKind, onCreated }: CreateConnectionDialogProps) {
  const kinds = useConnectionKinds();
  const formId = useId();
  const [connector, setConnector] = useState("");
  const [name, setName] = useState<string | null>(null);
  const offered = kinds.data?.data.filter(isOffered) ?? [];
  const kind = offered.find((item) => item.connector === connector) ?? offered[0];
  const shownName = name ?? kind?.name ?? "";
  const form = useCredentialsForm({
    kind,
    send: (given) =>
      callOperation("create_connection", { connector: kind?.connector ?? "", name: shownName.trim(), ...given }),
    signIn: (given) =>
      callOperation("start_authorization", {
        connector: kind?.connector ?? "",
        name: shownName.trim(),
        return_to: returnPath(),
        ...given,
      }),
    onDone: (connection) => {
      onCreated?.(connection);
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New connection"
      description="Its secrets are stored encrypted and never shown again."
      footer={
        <CredentialsFooter
          form={form}
          formId={formId}
          onClose={onClose}
          label={form.auth?.signs_in ? `Sign in at ${signInPlace(kind)}` : "Test and save"}
        />
      }
    >
      <QueryView
        query={kinds}
        skeleton={<Skeleton className="h-40 w-full" />}
        errorTitle="The form could not be loaded."
      >
        {() => (
          <form
            id={formId}
            noValidate
            autoComplete="off"
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              event.stopPropagation();
              void form.submit(false);
            }}
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
            <Field label="Name" error={form.problems.connection_name} isRequired>
              {(control) => (
                <Input
                  {...control}
                  maxLength={100}
                  autoComplete="off"
                  value={shownName}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
            {kind === undefined ? null : <CredentialsFields kind={kind} form={form} />}
          </form>
        )}
      </QueryView>
    </Dialog>
  );
}
