import { z } from "zod";
import type { RunWarning } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import { type FILLED_LATER, runSchema } from "#lib/contract/run/run-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { type ApprovalRow, approvalJson } from "#lib/domain/approvals/present-approval";
import type { Actor } from "#lib/domain/audit/record-audit";
import type { PackedEvents } from "#lib/domain/journal/packed-events";
import type { EventTuple } from "#lib/domain/journal/read-events";
import {
  boolean,
  bytea,
  type ColumnType,
  enumOf,
  integer,
  json,
  jsonb,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";

/** The fields of the run object, in their order on the wire. */
export const RUN_FIELDS = Object.keys(runSchema.shape) as (keyof RunObject)[];

/** The fields that presentRun computes. Every other field is a column of `runs` with the same name. */
const MADE_FIELDS = [
  "run_id",
  "steps",
  "steps_page",
  "approval",
  "duration_ms",
  "cancelled_by",
  "warnings",
  "events",
] as const;
export type MadeField = (typeof MADE_FIELDS)[number];
type StoredField = Exclude<keyof RunObject, MadeField>;

export function isMade(field: keyof RunObject): field is MadeField {
  return (MADE_FIELDS as readonly string[]).includes(field);
}

/** The columns of `runs` that the run object shows. A time is a Date until it is presented. */
type StoredFields = {
  [Field in StoredField]: Field extends `${string}_at` ? Date | Extract<RunObject[Field], null> : RunObject[Field];
};

/** A run as it is read: its row, the approval it shows and, if requested, its journal. */
export interface RunRow extends StoredFields {
  id: string;
  /** Only set for a test run, because no version has its definition. */
  definition: Definition | null;
  approval: ApprovalRow | null;
  events: EventTuple[] | null;
  /** The events after them, unless they are among them or there are none. */
  packed: PackedEvents | null;
  cancelled_by: Actor | null;
  /** Null if there are none, or if the worker did not end the run. */
  warnings: RunWarning[] | null;
  /** The sealed original of a redacted output, if callers get it, and the workspace it was sealed for. */
  served_output: Uint8Array | null;
  sealed_for: string | null;
}

const STORED_FIELDS = RUN_FIELDS.filter((field): field is StoredField => !isMade(field));

/** The columns that store JSON as it was written, not jsonb. */
const AS_WRITTEN: ReadonlySet<StoredField> = new Set<StoredField>(["output"]);

/** Returns the type of the column that stores a field, by the field's schema. */
function columnTypeOf(field: StoredField): ColumnType {
  const schema: z.ZodType = runSchema.shape[field];
  if (schema instanceof z.ZodNullable) return nullable(valueTypeOf(field, schema.unwrap() as z.ZodType));
  return valueTypeOf(field, schema);
}

function valueTypeOf(field: StoredField, schema: z.ZodType): ColumnType {
  if (schema instanceof z.ZodUUID) return uuid;
  if (schema instanceof z.ZodISODateTime) return timestamptz;
  if (schema instanceof z.ZodEnum) return enumOf(schema.options.map(String));
  if (schema instanceof z.ZodString) return text;
  if (schema instanceof z.ZodBoolean) return boolean;
  if (schema instanceof z.ZodNumber) return integer;
  return AS_WRITTEN.has(field) ? json() : jsonb();
}

/** The types of the columns of RunRow, in the order of runColumns. */
export const RUN_COLUMN_TYPES = {
  id: uuid,
  definition: nullable(json<Definition>()),
  ...(Object.fromEntries(STORED_FIELDS.map((field) => [field, columnTypeOf(field)])) as {
    [Field in StoredField]: ColumnType<StoredFields[Field]>;
  }),
  approval: nullable(jsonb<ApprovalRow>()),
  events: nullable(json<EventTuple[]>()),
  packed: nullable(json<PackedEvents>()),
  cancelled_by: nullable(jsonb<Actor>()),
  warnings: nullable(json<RunWarning[]>()),
  served_output: nullable(bytea),
  sealed_for: nullable(uuid),
};

/** SQL expressions of the columns `events` and `packed`. */
export interface JournalColumns {
  events: string;
  packed: string;
}

const NO_JOURNAL: JournalColumns = { events: "null::json", packed: "null::json" };

/** Returns the columns of RunRow, for a `runs r`. */
export function runColumns({ events, packed } = NO_JOURNAL): string {
  const stored = ["id", "definition", ...STORED_FIELDS].map((column) => `r.${column}`).join(", ");
  return `${stored}, ${approvalJson("r.id")} as approval,
    ${events} as events, ${packed} as packed, r.cancelled_by, r.warnings,
    case when r.serves_sealed_output then r.output_sealed end as served_output,
    case when r.serves_sealed_output then r.workspace_id end as sealed_for`;
}

type NullableField = { [Field in StoredField]: null extends StoredFields[Field] ? Field : never }[StoredField];

/** Null for each shown column that may be null. */
export const NO_VALUES = Object.fromEntries(
  STORED_FIELDS.filter((field) => runSchema.shape[field].safeParse(null).success).map((field) => [field, null]),
) as Record<NullableField, null>;

/** What a run that was just created has not yet. */
export const NOTHING_HAPPENED = {
  events: null,
  packed: null,
  cancelled_by: null,
  warnings: null,
  served_output: null,
  sealed_for: null,
};

/** The columns of a run to be inserted. create_runs writes null for a column that is left out. */
export interface NewRunColumns extends Omit<StoredFields, keyof typeof FILLED_LATER | "created_at"> {
  id: string;
  workspace_id: string;
  definition: Definition | null;
  action_id?: string | null;
  traceparent?: string | null;
  resume_from_step_id?: string | null;
  parent_run_id?: string | null;
  parent_step?: string | null;
  depth?: number;
  user_id: string | null;
  api_key_id?: string | null;
  subscription_id?: string | null;
  allowed_action_slugs?: readonly string[] | null;
}

/** The context that binds a run's sealed input to the run. */
export function inputContext(runId: string): string {
  return `input|${runId}`;
}

/** The context that binds the sealed output of a run to the run. */
export function runOutputContext(runId: string): string {
  return `run-output|${runId}`;
}
