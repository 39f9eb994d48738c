"use client";

import { WEBHOOK_SENDER_NAMES, WEBHOOK_SENDERS, type WebhookSenderName } from "#lib/contract/webhooks/senders";
import { parseLiteral } from "@/components/canvas/expressions/literal-values";
import { DeliveryIdField } from "@/components/canvas/kinds/trigger/delivery-id-field";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { SecretField } from "@/components/canvas/panel/fields/secret-field";
import { SourceField } from "@/components/canvas/panel/fields/source-field";
import { Link } from "@/components/ui/link";

const BY_LABEL = WEBHOOK_SENDER_NAMES.map((value) => ({ value, label: WEBHOOK_SENDERS[value].label })).toSorted(
  (left, right) => left.label.localeCompare(right.label, "en"),
);
const SCHEMES = [
  { value: "auto", label: "Detect from headers" },
  ...BY_LABEL,
  { value: "generic", label: "HMAC of the body" },
  { value: "custom", label: "Custom verification" },
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
  const sender = WEBHOOK_SENDER_NAMES.find((name) => name === scheme.value);
  return (
    <>
      <ChoiceField path={["scheme"]} label="Sender" options={SCHEMES} fallback="auto" />
      {sender ? <SenderHint name={sender} /> : null}
      <SecretField isBrought={sender !== undefined && "handshake" in WEBHOOK_SENDERS[sender]} />
      {scheme.value === "custom" ? <CustomFields /> : null}
      {isSigned ? (
        <>
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
      <DeliveryIdField />
    </>
  );
}

function SenderHint({ name }: { name: WebhookSenderName }) {
  const { label, secret, source } = WEBHOOK_SENDERS[name];
  return (
    <p className="text-dense text-text-3">
      Secret: {secret}.{" "}
      <a href={source} target="_blank" rel="noreferrer" className="text-accent underline">
        How {label} signs webhooks
      </a>
    </p>
  );
}

function CustomFields() {
  return (
    <SourceField
      path={["verification"]}
      label="Verification"
      rows={8}
      placeholder={'{\n  "type": "hmac",\n  "signature": { "header": "x-signature" }\n}'}
      parse={(text) => parseLiteral("object", text)}
    >
      <p className="text-dense text-text-3">
        JSON.{" "}
        <Link href="/docs/guides/webhooks#verify-a-custom-sender" className="text-accent underline">
          How to verify a custom sender
        </Link>
      </p>
    </SourceField>
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
