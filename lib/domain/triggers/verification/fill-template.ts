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
 * @returns null if a value is missing: a signature over less than the scheme demands proves nothing. A field of the body may
 * be missing, but not all of them, if nothing else is signed
 */
export function fillTemplate(template: string, context: TemplateContext): (string | Buffer)[] | null {
  const parts = template
    .split(/\{([^{}]+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : readPlaceholder(part, context)));
  const filled = parts.flatMap((part) => (part === null ? [] : [part]));
  if (filled.length < parts.length) return null;
  const isEmpty = parts.length > 1 && parts.every((part, index) => index % 2 === 0 || part === "");
  return isEmpty && /\{(?:body|lines):/.test(template) ? null : filled;
}

/** Returns the places whose values a template demands. */
export function placesIn(template: string): ValuePlace[] {
  return [...template.matchAll(/\{(header|query):([^{}]+)\}/g)].map(([, kind, name = ""]) =>
    kind === "header" ? { header: name } : { query: name },
  );
}

function readPlaceholder(placeholder: string, { values, secret, timestamp }: TemplateContext): string | Buffer | null {
  const { method, url, body } = values.delivery;
  const [name = "", at = ""] = placeholder.split(/:(.*)/s);
  switch (name) {
    case "body":
      return at === "" ? body : values.field(at);
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
    case "lines":
      return readLines(at.split(","), values);
    case "hmac": {
      const value = values.one({ body: at });
      return value === null || secret === "" ? null : createHmac("sha256", secret).update(value).digest("hex");
    }
    default:
      return null;
  }
}

/** Returns the name and the value of each field that the body has, each on a line. */
function readLines(paths: string[], values: DeliveryValues): string | null {
  let lines = "";
  for (const path of paths) {
    const value = values.field(path);
    if (value === null) return null;
    if (value !== "") lines += `${path}\n${value}\n`;
  }
  return lines;
}
