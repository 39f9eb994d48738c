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

/** Buttons below the form that sign in with an account of another service; renders nothing if none is set up. */
export function ProviderButtons({ providers, returnTo }: ProviderButtonsProps) {
  const [busy, setBusy] = useState<SignInProvider | null>(null);
  async function leave(provider: SignInProvider) {
    setBusy(provider);
    const { signIn } = await import("next-auth/react");
    await signIn(provider, { callbackUrl: returnTo }).catch(() => setBusy(null));
  }
  if (providers.length === 0) return null;
  return (
    <div className="mt-5 flex flex-col gap-2.5">
      <div className="mb-1 flex items-center gap-3 text-dense text-text-3">
        <span className="h-px flex-1 bg-border" />
        or
        <span className="h-px flex-1 bg-border" />
      </div>
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
    </div>
  );
}
