"use client";

import type { SecondFactorProof } from "#lib/contract/account/account";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";

interface FactorCodeFormProps {
  kind: "code" | "recovery_code";
  submitLabel: string;
  /** Returns the message for a refused code, or null. An error that it throws is shown below the form. */
  send: (proof: SecondFactorProof) => Promise<string | null>;
}

const WORDS = {
  code: {
    label: "Code",
    description: "Six digits from your authenticator app.",
    missing: "Enter the code that your app shows.",
  },
  recovery_code: {
    label: "Recovery code",
    description: "One of the codes that you saved. Each works once.",
    missing: "Enter a recovery code.",
  },
} as const;

/** Asks for a code of the authenticator app, or for a recovery code. */
export function FactorCodeForm({ kind, submitLabel, send }: FactorCodeFormProps) {
  const { label, description, missing } = WORDS[kind];
  const form = useCheckedForm({
    start: { code: "" },
    check: ({ code }) => ({ byField: { ...(code.trim() === "" ? { code: missing } : {}) }, general: null }),
    fields: { recovery_code: "code" },
    send: async ({ code }) => {
      const refused = await send(kind === "code" ? { code } : { recovery_code: code });
      if (refused !== null) form.fail("code", refused);
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <Field label={label} description={description} error={form.problem("code")} isRequired>
        {(control) => (
          <Input
            {...control}
            {...form.register("code")}
            isMono
            autoComplete={kind === "code" ? "one-time-code" : "off"}
            inputMode={kind === "code" ? "numeric" : "text"}
            maxLength={kind === "code" ? 10 : 40}
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <FormError>{form.general}</FormError>
      <Button type="submit" variant="primary" isBusy={form.isBusy} className="w-full">
        {submitLabel}
      </Button>
    </form>
  );
}
