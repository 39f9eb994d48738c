"use client";

import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { PasskeyRequest } from "#lib/contract/account/account";
import { invalidateOperations, useOperationMutation } from "@/components/api/operation-hooks";
import { loadConfirmation, needsConfirmation, useConfirmation } from "@/components/features/two-step/use-confirmation";
import { toast } from "@/components/ui/toast";
import { useOnIntent } from "@/components/ui/use-on-intent";

/** The dialogs, with the drawing of QR codes and the exchange with passkeys, load when the user is about to use them. */
const loadPasskey = () => import("@/components/features/two-step/passkey-dialog");
const loadCodes = () => import("@/components/features/two-step/recovery-codes-dialog");
const loadTotp = () => import("@/components/features/two-step/totp-dialog");
const PasskeyDialog = lazy(() => loadPasskey().then((m) => ({ default: m.PasskeyDialog })));
const RecoveryCodesDialog = lazy(() => loadCodes().then((m) => ({ default: m.RecoveryCodesDialog })));
const TotpDialog = lazy(() => loadTotp().then((m) => ({ default: m.TotpDialog })));
const ON_INTENT = [loadConfirmation, loadPasskey, loadCodes, loadTotp];

type OpenDialog =
  | { kind: "totp"; secret: string; uri: string }
  | { kind: "passkey"; request: PasskeyRequest }
  | { kind: "codes"; codes: readonly string[] }
  | null;

/** The changes of a user's second factors. A change that needs it asks first who the user is. */
export function useTwoStep(onTurnedOn: () => void = () => undefined) {
  useOnIntent(ON_INTENT);
  const [open, setOpen] = useState<OpenDialog>(null);
  const queryClient = useQueryClient();
  const confirmation = useConfirmation();
  const beginTotp = useOperationMutation("begin_totp", { onSuccess: (begun) => setOpen({ kind: "totp", ...begun }) });
  const beginPasskey = useOperationMutation("begin_passkey", {
    onSuccess: (request) => setOpen({ kind: "passkey", request }),
  });
  const remove = useOperationMutation("remove_factor", {
    invalidates: ["get_two_step", "list_account_activity"],
    onSuccess: (_, { passkey_id: id }) => toast(id === undefined ? "Authenticator app removed." : "Passkey removed."),
  });
  const replace = useOperationMutation("replace_recovery_codes", {
    invalidates: ["get_two_step", "list_account_activity"],
    onSuccess: ({ recovery_codes: codes }) => setOpen({ kind: "codes", codes }),
  });

  async function onAdded(codes: string[] | null) {
    setOpen(codes === null ? null : { kind: "codes", codes });
    if (codes === null) toast("Added.");
    await invalidateOperations(queryClient, ["get_two_step", "list_sessions", "list_account_activity"]);
  }

  const addTotp = () => beginTotp.mutate({}, { onError: (error) => confirmation.onError(error, addTotp) });
  const addPasskey = () => beginPasskey.mutate({}, { onError: (error) => confirmation.onError(error, addPasskey) });
  const removeFactor = (passkeyId?: string) =>
    remove.mutate(passkeyId === undefined ? {} : { passkey_id: passkeyId }, {
      onError: (error) => confirmation.onError(error, () => removeFactor(passkeyId)),
    });
  const replaceCodes = () => replace.mutate({}, { onError: (error) => confirmation.onError(error, replaceCodes) });

  const failed = [beginTotp, beginPasskey, remove, replace].map(({ error }) => error);
  const dialogs: ReactNode = (
    <Suspense>
      {confirmation.dialog}
      {open?.kind === "totp" ? <TotpDialog {...open} onClose={() => setOpen(null)} onAdded={onAdded} /> : null}
      {open?.kind === "passkey" ? (
        <PasskeyDialog request={open.request} onClose={() => setOpen(null)} onAdded={onAdded} />
      ) : null}
      {open?.kind === "codes" ? (
        <RecoveryCodesDialog
          codes={open.codes}
          onClose={() => {
            setOpen(null);
            onTurnedOn();
          }}
        />
      ) : null}
    </Suspense>
  );
  return {
    addTotp,
    addPasskey,
    removeFactor,
    replaceCodes,
    dialogs,
    isStarting: beginTotp.isPending || beginPasskey.isPending,
    error: failed.find((error) => error !== null && !needsConfirmation(error))?.message ?? null,
  };
}
