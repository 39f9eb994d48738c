"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PasskeyRequest, SecondFactorProof, SignInChallenge } from "#lib/contract/account/account";
import { postJson } from "@/components/api/post-json";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { FactorCodeForm } from "@/components/features/accounts/factor-code-form";
import { PasskeyButton } from "@/components/features/accounts/passkey-button";
import { sendSecondFactor } from "@/components/features/accounts/sign-in";
import { Button } from "@/components/ui/button";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";

interface SecondFactorCardProps {
  /** Proves the first step. */
  ticket: string;
  onSignedIn: () => unknown;
  /** Called with the name of a service at which the sign-in continues. */
  onConnected: (service: string) => unknown;
  /** Called with the message if the sign-in has to start again. */
  onExpired: (message: string) => void;
}

function askServer(ticket: string): Promise<SignInChallenge> {
  return postJson("/api/sign-in-challenge", { ticket }) as Promise<SignInChallenge>;
}

/** The second step of a sign-in: a code, a passkey or a recovery code. */
export function SecondFactorCard({ ticket, onSignedIn, onConnected, onExpired }: SecondFactorCardProps) {
  const challenge = useQuery({
    queryKey: ["sign-in-challenge", ticket],
    queryFn: () => askServer(ticket),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  async function send(proof: SecondFactorProof): Promise<string | null> {
    const result = await sendSecondFactor(ticket, proof);
    if (result.status === "signed_in") await onSignedIn();
    if (result.status === "connected") await onConnected(result.service);
    if (result.status === "expired") onExpired(result.message);
    return result.status === "refused" ? result.message : null;
  }
  return (
    <AuthCard
      title="Two-step verification"
      footer={
        <button type="button" className="link" onClick={() => onExpired("")}>
          Sign in with another account
        </button>
      }
    >
      <p className="mt-1 mb-5 text-text-2">One more step: confirm that it's you.</p>
      <QueryView query={challenge} skeleton={<Skeleton className="h-28" />} errorTitle="This sign-in can't continue.">
        {(data) => <Choices {...data} ticket={ticket} send={send} />}
      </QueryView>
    </AuthCard>
  );
}

interface ChoicesProps extends SignInChallenge {
  ticket: string;
  send: (proof: SecondFactorProof) => Promise<string | null>;
}

function Choices({ has_authenticator: hasAuthenticator, passkey, ticket, send }: ChoicesProps) {
  const [isRecovering, setIsRecovering] = useState(false);
  const kind = isRecovering ? "recovery_code" : "code";
  const hasForm = isRecovering || hasAuthenticator;
  return (
    <div className="flex flex-col gap-3">
      {hasForm ? <FactorCodeForm key={kind} kind={kind} submitLabel="Verify" send={send} /> : null}
      {passkey === null ? null : (
        <PasskeyButton
          label="Use a passkey"
          variant={hasForm ? "secondary" : "primary"}
          begin={() => beginAgain(ticket)}
          onSigned={async (proof) => {
            const refused = await send({ passkey: proof });
            if (refused !== null) throw new Error(refused);
          }}
        />
      )}
      <Button variant="ghost" className="w-full" onClick={() => setIsRecovering(!isRecovering)}>
        {isRecovering ? "Use another method" : "Use a recovery code"}
      </Button>
    </div>
  );
}

async function beginAgain(ticket: string): Promise<PasskeyRequest> {
  const { passkey } = await askServer(ticket);
  if (passkey === null) throw new Error("Your account no longer has a passkey.");
  return passkey;
}
