import { createHmac } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ValuePlace } from "#lib/contract/webhooks/verification";
import { type DeliveryValues, sortedParams } from "#lib/domain/triggers/verification/delivery";

/** What a template may name besides the delivery itself. */
export interface TemplateContext {
  values: DeliveryValues;
  secret: string;
  /** As the sender wrote it; null if the scheme has none. */
  timestamp: string | null;
}

/**
 * Fills the placeholders of a template (`lib/contract/webhooks/verification.ts`). The body stays what it is, bytes.
 * @returns null if a value is missing: a signature over less than the scheme demands proves nothing
 */
export function fillTemplate(template: string, context: TemplateContext): (string | Buffer)[] | null {
  const parts = template
    .split(/\{([^{}]+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : readPlaceholder(part, context)));
  const filled = parts.flatMap((part) => (part === null ? [] : [part]));
  return filled.length === parts.length ? filled : null;
}

/** Returns the places whose values a template names. */
export function placesIn(template: string): ValuePlace[] {
  return [...template.matchAll(/\{(header|body|query):([^{}]+)\}/g)].map(([, kind, name = ""]) =>
    kind === "header" ? { header: name } : kind === "body" ? { body: name } : { query: name },
  );
}

function readPlaceholder(placeholder: string, { values, secret, timestamp }: TemplateContext): string | Buffer | null {
  const { method, url, body } = values.delivery;
  const [name = "", at = ""] = placeholder.split(/:(.*)/s);
  switch (name) {
    case "body":
      return at === "" ? body : values.one({ body: at });
    case "timestamp":
      return timestamp;
    case "method":
      return method;
    case "url":
      return url;
    case "params":
      return sortedParams(values.delivery);
    case "secret":
      return secret;
    case "body_crc32":
      return String(crc32(body));
    case "header":
      return values.one({ header: at });
    case "query":
      return values.one({ query: at });
    case "hmac": {
      const value = values.one({ body: at });
      return value === null || secret === "" ? null : createHmac("sha256", secret).update(value).digest("hex");
    }
    default:
      return null;
  }
}
