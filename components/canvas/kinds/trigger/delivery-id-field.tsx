"use client";

import type { Path } from "@/components/canvas/document/edit-data";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { Choice, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { Link } from "@/components/ui/link";

const PATH: Path = ["delivery_id"];

const RULES = [
  { value: "sender", label: "By the sender's ID" },
  { value: "places", label: "By values in the request" },
  { value: "whole_body", label: "By the whole body" },
  { value: "none", label: "Start a run each time" },
];

const EFFECTS: Readonly<Record<string, string>> = {
  sender:
    "A retry with the ID of an earlier delivery starts no run. If the sender sends no ID, a signed delivery with the same body counts as a retry.",
  places: "A delivery with the same values as one in the last 24 hours starts no run.",
  whole_body: "A delivery with the same body as one in the last 24 hours starts no run.",
  none: "Every delivery starts a run, also if the sender retries it.",
};

interface PlaceKind {
  value: "header" | "body" | "query";
  label: string;
  field: string;
  placeholder: string;
}

const BODY: PlaceKind = { value: "body", label: "Field of the body", field: "Path", placeholder: "event.id" };
const PLACES: readonly PlaceKind[] = [
  BODY,
  { value: "header", label: "Header", field: "Header name", placeholder: "x-event-id" },
  { value: "query", label: "Query parameter", field: "Parameter name", placeholder: "event_id" },
];

/** Edits what makes a delivery a duplicate of an earlier one (decisions, Inbound webhooks: delivery id). */
export function DeliveryIdField() {
  const field = useNodeField(PATH);
  const rule = ruleOf(field.value);
  function choose(next: string) {
    if (next === "sender") field.set(undefined);
    else field.set(next === "places" ? [{ body: "" }] : next);
  }
  return (
    <div className="flex flex-col gap-2">
      <Choice label="Duplicate deliveries" options={RULES} value={rule} onChoose={choose} />
      <p className="text-dense text-text-3">
        {EFFECTS[rule]}{" "}
        <Link href="/docs/guides/webhooks#duplicate-deliveries" className="text-accent underline">
          How duplicates are detected
        </Link>
      </p>
      {rule === "places" ? (
        <ItemList path={PATH} title="Values" noun="value" min={1} createItem={() => ({ body: "" })}>
          {(path, place) => <PlaceFields path={path} place={place} />}
        </ItemList>
      ) : null}
    </div>
  );
}

/** A value that the form doesn't know, from a draft written elsewhere, counts as a list, whose error says what is wrong. */
function ruleOf(value: unknown): string {
  if (value === undefined || value === null) return "sender";
  return value === "whole_body" || value === "none" ? value : "places";
}

function PlaceFields({ path, place }: { path: Path; place: Record<string, unknown> }) {
  const field = useNodeField(path);
  const kind = PLACES.find(({ value }) => Object.hasOwn(place, value)) ?? BODY;
  return (
    <>
      <Choice
        label="Where"
        options={PLACES}
        value={kind.value}
        onChoose={(next) => field.set({ [next]: place[kind.value] ?? "" })}
      />
      <PlainField
        path={[...path, kind.value]}
        label={kind.field}
        placeholder={kind.placeholder}
        isMono
        parse={trimmed}
      />
      {kind.value === "header" ? (
        <PlainField
          path={[...path, "part"]}
          label="Part"
          hint="optional"
          placeholder="v1, as in t=1,v1=ab"
          isMono
          parse={(text) => trimmed(text) || undefined}
        />
      ) : null}
    </>
  );
}

function trimmed(text: string): string {
  return text.trim();
}
