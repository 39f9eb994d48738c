"use client";

import { useId } from "react";
import { currentSchema } from "#lib/core/input/input-aliases";
import { isJsonObject } from "#lib/support/json";
import { useOperation } from "@/components/api/operation-hooks";
import { expressionsOf, MapByName } from "@/components/canvas/panel/fields/map-by-name";
import { PairsField } from "@/components/canvas/panel/fields/pairs-field";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { PlainField } from "@/components/canvas/panel/fields/plain-field";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";

const ACTIONS_STALE_MS = 60_000;

/** Selects the action to run, and its input. */
export function SubWorkflowForm() {
  const listId = useId();
  const slug = useNodeField(["action_slug"]);
  const actions = useOperation("list_actions", { limit: 100 }, { staleTime: ACTIONS_STALE_MS });
  const action = actions.data?.data.find((candidate) => candidate.slug === slug.value);
  const isUnknown = actions.data?.has_more === false && action === undefined && slug.value !== "";
  return (
    <>
      <div className="flex flex-col gap-1">
        <PlainField
          path={["action_slug"]}
          label="Action"
          hint="the action's slug"
          isMono
          placeholder="refund-order"
          suggestionsId={listId}
        />
        <datalist id={listId}>
          {actions.data?.data.map((candidate) => (
            <option key={candidate.slug} value={candidate.slug}>
              {candidate.name}
            </option>
          ))}
        </datalist>
        {isUnknown ? <p className="text-dense text-warn">No active action has this slug.</p> : null}
        {action?.description ? <p className="text-dense text-text-3">{action.description}</p> : null}
      </div>
      <PairsField path={["input"]} title="Input" noun="field" placeholder="order_id" />
      {action === undefined ? null : <MissingFields properties={currentSchema(action.inputSchema).properties} />}
      <MapInput
        names={action === undefined ? [] : Object.keys(currentSchema(action.inputSchema).properties)}
        isKnown={action !== undefined}
      />
    </>
  );
}

/** Fills the input from an object: the fields that the action accepts; if they are not known, those that are there. */
function MapInput({ names, isKnown }: { names: readonly string[]; isKnown: boolean }) {
  const input = useNodeField(["input"]);
  const given = isJsonObject(input.value) ? input.value : {};
  if (isKnown && names.length === 0) return null;
  return (
    <MapByName
      names={isKnown ? names : Object.keys(given)}
      onMap={(found) => input.set({ ...given, ...expressionsOf(found) })}
    />
  );
}

/** Shows the action's input fields that are still missing, with a button that adds them. */
function MissingFields({ properties }: { properties: Readonly<Record<string, unknown>> }) {
  const input = useNodeField(["input"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const given = isJsonObject(input.value) ? input.value : {};
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(given, name));
  if (missing.length === 0 || isReadOnly) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-dense text-text-3">
        This action also accepts <span className="font-mono">{missing.join(", ")}</span>.
      </p>
      <Button
        size="sm"
        className="self-start"
        onClick={() => input.set({ ...given, ...Object.fromEntries(missing.map((name) => [name, ""])) })}
      >
        Add these fields
      </Button>
    </div>
  );
}
