"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { PasskeyProof, PasskeyRequest } from "#lib/contract/account/account";
import { signWithPasskey } from "@/components/features/accounts/passkey";
import { Button, type ButtonProps } from "@/components/ui/button";
import { FormError } from "@/components/ui/forms/form-error";

interface PasskeyButtonProps {
  label: string;
  variant?: ButtonProps["variant"];
  /** Asks the server for a challenge. Called for each attempt, because a challenge works once. */
  begin: () => Promise<PasskeyRequest>;
  /** Sends the answer. An error that it throws is shown below the button. */
  onSigned: (proof: PasskeyProof) => Promise<unknown>;
}

/** Signs with a passkey, and shows why that failed. */
export function PasskeyButton({ label, variant = "secondary", begin, onSigned }: PasskeyButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  async function use() {
    setIsBusy(true);
    setError(null);
    try {
      await onSigned(await signWithPasskey(await begin()));
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <>
      <Button className="w-full" variant={variant} isBusy={isBusy} onClick={() => void use()}>
        {isBusy ? null : <KeyRound aria-hidden className="size-4" />}
        {label}
      </Button>
      <FormError>{error}</FormError>
    </>
  );
}
