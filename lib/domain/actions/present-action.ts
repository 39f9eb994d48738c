import {
  ACTION_STATUSES,
  type ActionDetailObject,
  type ActionObject,
  APPROVAL_POLICIES,
} from "#lib/contract/action/action";
import type { InputSchema, JsonObject, OutputSchema } from "#lib/contract/wire/json-schema";
import { exampleObject } from "#lib/core/input/example-value";
import { currentSchema } from "#lib/core/input/input-aliases";
import { validateInput } from "#lib/core/input/validate-input";
import {
  enumOf,
  filled,
  integer,
  json,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";

/** A published action: its row, its workflow's name and description, and its current release's schemas. */
export const ACTION_ROW = {
  id: uuid,
  slug: text,
  name: text,
  description: nullable(text),
  status: enumOf(ACTION_STATUSES),
  approval_policy: enumOf(APPROVAL_POLICIES),
  release_version: integer,
  workflow_id: uuid,
  // Every version of a callable workflow has one.
  input_schema: filled(json<InputSchema>()),
  output_schema: nullable(json<OutputSchema>()),
  created_at: timestamptz,
  updated_at: timestamptz,
};
export type ActionRow = RowOf<typeof ACTION_ROW>;

export interface ReleaseRow {
  version: number;
  deployed_at: string;
  breaking: boolean;
}

/**
 * Selects ACTION_ROW for actions with a current release; from outside, the others look like drafts (decisions,
 * Actions).
 */
export const SELECT_ACTIONS = `select a.id, a.slug, w.name, w.description, a.status, a.approval_policy,
    r.version as release_version, a.workflow_id, v.input_schema, v.output_schema, a.created_at, a.updated_at
  from actions a
  join workflows w on w.id = a.workflow_id
  join action_releases r on r.id = a.current_release_id
  join workflow_versions v on v.id = r.workflow_version_id`;

/** Presents the action object (decisions, Actions). */
export function presentAction(row: ActionRow): ActionObject {
  return {
    slug: row.slug,
    name: row.name,
    description: row.description,
    status: row.status,
    approval_policy: row.approval_policy,
    release_version: row.release_version,
    workflow_id: row.workflow_id,
    inputSchema: row.input_schema,
    outputSchema: row.output_schema,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** @param releases newest first */
export function presentActionDetail(row: ActionRow, releases: readonly ReleaseRow[]): ActionDetailObject {
  return {
    ...presentAction(row),
    examples: exampleInputs(row.input_schema),
    releases: releases.map((release) => ({ ...release, deployed_at: new Date(release.deployed_at).toISOString() })),
  };
}

/**
 * Derives inputs that satisfy the schema (decisions, Actions): one with every field, and one with only
 * the required fields if that differs. An input that would not match a pattern is left out.
 */
export function exampleInputs(published: InputSchema): JsonObject[] {
  const schema = currentSchema(published);
  const names = Object.keys(schema.properties);
  const required = names.filter((name) => schema.required.includes(name));
  const lists = required.length === names.length ? [names] : [names, required];
  return lists
    .map((list) => exampleObject(schema.properties, list))
    .filter((example) => validateInput(schema, example).length === 0);
}
