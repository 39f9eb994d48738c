"use client";

import { useId } from "react";
import type { ConnectionObject } from "#lib/contract/connection";
import { callOperation } from "@/components/api/call-operation";
import { CredentialsFields } from "@/components/connections/credentials-fields";
import { CredentialsFooter } from "@/components/connections/credentials-footer";
import { returnPath } from "@/components/connections/sign-in";
import { useConnectionKinds } from "@/components/connections/use-connections";
import { useCredentialsForm } from "@/components/connections/use-credentials-form";
import { Dialog } from "@/components/ui/dialog";
import { QueryView } from "@/components/ui/query-view";
import { Skeleton } from "@/components/ui/skeleton";

interface ReplaceCredentialsDialogProps {
  subject: ConnectionObject;
  onClose: () => void;
}

export function ReplaceCredentialsDialog({ subject, onClose }: ReplaceCredentialsDialogProps) {
  const kinds = useConnectionKinds();
  const formId = useId();
  const kind = kinds.data?.data.find((item) => item.connector === subject.connector);
  const form = useCredentialsForm({
    kind,
    before: subject,
    send: (given) => callOperation("replace_credentials", { connection_id: subject.connection_id, ...given }),
    // Signed in anew: what was typed for the old sign-in stays with it.
    signIn: () =>
      callOperation("start_authorization", { connection_id: subject.connection_id, return_to: returnPath() }),
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Replace the credentials of ${subject.name}`}
      description={consequence(subject)}
      footer={<CredentialsFooter form={form} formId={formId} onClose={onClose} label="Test and replace" />}
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
              void form.submit(false);
            }}
          >
            {kind === undefined ? null : <CredentialsFields kind={kind} form={form} hints={subject.secret_hints} />}
          </form>
        )}
      </QueryView>
    </Dialog>
  );
}

function consequence({ used_by: uses }: ConnectionObject): string {
  if (uses.length === 0) return "No workflow uses it yet. Enter every secret anew.";
  const who = uses.length === 1 ? uses[0]?.name : `${uses.length} workflows`;
  return `Steps of ${who} use the new ones from their next call. Enter every secret anew.`;
}
