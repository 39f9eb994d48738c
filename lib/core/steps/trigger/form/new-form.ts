import type { JsonObject } from "#lib/contract/wire/json-schema";

/** Returns the data of a new form trigger, which works as it is. */
export function newForm(): JsonObject {
  const email = { name: "email", label: "Email", type: "email", required: true };
  return {
    kind: "form",
    title: "Contact us",
    fields: [email, { name: "message", label: "Message", type: "long_text", required: true }],
    answer: { type: "message", text: "Thank you. We have received your message." },
  };
}
