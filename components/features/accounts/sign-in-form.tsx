"use client";

import type { PasskeyRequest, SignInChallenge, SignInOption } from "#lib/contract/account/account";
import { postJson } from "@/components/api/post-json";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { OtherMethods } from "@/components/features/accounts/other-methods";
import { PasskeyButton } from "@/components/features/accounts/passkey-button";
import { PasswordInput } from "@/components/features/accounts/password-input";
import { ProviderButtons } from "@/components/features/accounts/provider-buttons";
import { SecondFactorCard } from "@/components/features/accounts/second-factor-card";
import { type SignInErrand, useSignIn } from "@/components/features/accounts/use-sign-in";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Link } from "@/components/ui/link";

interface SignInFormProps extends SignInErrand {
  /** A path of this site. */
  returnTo: string;
  canSignUp: boolean;
  /** next-auth's error code, if it sent the user here. */
  initialError: string | null;
  /** Proves the first step, if another service sent the user here after it. */
  ticket?: string | null;
  /** Whether browsers offer passkeys at the address of this installation. */
  hasPasskeys?: boolean;
  services: readonly SignInOption[];
}

export function SignInForm(props: SignInFormProps) {
  const {
    returnTo,
    canSignUp,
    initialError,
    ticket: givenTicket = null,
    hasPasskeys = false,
    services,
    ...errand
  } = props;
  const signIn = useSignIn({ returnTo, initialError, ticket: givenTicket }, errand);
  const { form, refusal, ticket } = signIn;
  const { invite, link } = errand;
  const isAddressGiven = invite !== undefined || link !== undefined;
  if (ticket !== null) {
    const { leave, continueWith, restart } = signIn;
    return <SecondFactorCard ticket={ticket} onSignedIn={leave} onConnected={continueWith} onExpired={restart} />;
  }
  return (
    <AuthCard
      title={invite === undefined ? "Sign in" : `Join ${invite.workspaceName}`}
      footer={canSignUp ? <WayToSignUp /> : undefined}
    >
      <Introduction {...errand} />
      <form {...form.props} className="mt-5 flex flex-col gap-4">
        <Field label="Email" error={form.problem("email")} isRequired>
          {(control) => (
            <Input
              {...control}
              {...form.register("email")}
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              readOnly={isAddressGiven}
              autoFocus={!isAddressGiven}
            />
          )}
        </Field>
        <Field label="Password" error={form.problem("password") ?? refusal} isRequired>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register("password")}
              autoFocus={isAddressGiven}
              autoComplete="current-password"
            />
          )}
        </Field>
        <span role="alert" className="sr-only">
          {refusal}
        </span>
        <Link href="/forgot-password" className="link -mt-2 self-end text-dense">
          Forgot your password?
        </Link>
        <Button type="submit" variant="primary" isBusy={form.isBusy || form.isDone} className="mt-1 w-full">
          {link === undefined ? (invite === undefined ? "Sign in" : "Sign in and join") : "Sign in and connect"}
        </Button>
      </form>
      <OtherMethods hasAny={hasPasskeys || (services.length > 0 && link === undefined)}>
        {hasPasskeys ? (
          <PasskeyButton label="Continue with a passkey" begin={askForPasskey} onSigned={signIn.usePasskey} />
        ) : null}
        {link === undefined ? <ProviderButtons services={services} returnTo={returnOf(errand, returnTo)} /> : null}
      </OtherMethods>
    </AuthCard>
  );
}

async function askForPasskey(): Promise<PasskeyRequest> {
  const { passkey } = (await postJson("/api/sign-in-challenge", {})) as SignInChallenge;
  if (passkey === null) throw new Error("Passkeys aren't available here.");
  return passkey;
}

/** Returns to the invite, which the user accepts with a click once they are signed in. */
function returnOf({ invite }: SignInErrand, returnTo: string): string {
  return invite === undefined ? returnTo : `/signup?invite=${encodeURIComponent(invite.token)}`;
}

function Introduction({ invite, link }: SignInErrand) {
  if (invite !== undefined) return <p className="mt-1 text-text-2">Sign in to accept the invite.</p>;
  if (link === undefined) return null;
  const service = link.label;
  return (
    <p className="mt-1 text-text-2">
      An account with your {service} address already exists. Enter its password once to sign in with {service} from now
      on.
    </p>
  );
}

function WayToSignUp() {
  return (
    <>
      No account yet?{" "}
      <Link href="/signup" className="link">
        Create one
      </Link>
    </>
  );
}
