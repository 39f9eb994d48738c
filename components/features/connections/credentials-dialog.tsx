"use client";

import type { ReactNode } from "react";
import type { ConnectorKindObject } from "#lib/contract/connection/connection";
import { CredentialsFields } from "@/components/features/connections/credentials-fields";
import { CredentialsFooter } from "@/components/features/connections/credentials-footer";
import { useConnectionKinds } from "@/components/features/connections/use-connections";
import type { CredentialsForm } from "@/components/features/connections/use-credentials-form";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { Dialog } from "@/components/ui/overlays/dialog";

interface CredentialsDialogProps {
  title: string;
  description: string;
  kind: ConnectorKindObject | undefined;
  form: CredentialsForm;
  /** The label of the save button. */
  label: string;
  /** The previous value of each field: the hint of a secret. */
  hints?: Record<string, string>;
  onClose: () => void;
  /** Fields above the credentials. */
  children?: ReactNode;
}

/** The credentials form, for a new connection and for replacing the credentials of an existing one. */
export function CredentialsDialog(props: CredentialsDialogProps) {
  const { title, description, kind, form, label, hints, onClose, children } = props;
  const kinds = useConnectionKinds();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      footer={<CredentialsFooter form={form} onClose={onClose} label={label} />}
    >
      <QueryView query={kinds} skeleton={<Skeleton className="h-40 w-full" />} errorTitle="Couldn't load the form.">
        {() => (
          <form {...form.props} autoComplete="off" className="flex flex-col gap-4">
            {children}
            {kind === undefined ? null : (
              <CredentialsFields kind={kind} form={form} {...(hints === undefined ? {} : { hints })} />
            )}
          </form>
        )}
      </QueryView>
    </Dialog>
  );
}
