"use client";

import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { SecretField } from "@/components/canvas/panel/fields/secret-field";

const SCHEMES = [
  { value: "auto", label: "Detect from headers" },
  { value: "standard", label: "Standard Webhooks" },
  { value: "github", label: "GitHub" },
  { value: "stripe", label: "Stripe" },
  { value: "slack", label: "Slack" },
  { value: "generic", label: "HMAC of the body" },
];
const ALGORITHMS = ["sha256", "sha512", "sha1"].map((value) => ({
  value,
  label: value.toUpperCase().replace("SHA", "SHA-"),
}));
const ENCODINGS = [
  { value: "hex", label: "Hexadecimal" },
  { value: "base64", label: "Base64" },
];

/** Edits who may call the URL and how the caller proves it (decisions, Inbound webhooks). */
export function WebhookForm() {
  const secret = useNodeField(["secret"]);
  const scheme = useNodeField(["scheme"]);
  const isSigned = typeof secret.value === "string" && secret.value !== "";
  return (
    <>
      <SecretField />
      {isSigned ? (
        <>
          <ChoiceField path={["scheme"]} label="Signature scheme" options={SCHEMES} fallback="auto" />
          {scheme.value === "generic" ? <HmacFields /> : null}
          <PlainField
            path={["tolerance_seconds"]}
            label="Maximum age"
            hint="seconds"
            placeholder="300"
            parse={(text) => (text.trim() === "" ? undefined : /^\s*\d+\s*$/.test(text) ? Number(text) : text)}
          />
        </>
      ) : null}
    </>
  );
}

function HmacFields() {
  return (
    <>
      <PlainField
        path={["header"]}
        label="Header"
        placeholder="x-webhook-signature"
        isMono
        parse={(text) => (text.trim() === "" ? undefined : text.trim())}
      />
      <ChoiceField path={["algorithm"]} label="Hash" options={ALGORITHMS} fallback="sha256" />
      <ChoiceField path={["encoding"]} label="Encoding" options={ENCODINGS} fallback="hex" />
    </>
  );
}
