"use client";

import { useId } from "react";
import type { DataField, DataSource } from "@/components/canvas/document/earlier-data";
import { useEarlierData } from "@/components/canvas/panel/fields/panel-context";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Select } from "@/components/ui/forms/select";

/** An object in the data of earlier steps, with its direct fields by name. */
interface NamedFields {
  label: string;
  fields: ReadonlyMap<string, DataField>;
}

interface MapByNameProps {
  /** The names of the fields that can get a value; without any, every field of the object is added. */
  names: readonly string[];
  onMap: (found: ReadonlyMap<string, DataField>) => void;
}

/** Fills a row of fields from an object of an earlier step, each with the field of its name. */
export function MapByName({ names, onMap }: MapByNameProps) {
  const id = useId();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const objects = listNamedFields(useEarlierData())
    .map((object) => ({ label: object.label, found: matching(object, names) }))
    .filter(({ found }) => found.size > 0);
  if (isReadOnly || objects.length === 0) return null;
  return (
    <Select
      id={id}
      aria-label="Map all by name"
      data-aside
      className="w-44 self-start"
      value=""
      onChange={({ target }) => {
        const chosen = objects[Number(target.value)];
        if (chosen !== undefined) onMap(chosen.found);
      }}
    >
      <option value="">Map all by name…</option>
      {objects.map(({ label, found }, index) => (
        <option key={label} value={index}>
          {`${label}: ${[...found.keys()].join(", ")}`}
        </option>
      ))}
    </Select>
  );
}

/** Lists the objects of the data: each step, and each object inside it whose fields are known. */
export function listNamedFields(sources: readonly DataSource[]): NamedFields[] {
  return sources.flatMap((source) => {
    const groups = Map.groupBy(source.fields, ({ label }) => label.split(".").slice(0, -1).join("."));
    return Array.from(groups, ([inside, fields]) => ({
      label: inside === "" ? source.label : `${source.label} ${inside}`,
      fields: new Map(fields.map((field) => [field.label.split(".").at(-1) ?? "", field])),
    }));
  });
}

/** Finds the field of each name; upper case and separators do not matter. */
export function matching({ fields }: NamedFields, names: readonly string[]): Map<string, DataField> {
  const named = names.filter((name) => name !== "");
  if (named.length === 0) return new Map([...fields].filter(([name]) => name !== "everything"));
  const plain = new Map(Array.from(fields, ([name, field]) => [plainName(name), field]));
  return new Map(
    named.flatMap((name) => {
      const field = fields.get(name) ?? plain.get(plainName(name));
      return field === undefined ? [] : [[name, field] as const];
    }),
  );
}

function plainName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

/** Returns the expression of each found field, by name. */
export function expressionsOf(found: ReadonlyMap<string, DataField>): Record<string, string> {
  return Object.fromEntries(Array.from(found, ([name, { expression }]) => [name, expression]));
}
