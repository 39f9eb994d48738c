"use client";

import { useState } from "react";
import type { MembersWithoutTwoStep, WorkspaceSettings } from "#lib/contract/workspace/workspace";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { loadConfirmation, needsConfirmation, useConfirmation } from "@/components/features/two-step/use-confirmation";
import { useHasRole, useSession } from "@/components/shell/session-context";
import { FormError } from "@/components/ui/forms/form-error";
import { Switch } from "@/components/ui/forms/switch";
import { Link } from "@/components/ui/link";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";
import { toast } from "@/components/ui/toast";
import { useOnIntent } from "@/components/ui/use-on-intent";

const ON_INTENT = [loadConfirmation];

/** Lets admins require two-step verification. The question before the change names who would be kept out. */
export function TwoStepRule({ settings }: { settings: WorkspaceSettings }) {
  useOnIntent(ON_INTENT);
  const isAdmin = useHasRole("admin");
  const { user } = useSession();
  const isRequired = settings.require_two_step;
  const [isAsking, setIsAsking] = useState(false);
  const missing = useOperation("list_members_without_two_step", {}, { enabled: isAsking && !isRequired, staleTime: 0 });
  const confirmation = useConfirmation();
  const change = useOperationMutation("set_two_step_rule", {
    invalidates: ["get_workspace"],
    onSuccess: (_, { is_required: isOn }) => {
      toast(isOn ? "Two-step verification is now required." : "Two-step verification is no longer required.");
      setIsAsking(false);
    },
  });
  const save = () => change.mutate({ is_required: !isRequired }, { onError });
  function onError(error: Error) {
    // One dialog at a time: the change is sent again after the confirmation.
    if (needsConfirmation(error)) setIsAsking(false);
    confirmation.onError(error, save);
  }
  const problem = needsConfirmation(change.error) ? null : (change.error?.message ?? null);
  const isOwnMissing = missing.data?.data.some(({ user_id: id }) => id === user.user_id) === true;
  return (
    <>
      <Switch
        label="Require two-step verification"
        description="Members without a second factor can't open this workspace until they set one up. API keys keep working."
        isOn={isRequired}
        onChange={() => setIsAsking(true)}
        disabled={!isAdmin}
      />
      <LazyAlertDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={isRequired ? "Stop requiring two-step verification?" : "Require two-step verification?"}
        confirmLabel={isRequired ? "Stop requiring it" : "Require it"}
        isDestructive={isRequired}
        isBusy={change.isPending || (!isRequired && missing.isPending)}
        error={problem}
        onConfirm={save}
      >
        {isRequired ? (
          <p>Members can then open this workspace with a password alone. Their second factors stay set up.</p>
        ) : (
          <QueryView
            query={missing}
            skeleton={<Skeleton className="h-10" />}
            errorTitle="Couldn't load the members without a second factor."
          >
            {(found) => <Consequences found={found} isOwnMissing={isOwnMissing} />}
          </QueryView>
        )}
      </LazyAlertDialog>
      <FormError>{isAsking ? null : problem}</FormError>
      {confirmation.dialog}
    </>
  );
}

function Consequences({ found, isOwnMissing }: { found: MembersWithoutTwoStep; isOwnMissing: boolean }) {
  const { data, total } = found;
  if (isOwnMissing) {
    return (
      <p>
        Your own account has no second factor.{" "}
        <Link href="/settings/account" className="link">
          Set one up first
        </Link>
        .
      </p>
    );
  }
  if (total === 0) return <p>All members have a second factor, so no one is locked out.</p>;
  return (
    <>
      <p>
        {formatCount(total, "member")} without a second factor can't open this workspace until they set one up. This
        applies immediately:
      </p>
      <ul className="mt-2 list-disc pl-5 [overflow-wrap:anywhere]">
        {data.map(({ user_id: id, name, email }) => (
          <li key={id}>
            {name} ({email})
          </li>
        ))}
        {total > data.length ? <li>{formatCount(total - data.length, "other")}</li> : null}
      </ul>
    </>
  );
}
