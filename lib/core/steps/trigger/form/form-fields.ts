import type { PropertyType } from "#lib/contract/wire/json-schema";

interface FieldType {
  title: string;
  /** The type of the value in `trigger.output.body`. */
  property: PropertyType;
}

/** The types of a form's fields that take one text. `control`: the `type` of an HTML input, or the element's name. */
export const TEXT_FIELD_TYPES = {
  text: { title: "Short text", property: "string", control: "text" },
  long_text: { title: "Long text", property: "string", control: "textarea" },
  email: { title: "Email address", property: "string", control: "email" },
  url: { title: "Web address", property: "string", control: "url" },
  phone: { title: "Phone number", property: "string", control: "tel" },
  number: { title: "Number", property: "number", control: "number" },
  integer: { title: "Whole number", property: "integer", control: "number" },
  date: { title: "Date", property: "string", control: "date" },
} as const satisfies Record<string, FieldType & { control: string }>;
export type TextFieldType = keyof typeof TEXT_FIELD_TYPES;

/** The types whose answers the form lists. */
export const CHOICE_FIELD_TYPES = {
  choice: { title: "One of several", property: "string" },
  choices: { title: "Any of several", property: "array" },
} as const satisfies Record<string, FieldType>;

/** Every type of a form's fields, in the order in which people choose them. */
export const FORM_FIELD_TYPES = {
  ...TEXT_FIELD_TYPES,
  ...CHOICE_FIELD_TYPES,
  checkbox: { title: "Yes or no", property: "boolean" },
} as const satisfies Record<string, FieldType>;
export type FormFieldType = keyof typeof FORM_FIELD_TYPES;
export const FORM_FIELD_TYPE_NAMES = Object.keys(FORM_FIELD_TYPES) as FormFieldType[];
