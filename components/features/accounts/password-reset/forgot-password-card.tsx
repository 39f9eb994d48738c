"use client";

import { useState } from "react";
import { requestPasswordResetInput } from "#lib/contract/account/person-inputs";
import { LIMITS } from "#lib/contract/limits";
import { checkBySchema } from "@/components/api/form-faults";
import { postJson } from "@/components/api/post-json";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { Link } from "@/components/ui/link";

/** Emails a link that sets a new password, or names the command of the operator if the instance has no mail server. */
export function ForgotPasswordCard({ canMail }: { canMail: boolean }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <AuthCard
      title={sentTo === null ? "Reset your password" : "Check your email"}
      footer={
        <Link href="/sign-in" className="link">
          Back to sign in
        </Link>
      }
    >
      {sentTo === null ? canMail ? <AskForm onSent={setSentTo} /> : <OperatorHint /> : <SentNote email={sentTo} />}
    </AuthCard>
  );
}

function OperatorHint() {
  return (
    <>
      <p className="mt-2 text-text-2">
        This instance has no mail server, so it can't email you a link. Ask its operator to run this command on the
        server:
      </p>
      <pre className="mt-3 whitespace-pre-wrap break-words rounded-2 bg-canvas p-3 font-mono text-dense">
        npm run admin -- set-password --email you@example.com
      </pre>
    </>
  );
}

function SentNote({ email }: { email: string }) {
  return (
    <p role="status" className="mt-2 text-text-2">
      If <span className="break-all font-medium text-text">{email}</span> has an account, we're sending a link to it.
      The link works once, for {LIMITS.passwordResetMinutes} minutes. Look in your spam folder if you don't see it.
    </p>
  );
}

function AskForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useCheckedForm({
    start: { email: "" },
    check: (values) =>
      checkBySchema(requestPasswordResetInput, values, { values, missing: { email: "Enter your email address." } }),
    send: async ({ email }) => {
      await postJson("/api/password-reset", { email });
      onSent(email.trim());
    },
  });
  return (
    <>
      <p className="mt-1 text-text-2">We email you a link to choose a new password.</p>
      <form {...form.props} className="mt-5 flex flex-col gap-4">
        <Field label="Email" error={form.problem("email")} isRequired>
          {(control) => (
            <Input
              {...control}
              {...form.register("email")}
              autoFocus
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <FormError>{form.general}</FormError>
        <Button type="submit" variant="primary" isBusy={form.isBusy} className="mt-1 w-full">
          Email me a link
        </Button>
      </form>
    </>
  );
}
