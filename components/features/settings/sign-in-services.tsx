"use client";

import type { IdentityObject, SignInOption } from "#lib/contract/account/account";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { needsConfirmation, useConfirmation } from "@/components/features/two-step/use-confirmation";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { RelativeTime } from "@/components/words/relative-time";

interface SignInServicesProps {
  services: readonly SignInOption[];
  identities: readonly IdentityObject[];
}

/** Lists the accounts of other services that the user can sign in with, and how to connect another. */
export function SignInServices({ services, identities }: SignInServicesProps) {
  const remove = useOperationMutation("remove_identity", {
    invalidates: ["get_sign_in_methods", "list_account_activity"],
    onSuccess: (_output, { provider, subject }) => toast(`${labelOf(provider, subject)} disconnected.`),
  });
  const labelOf = (provider: string, subject: string) =>
    identities.find((one) => one.provider === provider && one.subject === subject)?.label ?? "The account";
  const confirmation = useConfirmation();
  const disconnect = (identity: Pick<IdentityObject, "provider" | "subject">) =>
    remove.mutate(identity, { onError: (error) => confirmation.onError(error, () => disconnect(identity)) });
  const missing = services.filter(({ name }) => !identities.some((identity) => identity.service === name));
  return (
    <div className="flex flex-col gap-3">
      {identities.length === 0 ? null : (
        <ul className="divide-y divide-border rounded-3 border border-border bg-surface">
          {identities.map((identity) => {
            const { provider, subject, email, label: name } = identity;
            return (
              <li key={`${provider} ${subject}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
                <div className="min-w-0 flex-1">
                  <p>{name}</p>
                  <p className="text-dense text-text-2 [overflow-wrap:anywhere]">
                    {email}, last used <RelativeTime at={identity.last_used_at} />
                  </p>
                </div>
                <Button
                  size="sm"
                  isBusy={remove.isPending && remove.variables.subject === subject}
                  aria-label={`Disconnect ${name}, ${email}`}
                  onClick={() => disconnect({ provider, subject })}
                >
                  Disconnect
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {confirmation.dialog}
      {remove.error === null || needsConfirmation(remove.error) ? null : (
        <p role="alert" className="text-err">
          {remove.error.message}
        </p>
      )}
      {missing.length === 0 ? null : (
        <p className="text-text-2">
          To connect {missing.map(({ label }) => label).join(" or ")}, sign out and continue with it. If its account
          uses the same email address as yours, you enter your password once.
        </p>
      )}
    </div>
  );
}
