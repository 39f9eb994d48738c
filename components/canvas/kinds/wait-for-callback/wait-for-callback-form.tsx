"use client";

import { LIMITS } from "#lib/contract/limits";
import { formatCount, formatNumber } from "#lib/support/format/format-number";
import { parseBody, printBody, printLiteral } from "@/components/canvas/expressions/literal-values";
import { useNodeField, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { PlainField } from "@/components/canvas/panel/fields/plain-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";

const SCHEMA_EXAMPLE = `{
  "type": "object",
  "properties": { "status": { "type": "string" } },
  "required": ["status"]
}`;
const { callbackSecondsMin: MIN, callbackSecondsMax: MAX } = LIMITS;

/** Edits how long a run waits for a request, and what the request must contain. */
export function WaitForCallbackForm() {
  const { node } = usePanel();
  const hasSchema = useNodeField(["schema"]).value !== undefined;
  return (
    <>
      <p className="text-dense text-text-3">
        Pass <code className="font-mono text-text-2">{`{{${node.id}.callback_url}}`}</code> to the other system in a
        step before this one.{" "}
        {hasSchema
          ? "The first request with a body that matches the schema resumes the run."
          : "The first request to that address resumes the run."}
      </p>
      <TemplateField
        path={["expires_seconds"]}
        label="Expires after (seconds)"
        hint={`${formatNumber(MIN)} to ${formatNumber(MAX)}`}
        placeholder="86400"
        print={printLiteral}
        parse={parseSeconds}
        description={`Up to ${formatCount(MAX / 86_400, "day")}. To continue when the callback expires, connect a step to Expired. Otherwise, the run times out.`}
      />
      <BodySchemaField />
    </>
  );
}

/** Stores the schema as an object when it parses as JSON; otherwise as text, and the panel shows the problem. */
function BodySchemaField() {
  const { value } = useNodeField(["schema"]);
  return (
    <PlainField
      path={["schema"]}
      label="Body schema"
      hint={value === undefined ? "optional" : "JSON Schema"}
      isMono
      isMultiline
      rows={value === undefined ? 5 : 8}
      print={printBody}
      parse={parseBody}
      placeholder={SCHEMA_EXAMPLE}
    />
  );
}

function parseSeconds(text: string): unknown {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text;
}
