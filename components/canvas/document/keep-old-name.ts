import type { Definition } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";
import { editNodeData } from "@/components/canvas/document/edit-data";

interface OldName {
  /** The current name of the field. */
  field: string;
  alias: string;
}

/** Returns the definition with an old name of an input field kept as its alias, or no longer kept. */
export function keepOldName(definition: Definition, { field, alias }: OldName, isKept: boolean): Definition {
  const node = definition.nodes.find(({ type }) => STEP_KINDS[type].starts === "callable");
  const properties = node?.data.properties;
  if (node === undefined || !Array.isArray(properties)) return definition;
  const index = properties.findIndex((property) => isJsonObject(property) && property.name === field);
  const property: unknown = properties[index];
  if (!isJsonObject(property)) return definition;
  const others = Array.isArray(property.aliases) ? property.aliases.filter((name) => name !== alias) : [];
  const aliases = isKept ? [...others, alias] : others;
  return editNodeData(
    definition,
    node.id,
    ["properties", index, "aliases"],
    aliases.length === 0 ? undefined : aliases,
  );
}
