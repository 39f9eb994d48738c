"use client";

import type { EndpointWithSecret } from "#lib/contract/event/outbound-event";
import { EVENT_LIMITS } from "#lib/contract/event/outbound-event";
import { formatCount } from "#lib/support/format/format-number";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/overlays/dialog";
import { ShownOnce } from "@/components/ui/overlays/shown-once";

interface SecretDialogProps {
  endpoint: EndpointWithSecret;
  isRotation: boolean;
  onClose: () => void;
}

/** Shows the signing secret once, and how a receiver verifies signatures. */
export function SecretDialog({ endpoint, isRotation, onClose }: SecretDialogProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Signing secret"
      description={
        isRotation
          ? `The secret is shown only once. The old secret also signs events for ${formatCount(EVENT_LIMITS.oldSecretHours, "hour")}.`
          : "The secret is shown only once."
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          I saved it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <ShownOnce value={endpoint.secret} copyLabel="Copy secret" testId="endpoint-secret" />
        <p className="text-text-2">
          Events are signed according to Standard Webhooks, so any Standard Webhooks library can verify them. In Node.js
          without a library:
        </p>
        <CodeBlock label="Verifying" snippets={[{ label: "Node.js", code: VERIFY }]} />
      </div>
    </Dialog>
  );
}

const VERIFY = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(headers, rawBody, secret) {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = \`\${headers["webhook-id"]}.\${headers["webhook-timestamp"]}.\${rawBody}\`;
  const expected = createHmac("sha256", key).update(signed).digest();
  const isFresh = Math.abs(Date.now() / 1000 - headers["webhook-timestamp"]) < 300;
  return isFresh && headers["webhook-signature"].split(" ").some((one) => {
    const given = Buffer.from(one.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;
