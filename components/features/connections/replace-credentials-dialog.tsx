"use client";

import type { ConnectionObject } from "#lib/contract/connection/connection";
import { replaceCredentialsInput } from "#lib/contract/connection/connection-inputs";
import { formatCount } from "#lib/support/format/format-number";
import { callOperation } from "@/components/api/call-operation";
import { CredentialsDialog } from "@/components/features/connections/credentials-dialog";
import { returnPath } from "@/components/features/connections/sign-in";
import { useConnectionKinds } from "@/components/features/connections/use-connections";
import { useCredentialsForm } from "@/components/features/connections/use-credentials-form";

interface ReplaceCredentialsDialogProps {
  subject: ConnectionObject;
  onClose: () => void;
}

export function ReplaceCredentialsDialog({ subject, onClose }: ReplaceCredentialsDialogProps) {
  const kinds = useConnectionKinds();
  const kind = kinds.data?.data.find((item) => item.connector === subject.connector);
  const form = useCredentialsForm({
    kind,
    before: subject,
    schema: replaceCredentialsInput,
    toInput: (given) => ({ connection_id: subject.connection_id, ...given }),
    send: (input) => callOperation("replace_credentials", input),
    // Remounted after a new sign-in, so that values typed for the old one are discarded.
    signIn: () =>
      callOperation("start_authorization", { connection_id: subject.connection_id, return_to: returnPath() }),
    onDone: onClose,
  });
  return (
    <CredentialsDialog
      title={`Replace credentials of ${subject.name}`}
      description={consequence(subject)}
      kind={kind}
      form={form}
      label="Test and replace"
      hints={subject.secret_hints}
      onClose={onClose}
    />
  );
}

function consequence({ used_by: uses }: ConnectionObject): string {
  if (uses.length === 0) return "No workflow uses it yet. Enter all secrets again.";
  const who = uses.length === 1 ? uses[0]?.name : formatCount(uses.length, "workflow");
  return `Steps of ${who} use the new credentials from their next call. Enter all secrets again.`;
}
