"use client";

import type { ReactNode } from "react";
import { PROPERTY_TYPES } from "#lib/contract/wire/json-schema";
import type { Path } from "@/components/canvas/document/edit-data";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { useTypedText } from "@/components/canvas/panel/fields/use-typed-text";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Textarea } from "@/components/ui/forms/textarea";

interface PlainFieldProps {
  path: Path;
  label: string;
  isLabelHidden?: boolean;
  hint?: ReactNode;
  /** Shown below the label. */
  description?: ReactNode;
  placeholder?: string;
  isMono?: boolean;
  isMultiline?: boolean;
  /** For a multi-line field. */
  rows?: number;
  /** The id of a `<datalist>`. */
  suggestionsId?: string;
  print?: (value: unknown) => string;
  parse?: (text: string) => unknown;
}

/** Edits a field of the node's data that doesn't accept expressions. */
export function PlainField(props: PlainFieldProps) {
  const { path, label, hint, placeholder, isMono = false, isMultiline = false, print = printLiteral } = props;
  const { parse = (text: string) => text } = props;
  const field = useNodeField(path);
  const { text, change, leave } = useTypedText(field, print, parse);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const common = {
    "data-field": field.name,
    value: text,
    placeholder,
    disabled: isReadOnly,
    isMono,
    autoComplete: "off",
    spellCheck: !isMono,
    onBlur: leave,
  };
  return (
    <Field
      label={<FieldLabel isHidden={props.isLabelHidden}>{label}</FieldLabel>}
      hint={hint}
      description={props.description}
      error={field.error}
    >
      {({ required: _required, ...control }) =>
        isMultiline ? (
          <Textarea
            {...control}
            {...common}
            className="max-h-80 [field-sizing:content]"
            style={{ minHeight: `calc(${props.rows ?? 2}lh + 0.875rem)` }}
            onChange={(event) => change(event.target.value)}
          />
        ) : (
          <Input {...control} {...common} list={props.suggestionsId} onChange={(event) => change(event.target.value)} />
        )
      }
    </Field>
  );
}

/** The types that a property can have. */
export const TYPE_OPTIONS = PROPERTY_TYPES.map((type) => ({ value: type, label: type }));

interface ChoiceFieldProps {
  path: Path;
  label: string;
  isLabelHidden?: boolean;
  options: readonly { value: string; label: string }[];
  fallback: string;
  /** Applies other changes that come with the choice; the field itself is set first. */
  onChoose?: (value: string) => void;
}

/** Edits one of a few values. A value that the list doesn't know, from a draft written elsewhere, is shown as is. */
export function ChoiceField({ path, label, isLabelHidden, options, fallback, onChoose }: ChoiceFieldProps) {
  const field = useNodeField(path);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const value = typeof field.value === "string" && field.value !== "" ? field.value : fallback;
  const isKnown = options.some((option) => option.value === value);
  return (
    <Field label={<FieldLabel isHidden={isLabelHidden}>{label}</FieldLabel>} error={field.error}>
      {({ required: _required, ...control }) => (
        <Select
          {...control}
          data-field={field.name}
          value={value}
          disabled={isReadOnly}
          onChange={(event) => {
            if (onChoose === undefined) field.set(event.target.value);
            else onChoose(event.target.value);
          }}
        >
          {isKnown ? null : <option value={value}>{value}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface ChoiceProps {
  label: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChoose: (value: string) => void;
}

/** A choice that isn't stored under a single key of the data. */
export function Choice({ label, options, value, onChoose }: ChoiceProps) {
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <Field label={label}>
      {({ required: _required, ...control }) => (
        <Select {...control} value={value} disabled={isReadOnly} onChange={(event) => onChoose(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function FieldLabel({ isHidden = false, children }: { isHidden?: boolean | undefined; children: string }) {
  return isHidden ? <span className="sr-only">{children}</span> : children;
}
