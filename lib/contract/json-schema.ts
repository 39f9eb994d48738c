/** The JSON types a property of an action can have (decisions, Action object). */
export const PROPERTY_TYPES = ["string", "number", "integer", "boolean", "object", "array"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** The schema of one property, as derived: keys that were not given do not appear. */
export interface PropertySchema {
  type: PropertyType;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  items?: { type: PropertyType };
}

/** contract, Workflows and versions: the input schema of an action. */
export interface InputSchema {
  type: "object";
  properties: Record<string, PropertySchema>;
  required: string[];
}

/** contract, Workflows and versions: the output schema of an action. */
export interface OutputSchema {
  type: "object";
  properties: Record<string, PropertySchema>;
}

export type JsonObject = Record<string, unknown>;
