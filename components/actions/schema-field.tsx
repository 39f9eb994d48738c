"use client";

import type { PropertySchema } from "#lib/contract/json-schema";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";

interface SchemaFieldProps {
  name: string;
  property: PropertySchema;
  isRequired: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** One property of an action's input as a form field. */
export function SchemaField({ name, property, isRequired, value, error, onChange }: SchemaFieldProps) {
  const options =
    property.enum?.map((option) => JSON.stringify(option)) ?? (property.type === "boolean" ? ["true", "false"] : null);
  return (
    <Field
      label={<span className="font-mono text-dense">{name}</span>}
      hint={`${property.type}, ${isRequired ? "required" : "optional"}`}
      error={error}
      isRequired={isRequired}
      {...(property.description === undefined ? {} : { description: property.description })}
    >
      {(control) => {
        if (options !== null) {
          return (
            <Select {...control} name={name} value={value} onChange={(event) => onChange(event.target.value)}>
              <option value="">{placeholderOf(property, "Not sent")}</option>
              {options.map((option) => (
                <option key={option} value={option}>
                  {option.startsWith('"') ? JSON.parse(option) : option}
                </option>
              ))}
            </Select>
          );
        }
        if (property.type === "object" || property.type === "array") {
          return (
            <Textarea
              {...control}
              name={name}
              isMono
              rows={4}
              spellCheck={false}
              value={value}
              placeholder={placeholderOf(property, property.type === "array" ? "[]" : "{}")}
              onChange={(event) => onChange(event.target.value)}
            />
          );
        }
        return (
          <Input
            {...control}
            name={name}
            inputMode={property.type === "integer" ? "numeric" : property.type === "number" ? "decimal" : undefined}
            autoComplete="off"
            value={value}
            placeholder={placeholderOf(property, "")}
            onChange={(event) => onChange(event.target.value)}
          />
        );
      }}
    </Field>
  );
}

function placeholderOf(property: PropertySchema, otherwise: string): string {
  return property.default === undefined ? otherwise : `Default: ${JSON.stringify(property.default)}`;
}
