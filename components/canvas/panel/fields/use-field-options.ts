"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { FieldOptionsPage, OptionSource } from "#lib/contract/action/field-options";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";
import { useOperation } from "@/components/api/operation-hooks";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useSettled } from "@/components/canvas/panel/fields/use-settled";
import { useEditor } from "@/components/canvas/store/draft-context";
import { useHasRole } from "@/components/shell/session-context";

/** A service's lists rarely change while a user edits. */
const STALE_MS = 60_000;

export interface OptionsOfField {
  /** The request for the choices, without the search words. */
  request: {
    connection_id: string;
    connector: string;
    operation: string;
    field: string;
    params: Record<string, unknown>;
  };
  /** The params that have no value yet but are needed to list the choices. */
  missing: string[];
}

/**
 * Returns the request for a param's choices.
 * @returns null when the choices can't be loaded: without a connection, without the role, or in a read-only version
 */
export function useOptionsOfField(field: string, source: OptionSource | null): OptionsOfField | null {
  const { node } = usePanel();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const isEditor = useHasRole("editor");
  const { connection_id: connectionId, connector, operation, event, params } = node.data;
  const name = STEP_KINDS[node.type].hasInput ? operation : event;
  if (source === null || isReadOnly || !isEditor || typeof connector !== "string" || typeof name !== "string")
    return null;
  if (typeof connectionId !== "string" || connectionId === "") return null;
  const given = isJsonObject(params) ? params : {};
  // Sends only these params: the others don't change the answer, and each letter typed into them would otherwise load
  // it again.
  const known = source.depends_on.flatMap((key) => (isValue(given[key]) ? [[key, given[key]]] : []));
  const values: Record<string, unknown> = Object.fromEntries(known);
  return {
    request: { connection_id: connectionId, connector, operation: name, field, params: values },
    missing: source.requires.filter((key) => values[key] === undefined),
  };
}

function isValue(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value !== "" && !isExpression(value));
}

export function isExpression(value: unknown): boolean {
  return typeof value === "string" && value.includes("{{");
}

/**
 * Returns the choices that match the words. Choices that depend on other params are loaded once the user stops typing
 * in those.
 */
export function useFieldOptions(
  of: OptionsOfField,
  { words = "", isWanted = true }: { words?: string; isWanted?: boolean } = {},
): UseQueryResult<FieldOptionsPage, Error> {
  const { request, missing } = useSettled(of);
  return useOperation(
    "list_field_options",
    { ...request, ...(words === "" ? {} : { query: words }) },
    { enabled: isWanted && missing.length === 0, staleTime: STALE_MS, keepPrevious: words !== "" },
  );
}
