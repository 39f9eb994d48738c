"use client";

import { LIMITS } from "#lib/contract/limits";
import { WEBHOOK_METHODS, type WebhookMethod, type WebhookResponseMode } from "#lib/contract/trigger/trigger";
import { WEBHOOK_SENDER_NAMES, WEBHOOK_SENDERS, type WebhookSenderName } from "#lib/contract/webhooks/senders";
import { parseLiteral } from "@/components/canvas/expressions/literal-values";
import { DeliveryIdField } from "@/components/canvas/kinds/trigger/delivery-id-field";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { SecretField } from "@/components/canvas/panel/fields/secret-field";
import { SourceField } from "@/components/canvas/panel/fields/source-field";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Checkbox } from "@/components/ui/forms/checkbox";
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
const RESPONSES: readonly { value: WebhookResponseMode; label: string }[] = [
  { value: "accepted", label: "202 at once" },
  { value: "result", label: "What the run returns" },
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
            parse={parseSeconds}
          />
        </>
      ) : null}
      <DeliveryIdField />
      <MethodBoxes />
      <ResponseFields />
    </>
  );
}

/** Chooses the methods with which requests start runs. */
function MethodBoxes() {
  const field = useNodeField(["methods"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const chosen: readonly unknown[] = Array.isArray(field.value) ? field.value : ["POST"];
  function choose(method: WebhookMethod, isOn: boolean) {
    const next = WEBHOOK_METHODS.filter((other) => (other === method ? isOn : chosen.includes(other)));
    field.set(next.length === 1 && next[0] === "POST" ? undefined : next);
  }
  return (
    <fieldset className="flex flex-col gap-1.5" data-field={field.name}>
      <legend className="mb-1.5 font-medium">Methods</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {WEBHOOK_METHODS.map((method) => (
          <Checkbox
            key={method}
            label={method}
            isChecked={chosen.includes(method)}
            // A URL without a method could not be called.
            disabled={isReadOnly || (chosen.includes(method) && chosen.length === 1)}
            onChange={(isOn) => choose(method, isOn)}
          />
        ))}
      </div>
      {chosen.includes("GET") ? (
        <p className="text-dense text-text-3">The body of a GET request is an object with its query parameters.</p>
      ) : null}
      {field.error === null ? null : <p className="text-dense text-err">{field.error}</p>}
    </fieldset>
  );
}

/** Chooses what the sender gets. */
function ResponseFields() {
  const respond = useNodeField(["respond"]);
  return (
    <>
      <ChoiceField path={["respond"]} label="Response" options={RESPONSES} fallback="accepted" />
      {respond.value === "result" ? (
        <>
          <PlainField
            path={["wait_seconds"]}
            label="Wait up to"
            hint={`1 to ${LIMITS.waitSecondsMax} seconds`}
            placeholder={String(LIMITS.waitSecondsMax)}
            parse={parseSeconds}
          />
          <p className="text-dense text-text-3">
            Add the step “Respond to webhook” to set the status, the headers, and the body. If the run takes longer, the
            sender gets 202.{" "}
            <Link href="/docs/guides/webhooks#respond-with-the-result-of-the-run" className="text-accent underline">
              How to respond
            </Link>
          </p>
        </>
      ) : null}
    </>
  );
}

function parseSeconds(text: string): unknown {
  if (text.trim() === "") return undefined;
  return /^\s*\d+\s*$/.test(text) ? Number(text) : text;
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
