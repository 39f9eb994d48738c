"use client";

import { describeLongNumber } from "#lib/core/input/read-typed-json";
import { parseBody, printBody, quoteBareExpressions } from "@/components/canvas/expressions/literal-values";
import { MoveSecret } from "@/components/canvas/kinds/connector/move-secret";
import { ConnectionPicker } from "@/components/canvas/panel/fields/connection-picker";
import { PairsField } from "@/components/canvas/panel/fields/pairs-field";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField } from "@/components/canvas/panel/fields/plain-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"].map((method) => ({ value: method, label: method }));
const WITHOUT_BODY = new Set(["GET", "HEAD"]);

/** Edits one HTTP request: its URL and its content. */
export function HttpRequestForm() {
  const method = useNodeField(["params", "method"]);
  const body = useNodeField(["params", "body"]);
  const takesBody = !WITHOUT_BODY.has(String(method.value ?? "GET")) || body.value !== undefined;
  return (
    <>
      <div className="grid grid-cols-[96px_1fr] items-start gap-2">
        <ChoiceField path={["params", "method"]} label="Method" options={METHODS} fallback="GET" />
        <TemplateField path={["params", "url"]} label="URL" placeholder="https://api.example.com/orders" isUrl />
      </div>
      <ConnectionPicker connector="http" noneLabel="None" />
      <MoveSecret />
      <PairsField path={["params", "query"]} title="Query parameters" noun="parameter" placeholder="limit" />
      <PairsField path={["params", "headers"]} title="Headers" noun="header" placeholder="x-team" />
      {takesBody ? <BodyField /> : null}
    </>
  );
}

/** Stores JSON if the text parses as JSON, otherwise text. Shows which one, because it decides the content type. */
function BodyField() {
  const { value, set } = useNodeField(["params", "body"]);
  const text = typeof value === "string" ? value : "";
  const looksLikeJson = /^\s*[[{](?!\{)/.test(text);
  const quoted = looksLikeJson ? quoteBareExpressions(text) : null;
  return (
    <TemplateField
      path={["params", "body"]}
      label="Body"
      hint={value === undefined ? "none" : typeof value === "string" ? "sent as text" : "sent as JSON"}
      rows={6}
      isDeep
      print={printBody}
      parse={parseBody}
      placeholder={'{"order": "{{action_input.order_id}}"}'}
    >
      {looksLikeJson ? (
        <p className="text-dense text-warn">
          {describeLongNumber(text) ?? "This isn't valid JSON."} It would be sent as plain text.{" "}
          {quoted === null ? null : (
            <button type="button" className="link" onClick={() => set(parseBody(quoted))}>
              Put expressions in quotes
            </button>
          )}
        </p>
      ) : null}
    </TemplateField>
  );
}
