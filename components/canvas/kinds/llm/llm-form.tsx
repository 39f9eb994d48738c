"use client";

import { useId } from "react";
import { readNumber } from "#lib/support/numbers/read-number";
import { useOperation } from "@/components/api/operation-hooks";
import { OutputSchemaField } from "@/components/canvas/kinds/llm/output-schema-field";
import { PromptPreview } from "@/components/canvas/kinds/llm/prompt-preview";
import { ConnectionPicker } from "@/components/canvas/panel/fields/connection-picker";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { PlainField } from "@/components/canvas/panel/fields/plain-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";
import { CircuitNotice } from "@/components/features/connections/circuit-notice";
import { useConnectionKinds, useConnectionPages } from "@/components/features/connections/use-connections";

/** Lists of models rarely change. */
const MODELS_STALE_MS = 300_000;

/** Edits an LLM step: its model, prompts and output format. */
export function LlmForm() {
  return (
    <>
      <ConnectionPicker />
      <ProviderCircuit />
      <ModelField />
      <TemplateField
        path={["system"]}
        label="System"
        hint="optional"
        rows={3}
        parse={textOrNothing}
        placeholder="You sort support requests."
      />
      <TemplateField path={["prompt"]} label="Prompt" rows={6} placeholder="Sort this request: {{action_input.text}}" />
      <PromptPreview />
      <OutputSchemaField />
      <div className="grid grid-cols-2 items-start gap-2">
        <PlainField path={["temperature"]} label="Temperature" hint="optional" placeholder="0.2" parse={numberOrText} />
        <PlainField path={["max_tokens"]} label="Max tokens" hint="optional" placeholder="1000" parse={numberOrText} />
      </div>
    </>
  );
}

/** Shows whether calls to the connection's provider are paused. */
function ProviderCircuit() {
  const { value } = useNodeField(["connection_id"]);
  const { connections } = useConnectionPages();
  const kinds = useConnectionKinds();
  const connector = connections.find((one) => one.connection_id === value)?.connector;
  if (connector === undefined) return null;
  const name = kinds.data?.data.find((kind) => kind.connector === connector)?.name ?? connector;
  return <CircuitNotice connector={connector} name={name} connectionId={value} />;
}

/** Accepts any text as a model ID; suggests the models that the connection offers. */
function ModelField() {
  const listId = useId();
  const { value } = useNodeField(["connection_id"]);
  const connectionId = typeof value === "string" ? value : "";
  const models = useOperation(
    "list_models",
    { connection_id: connectionId },
    { enabled: connectionId !== "", staleTime: MODELS_STALE_MS },
  );
  return (
    <>
      <PlainField path={["model"]} label="Model" isMono placeholder="model ID" suggestionsId={listId} />
      <datalist id={listId}>
        {models.data?.data.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </>
  );
}

function textOrNothing(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** Text that isn't a number stays as typed and is reported as a problem. */
function numberOrText(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return readNumber(trimmed) ?? text;
}
