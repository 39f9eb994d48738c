import type { Definition } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { RUN_SOURCES, RUN_STATUSES, type RunError, type RunObject } from "#lib/contract/run";
import { runSchema } from "#lib/contract/schemas/run-schema";
import { type ApprovalRow, approvalJson } from "#lib/domain/approvals/present-approval";
import { type EventTuple, eventsJson } from "#lib/domain/journal/read-events";
import {
  boolean,
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

/** The fields that presentRun makes. Every other field is a column of `runs` with the same name. */
const MADE_FIELDS = ["run_id", "steps", "approval", "duration_ms", "events"] as const;
export type MadeField = (typeof MADE_FIELDS)[number];
type StoredField = Exclude<keyof RunObject, MadeField>;

export function isMade(field: keyof RunObject): field is MadeField {
  return (MADE_FIELDS as readonly string[]).includes(field);
}

/** The columns of `runs` that the run object shows. A time is a Date until it is presented. */
type StoredFields = {
  [Field in StoredField]: Field extends `${string}_at` ? Date | Extract<RunObject[Field], null> : RunObject[Field];
};

/** A run as it is read: its row, the approval it shows and, if asked for, its journal. */
export interface RunRow extends StoredFields {
  id: string;
  /** Only of a test run, whose definition no version holds. */
  definition: Definition | null;
  approval: ApprovalRow | null;
  events: EventTuple[] | null;
}

const STORED_FIELDS = RUN_FIELDS.filter((field): field is StoredField => !isMade(field));

/** Which part of the journal a statement reads with the run. */
export type EventsRead = "none" | "without_payloads" | "full";

const COLUMN_TYPES: { [Column in keyof RunRow]: ColumnType<RunRow[Column]> } = {
  id: uuid,
  definition: nullable(jsonb<Definition>()),
  workflow_id: uuid,
  workflow_version_id: nullable(uuid),
  action_slug: nullable(text),
  action_release_version: nullable(integer),
  source: enumOf(RUN_SOURCES),
  status: enumOf(RUN_STATUSES),
  dry_run: boolean,
  input: jsonb<JsonObject>(),
  output: nullable(json<JsonObject>()),
  error: nullable(jsonb<RunError>()),
  correlation_id: text,
  resume_from_run_id: nullable(uuid),
  started_at: nullable(timestamptz),
  completed_at: nullable(timestamptz),
  created_at: timestamptz,
  approval: nullable(jsonb<ApprovalRow>()),
  events: nullable(json<EventTuple[]>()),
};

const TABLE_COLUMNS = ["id", "definition", ...STORED_FIELDS] as const;

/** The types of the columns of RunRow, in the order of runColumns. */
export const RUN_COLUMN_TYPES = Object.fromEntries(
  [...TABLE_COLUMNS, "approval" as const, "events" as const].map((column) => [column, COLUMN_TYPES[column]]),
) as typeof COLUMN_TYPES;

/** The columns of RunRow, of a `runs r`. */
export function runColumns(events: EventsRead): string {
  const stored = TABLE_COLUMNS.map((column) => `r.${column}`).join(", ");
  return `${stored}, ${approvalJson("r.id")} as approval,
    ${events === "none" ? "null::json" : eventsJson("r.id", events === "full")} as events`;
}

/** The columns that are null when a run is made and get their values later (contract, Run). */
export const FILLED_LATER = { output: null, error: null, started_at: null, completed_at: null } as const;

type NullableField = { [Field in StoredField]: null extends StoredFields[Field] ? Field : never }[StoredField];

/** Null for each shown column that may be null. */
export const NO_VALUES = Object.fromEntries(
  STORED_FIELDS.filter((field) => runSchema.shape[field].safeParse(null).success).map((field) => [field, null]),
) as Record<NullableField, null>;

/** The columns of a run to be made. create_run writes null for a column that is left out. */
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
}
