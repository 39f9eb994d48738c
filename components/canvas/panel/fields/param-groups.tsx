"use client";

import { useState } from "react";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { ParamField, ParamFields } from "@/components/canvas/panel/fields/param-fields";
import { useEditor } from "@/components/canvas/store/draft-context";
import { orderedProperties } from "@/components/features/actions/ordered-properties";
import { Button } from "@/components/ui/button";

const TITLES: Record<string, string> = { path: "Path", query: "Query", header: "Headers", body: "Body" };

/** Edits the params of a custom connector's operation: one group of fields for each part of its request. */
export function ParamGroups({ schema }: { schema: JsonObject }) {
  const groups = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  if (Object.keys(groups).length === 0)
    return <p className="text-dense text-text-3">This operation takes no parameters.</p>;
  return Object.entries(groups).map(([name, group]) => (
    <ParamGroup key={name} name={name} group={isJsonObject(group) ? group : {}} isRequired={required.has(name)} />
  ));
}

interface ParamGroupProps {
  name: string;
  group: JsonObject;
  isRequired: boolean;
}

/**
 * Shows a group as fields, or as one JSON value: an expression can replace the whole group, and a draft may contain
 * keys that the schema lacks.
 */
function ParamGroup({ name, group, isRequired }: ParamGroupProps) {
  const path = ["params", name];
  const field = useNodeField(path, { isDeep: true });
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const known = isJsonObject(group.properties) ? group.properties : {};
  const isForeign = !isMadeOf(field.value, known);
  const [isWhole, setWhole] = useState(isForeign);
  const title = TITLES[name] ?? name;
  if (Object.keys(known).length === 0) {
    return <ParamField name={title} path={path} property={asJson(group)} isRequired={isRequired} hasExpressions />;
  }
  const isShownWhole = isWhole || isForeign;
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-2 border border-border p-2.5">
      <legend className="px-1 font-semibold">{title}</legend>
      {isShownWhole ? (
        <ParamField
          name={`${title} as JSON`}
          path={path}
          property={asJson(group)}
          isRequired={isRequired}
          hasExpressions
        />
      ) : (
        <ParamFields schema={{ ...group, properties: inOrder(known, group.required) }} path={path} />
      )}
      {isReadOnly || isForeign ? null : (
        <Button size="sm" className="self-start" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Use fields" : "Write as JSON"}
        </Button>
      )}
    </fieldset>
  );
}

/** Returns true when every part of the value has a field. */
function isMadeOf(value: unknown, known: JsonObject): boolean {
  if (value === undefined) return true;
  return isJsonObject(value) && Object.keys(value).every((key) => Object.hasOwn(known, key));
}

/** Adds a type, because a schema without one would be treated as text, which is not sent as JSON. */
function asJson(group: JsonObject): JsonObject {
  return { ...group, type: group.type ?? "object" };
}

/** Sorts required params first, because a stored connector doesn't keep the order of its document. */
function inOrder(known: JsonObject, required: unknown): JsonObject {
  return Object.fromEntries(orderedProperties(known, Array.isArray(required) ? required.map(String) : []));
}
