"use client";

import { useState } from "react";
import type { SignInOption } from "#lib/contract/account/account";
import { ProviderMark } from "@/components/features/accounts/provider-mark";
import { Button } from "@/components/ui/button";

interface ProviderButtonsProps {
  services: readonly SignInOption[];
  /** A path of this site that opens after signing in. */
  returnTo: string;
}

/** Buttons that sign in with an account of another service; renders nothing if none is set up. */
export function ProviderButtons({ services, returnTo }: ProviderButtonsProps) {
  const [busy, setBusy] = useState<string | null>(null);
  async function leave(name: string) {
    setBusy(name);
    const { signIn } = await import("next-auth/react");
    await signIn(name, { callbackUrl: returnTo }).catch(() => setBusy(null));
  }
  if (services.length === 0) return null;
  return (
    <>
      {services.map((service) => (
        <Button
          key={service.name}
          className="w-full"
          isBusy={busy === service.name}
          disabled={busy !== null && busy !== service.name}
          onClick={() => void leave(service.name)}
        >
          {busy === service.name ? null : <ProviderMark service={service} />}
          <span className="truncate">Continue with {service.label}</span>
        </Button>
      ))}
    </>
  );
}
