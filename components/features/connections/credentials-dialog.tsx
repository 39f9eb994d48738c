"use client";

import type { ReactNode } from "react";
import type { ConnectorKindObject } from "#lib/contract/connection";
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
  /** Of the button that saves. */
  label: string;
  /** What stood there before, by field: the hint of a secret. */
  hints?: Record<string, string>;
  onClose: () => void;
  /** Fields above those of the credentials. */
  children?: ReactNode;
}

/** The form of a connection's credentials, for one that is made and for one whose credentials are replaced. */
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
      <QueryView
        query={kinds}
        skeleton={<Skeleton className="h-40 w-full" />}
        errorTitle="The form could not be loaded."
      >
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
