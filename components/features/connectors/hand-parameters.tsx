"use client";

import { Plus, X } from "lucide-react";
import { PARAMETER_PLACES, type ParameterPlace } from "#lib/contract/connector/connector";
import { PROPERTY_TYPES } from "#lib/contract/wire/json-schema";
import { type HandParameter, pathNames } from "@/components/features/connectors/hand-operations";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { IconButton } from "@/components/ui/icon-button";
import { randomHex } from "@/components/ui/random-hex";

interface HandParametersProps {
  path: string;
  parameters: readonly HandParameter[];
  onChange: (parameters: readonly HandParameter[]) => void;
}

/** The parameters of an operation; path parameters are listed automatically. */
export function HandParameters({ path, parameters, onChange }: HandParametersProps) {
  const implied = pathNames(path).filter(
    (name) => !parameters.some((item) => item.place === "path" && item.name === name),
  );
  function add() {
    const words = { key: randomHex(), name: "", description: "" };
    onChange([...parameters, { ...words, place: "query", isRequired: false, schema: { type: "string" } }]);
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">Parameters</p>
      {implied.length === 0 ? null : (
        <p className="text-dense text-text-3">
          Required text parameters from the path: <code className="font-mono">{implied.join(", ")}</code>
        </p>
      )}
      {parameters.map((parameter, index) => (
        <ParameterRow
          key={parameter.key}
          parameter={parameter}
          position={index + 1}
          onChange={(next) => onChange(parameters.with(index, next))}
          onRemove={() => onChange(parameters.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button size="sm" onClick={add}>
          <Plus aria-hidden className="size-3.5" />
          Add parameter
        </Button>
      </div>
    </div>
  );
}

interface ParameterRowProps {
  parameter: HandParameter;
  position: number;
  onChange: (parameter: HandParameter) => void;
  onRemove: () => void;
}

function ParameterRow({ parameter, position, onChange, onRemove }: ParameterRowProps) {
  const { name, place, isRequired, schema } = parameter;
  const type = typeof schema.type === "string" ? schema.type : "";
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Input
        aria-label={`Name of parameter ${position}`}
        isMono
        className="min-w-32 flex-1"
        maxLength={200}
        autoComplete="off"
        placeholder="name"
        value={name}
        onChange={(event) => onChange({ ...parameter, name: event.target.value })}
      />
      <Select
        aria-label={`Place of parameter ${position}`}
        className="w-24"
        value={place}
        onChange={(event) => onChange({ ...parameter, place: event.target.value as ParameterPlace })}
      >
        {PARAMETER_PLACES.map((item) => (
          <option key={item}>{item}</option>
        ))}
      </Select>
      <Select
        aria-label={`Type of parameter ${position}`}
        className="w-28"
        value={type}
        onChange={(event) => onChange({ ...parameter, schema: { type: event.target.value } })}
      >
        {PROPERTY_TYPES.some((known) => known === type) ? null : <option value={type}>as it was</option>}
        {PROPERTY_TYPES.map((item) => (
          <option key={item}>{item}</option>
        ))}
      </Select>
      <Checkbox
        label="Required"
        isChecked={isRequired || place === "path"}
        disabled={place === "path"}
        onChange={(next) => onChange({ ...parameter, isRequired: next })}
      />
      <IconButton icon={X} size="sm" label={`Remove parameter ${position}`} onClick={onRemove} />
    </div>
  );
}
