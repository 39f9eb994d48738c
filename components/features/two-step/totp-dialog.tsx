"use client";

import { encode } from "uqr";
import { z } from "zod";
import { codeSchema } from "#lib/contract/account/two-step-schema";
import { useOperationForm } from "@/components/api/use-operation-form";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface TotpDialogProps {
  secret: string;
  /** The address in the QR code. */
  uri: string;
  onClose: () => void;
  /** Called with the recovery codes, if this is the first second factor. */
  onAdded: (codes: string[] | null) => void;
}

/** Shows the secret for an authenticator app, and asks for a first code. */
export function TotpDialog({ secret, uri, onClose, onAdded }: TotpDialogProps) {
  const form = useOperationForm("confirm_totp", {
    schema: z.object({ code: codeSchema }),
    start: { code: "" },
    toInput: (values) => values,
    missing: { code: "Enter the code that your app shows." },
    invalidates: ["get_two_step", "list_sessions", "list_account_activity"],
    onSuccess: ({ recovery_codes: codes }) => onAdded(codes),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Set up an authenticator app"
      description="Scan the code with an app such as 1Password, Aegis or Google Authenticator."
      submitLabel="Turn on"
    >
      <div className="flex justify-center">
        <QrCode text={uri} label="QR code for an authenticator app" />
      </div>
      <div className="flex flex-col gap-1">
        <p className="text-text-2">Can't scan it? Type this key into the app:</p>
        <div className="flex items-center gap-2 rounded-3 border border-border bg-sunken py-1.5 pr-1.5 pl-3">
          <code data-testid="totp-secret" className="min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]">
            {secret.replace(/(.{4})(?=.)/g, "$1 ")}
          </code>
          <CopyButton value={secret} label="Copy key" />
        </div>
      </div>
      <Field label="Code" description="Six digits that the app shows now." error={form.problem("code")} isRequired>
        {(control) => (
          <Input
            {...control}
            {...form.register("code")}
            isMono
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={10}
          />
        )}
      </Field>
      <FormError>{form.general}</FormError>
    </FormDialog>
  );
}

/** Modules of white around the code, which scanners need (ISO/IEC 18004). */
const BORDER = 4;

/** Draws a QR code in the browser: the secret in it reaches no other server. Black on white in both themes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: BORDER });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .filter((part) => part !== "")
    .join("");
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="size-48 rounded-2">
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" shapeRendering="crispEdges" />
    </svg>
  );
}
