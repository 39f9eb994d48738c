"use client";

import { useState } from "react";
import { SIGN_IN_PROVIDER_NAMES, type SignInProvider } from "#lib/contract/web/account";
import { ProviderMark } from "@/components/features/accounts/provider-mark";
import { Button } from "@/components/ui/button";

interface ProviderButtonsProps {
  providers: readonly SignInProvider[];
  /** A path of this site that opens after signing in. */
  returnTo: string;
}

/** Buttons that sign in with an account of another service; renders nothing if none is set up. */
export function ProviderButtons({ providers, returnTo }: ProviderButtonsProps) {
  const [busy, setBusy] = useState<SignInProvider | null>(null);
  async function leave(provider: SignInProvider) {
    setBusy(provider);
    const { signIn } = await import("next-auth/react");
    await signIn(provider, { callbackUrl: returnTo }).catch(() => setBusy(null));
  }
  if (providers.length === 0) return null;
  return (
    <>
      {providers.map((provider) => (
        <Button
          key={provider}
          className="w-full"
          isBusy={busy === provider}
          disabled={busy !== null && busy !== provider}
          onClick={() => void leave(provider)}
        >
          {busy === provider ? null : <ProviderMark provider={provider} />}
          Continue with {SIGN_IN_PROVIDER_NAMES[provider]}
        </Button>
      ))}
    </>
  );
}
