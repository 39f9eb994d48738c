"use client";

import type { PropertySchema } from "#lib/contract/wire/json-schema";
import { type ControlProps, Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Textarea } from "@/components/ui/forms/textarea";

interface SchemaFieldProps {
  name: string;
  property: PropertySchema;
  isRequired: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** One property of an action's input as a form field. */
export function SchemaField(props: SchemaFieldProps) {
  const { name, property, isRequired, error } = props;
  return (
    <Field
      label={<span className="font-mono text-dense">{name}</span>}
      hint={`${property.type}, ${isRequired ? "required" : "optional"}`}
      error={error}
      isRequired={isRequired}
      {...(property.description === undefined ? {} : { description: property.description })}
    >
      {(control) => <SchemaControl {...props} control={control} />}
    </Field>
  );
}

function SchemaControl({ control, name, property, value, onChange }: SchemaFieldProps & { control: ControlProps }) {
  const shared = {
    ...control,
    name,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  const options = optionsOf(property);
  if (options !== null) {
    return (
      <Select {...shared}>
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
    const empty = property.type === "array" ? "[]" : "{}";
    return <Textarea {...shared} isMono rows={4} spellCheck={false} placeholder={placeholderOf(property, empty)} />;
  }
  return (
    <Input
      {...shared}
      inputMode={property.type === "integer" ? "numeric" : property.type === "number" ? "decimal" : undefined}
      autoComplete="off"
      placeholder={placeholderOf(property, "")}
    />
  );
}

/** Returns the allowed values as JSON, or null if the type allows any value. */
function optionsOf(property: PropertySchema): string[] | null {
  if (property.enum !== undefined) return property.enum.map((option) => JSON.stringify(option));
  return property.type === "boolean" ? ["true", "false"] : null;
}

function placeholderOf(property: PropertySchema, otherwise: string): string {
  return property.default === undefined ? otherwise : `Default: ${JSON.stringify(property.default)}`;
}
