"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { METHODS } from "#lib/contract/connector/connector";
import type { HandOperation } from "@/components/features/connectors/hand-operations";
import { HandParameters } from "@/components/features/connectors/hand-parameters";
import { Button } from "@/components/ui/button";
import { CodeField } from "@/components/ui/code/code-field";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";

interface HandOperationFormProps {
  operation: HandOperation;
  /** Whether its fields are initially shown. */
  isOpen: boolean;
  onChange: (operation: HandOperation) => void;
  onRemove: () => void;
}

const BODILESS = new Set(["GET", "HEAD"]);
const SCHEMA_ROWS = 5;

/** Returns the ID that links an error to an operation's form. */
export function summaryId(key: string): string {
  return `operation-${key}`;
}

/** The form of one operation. Its fields can be collapsed below its request. */
export function HandOperationForm({ operation, isOpen, onChange, onRemove }: HandOperationFormProps) {
  const [isUnfolded, setUnfolded] = useState(isOpen || operation.name === "");
  const { name, method, path } = operation;
  const title = name === "" ? "New operation" : name;
  return (
    <details
      open={isUnfolded}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
      className="rounded-2 border border-border"
    >
      <summary id={summaryId(operation.key)} className="cursor-pointer px-3 py-2">
        <span className="font-medium">{title}</span>{" "}
        <code className="font-mono text-dense text-text-2 [overflow-wrap:anywhere]">
          {method} {path}
        </code>
      </summary>
      {isUnfolded ? (
        <fieldset className="flex flex-col gap-4 border-t border-border p-3">
          <legend className="sr-only">{title}</legend>
          <RequestFields operation={operation} onChange={onChange} />
          <HandParameters
            path={path}
            parameters={operation.parameters}
            onChange={(parameters) => onChange({ ...operation, parameters })}
          />
          <SchemaFields operation={operation} onChange={onChange} />
          <div>
            <Button variant="danger" size="sm" onClick={onRemove}>
              <Trash2 aria-hidden className="size-3.5" />
              Remove operation
            </Button>
          </div>
        </fieldset>
      ) : null}
    </details>
  );
}

type FieldsProps = Pick<HandOperationFormProps, "operation" | "onChange">;

function RequestFields({ operation, onChange }: FieldsProps) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Field label="Operation" isRequired hint="used in steps">
        {(control) => (
          <Input
            {...control}
            isMono
            maxLength={90}
            autoComplete="off"
            placeholder="get_order"
            value={operation.name}
            onChange={(event) => onChange({ ...operation, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description" hint="optional">
        {(control) => (
          <Input
            {...control}
            maxLength={500}
            autoComplete="off"
            value={operation.description}
            onChange={(event) => onChange({ ...operation, description: event.target.value })}
          />
        )}
      </Field>
      <Field label="Method">
        {(control) => (
          <Select
            {...control}
            value={operation.method}
            onChange={(event) => onChange({ ...operation, method: event.target.value })}
          >
            {METHODS.map((method) => (
              <option key={method}>{method.toUpperCase()}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Path" isRequired hint="/orders/{order_id}">
        {(control) => (
          <Input
            {...control}
            isMono
            maxLength={500}
            autoComplete="off"
            value={operation.path}
            onChange={(event) => onChange({ ...operation, path: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

function SchemaFields({ operation, onChange }: FieldsProps) {
  const hasBody = !BODILESS.has(operation.method) || operation.bodyText !== "";
  return (
    <>
      {hasBody ? (
        <CodeField
          label="Body"
          hint="JSON Schema, optional"
          description="The body of the request. Its properties become the fields of a step."
          language="json"
          rows={SCHEMA_ROWS}
          placeholderText='{ "type": "object", "properties": { "note": { "type": "string" } } }'
          value={operation.bodyText}
          onChange={(bodyText) => onChange({ ...operation, bodyText })}
        />
      ) : null}
      {hasBody && operation.bodyText.trim() !== "" ? (
        <Checkbox
          label="The body is required"
          isChecked={operation.isBodyRequired}
          onChange={(isBodyRequired) => onChange({ ...operation, isBodyRequired })}
        />
      ) : null}
      <CodeField
        label="Response"
        hint="JSON Schema, optional"
        language="json"
        rows={2}
        value={operation.outputText}
        onChange={(outputText) => onChange({ ...operation, outputText })}
      />
    </>
  );
}
