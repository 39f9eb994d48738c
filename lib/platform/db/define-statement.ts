import type { ColumnType, ColumnTypes, ParamsOf, RowOf } from "#lib/platform/db/column-types";
import type { Db } from "#lib/platform/db/pool";
import { shareInProcess } from "#lib/support/share-in-process";

type None = Record<never, never>;
const NONE: ColumnTypes = {};

/** The description of a statement, for the test that prepares all of them. */
export interface StatementDefinition {
  /** Unique, at most 63 characters. */
  name: string;
  /** The values of `$1`, `$2`, ... are those of `params`, in the same order. */
  sql: string;
  params?: ColumnTypes;
  /** The columns of a row, in order. Omitted when the statement returns none. */
  row?: ColumnTypes;
  /**
   * False for a statement that runs rarely, or that PostgreSQL has to plan for the given values. All others are
   * prepared once per connection, under their name.
   */
  isPrepared?: boolean;
  /**
   * Values with which a statement of a hot path changes nothing. Each kept connection executes it once, so that
   * PostgreSQL has loaded and planned it before a caller needs it.
   */
  warmUp?: Readonly<Record<string, unknown>>;
}

/** The arguments after the connection: none when the statement has no parameters. */
type Arguments<Params extends ColumnTypes> = keyof Params extends never ? [] : [params: ParamsOf<Params>];

/** A statement that returns rows. */
export interface Query<Params extends ColumnTypes, Row extends ColumnTypes> {
  all(on: Db, ...params: Arguments<Params>): Promise<RowOf<Row>[]>;
  /** The first row, or null. */
  first(on: Db, ...params: Arguments<Params>): Promise<RowOf<Row> | null>;
  /** @throws Error when there is no row */
  one(on: Db, ...params: Arguments<Params>): Promise<RowOf<Row>>;
}

/** A statement that returns no rows. */
export interface Command<Params extends ColumnTypes> {
  /** @returns how many rows it wrote, deleted or locked */
  run(on: Db, ...params: Arguments<Params>): Promise<number>;
}

type Declared<Params extends ColumnTypes> = Omit<StatementDefinition, "params" | "row" | "warmUp"> & {
  params?: Params;
  warmUp?: NoInfer<ParamsOf<Params>>;
};

type WarmUp = (on: Db) => Promise<unknown>;
// The copies of a module in a process add the same ones.
const warmUpsByName = shareInProcess("warm-ups", () => new Map<string, WarmUp>());

/** Returns the statements that each kept connection executes once, by their names. */
export function warmUps(): ReadonlyMap<string, WarmUp> {
  return warmUpsByName;
}

const defined: (() => StatementDefinition[])[] = [];

/** Every statement of the loaded modules. */
export function definedStatements(): readonly StatementDefinition[] {
  return defined.flatMap((list) => list());
}

/**
 * Declares a statement with the types of its parameters and columns. Call it at the top level of a module: a test
 * prepares every statement on the migrated schema and compares the types.
 */
export function defineStatement<Row extends ColumnTypes, Params extends ColumnTypes = None>(
  definition: Declared<Params> & { row: Row },
): Query<Params, Row>;
export function defineStatement<Params extends ColumnTypes = None>(
  definition: Declared<Params> & { row?: never },
): Command<Params>;
export function defineStatement(
  definition: StatementDefinition,
): Query<ColumnTypes, ColumnTypes> & Command<ColumnTypes> {
  defined.push(() => [definition]);
  const { name, sql: text, params = NONE, isPrepared = true, warmUp } = definition;
  const keys = Object.keys(params);
  const query = isPrepared ? { name, text } : { text };

  function execute(on: Db, given: Readonly<Record<string, unknown>> = NONE) {
    return on.query<Record<string, unknown>>({ ...query, values: valuesOf(keys, params, given) });
  }

  if (warmUp) warmUpsByName.set(name, (on) => execute(on, warmUp));

  return {
    all: async (on, given) => (await execute(on, given)).rows,
    first: async (on, given) => (await execute(on, given)).rows[0] ?? null,
    one: async (on, given) => {
      const row = (await execute(on, given)).rows[0];
      if (!row) throw new Error(`the statement ${name} answered no row`);
      return row;
    },
    run: async (on, given) => (await execute(on, given)).rowCount ?? 0,
  };
}

/** Assigns a parameter its position, `$1` or later, when the SQL first names it. */
export type ParamPlace<Params extends ColumnTypes> = (param: keyof Params & string) => string;

interface VariantsDefinition<Variant, Params extends ColumnTypes, Row extends ColumnTypes> {
  /** Unique. */
  name: string;
  /** All parameters that a variant may name. */
  params: Params;
  row: Row;
  sql(variant: Variant, place: ParamPlace<Params>): string;
  /** The input of the test that prepares the variants: together they include every part of the SQL. */
  examples(): Variant[];
}

/** Values for the parameters that a variant names. */
type SomeParams<Params extends ColumnTypes> = {
  readonly [Name in keyof Params]?: ParamsOf<Params>[Name] | null | undefined;
};

/**
 * Declares a statement whose SQL depends on the request, such as a list with filters. It is built for every call, and
 * PostgreSQL plans it for the given values.
 */
export function defineVariants<Variant, Params extends ColumnTypes, Row extends ColumnTypes>(
  definition: VariantsDefinition<Variant, Params, Row>,
): { all(on: Db, variant: Variant, params: SomeParams<Params>): Promise<RowOf<Row>[]> } {
  const { name, params, row, sql, examples } = definition;

  function build(variant: Variant) {
    const keys: string[] = [];
    const text = sql(variant, (param) => `$${keys.includes(param) ? keys.indexOf(param) + 1 : keys.push(param)}`);
    return { keys, text };
  }

  defined.push(() =>
    examples().map((example, index) => {
      const { keys, text } = build(example);
      const named: Record<string, ColumnType> = {};
      for (const key of keys) if (params[key]) named[key] = params[key];
      return { name: `${name}_${index}`, sql: text, params: named, row, isPrepared: false };
    }),
  );

  return {
    all: async (on, variant, given) => {
      const { keys, text } = build(variant);
      const { rows } = await on.query<RowOf<Row>>({ text, values: valuesOf(keys, params, given) });
      return rows;
    },
  };
}

function valuesOf(keys: readonly string[], params: ColumnTypes, given: Readonly<Record<string, unknown>>): unknown[] {
  return keys.map((key) => {
    const value = given[key];
    return params[key]?.isJson && value !== null ? JSON.stringify(value) : value;
  });
}
