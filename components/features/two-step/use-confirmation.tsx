"use client";

import { lazy, type ReactNode, Suspense, useState } from "react";
import { ClientError } from "@/components/api/client-error";

export const loadConfirmation = () => import("@/components/features/two-step/confirm-identity-dialog");
const ConfirmIdentityDialog = lazy(() => loadConfirmation().then((m) => ({ default: m.ConfirmIdentityDialog })));

interface Confirmation {
  /** Asks the user to confirm who they are, if that is what the error is about, and then tries again. */
  onError: (error: Error, tryAgain: () => void) => void;
  dialog: ReactNode;
}

/** Returns whether an error only says that the user has to confirm who they are. */
export function needsConfirmation(error: Error | null): boolean {
  return error instanceof ClientError && error.reason === "confirmation_needed";
}

/** Lets a user confirm who they are when a change of the account's security needs it. */
export function useConfirmation(): Confirmation {
  const [tryAgain, setTryAgain] = useState<(() => void) | null>(null);
  return {
    onError: (error, next) => {
      if (needsConfirmation(error)) setTryAgain(() => next);
    },
    dialog:
      tryAgain === null ? null : (
        <Suspense>
          <ConfirmIdentityDialog
            onClose={() => setTryAgain(null)}
            onConfirmed={() => {
              setTryAgain(null);
              tryAgain();
            }}
          />
        </Suspense>
      ),
  };
}
