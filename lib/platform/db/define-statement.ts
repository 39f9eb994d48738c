import type { ColumnTypes, ParamsOf, RowOf } from "#lib/platform/db/column-types";
import type { Db } from "#lib/platform/db/pool";

type None = Record<never, never>;
const NONE: ColumnTypes = {};

/** What a statement is, for the test that prepares all of them. */
export interface StatementDefinition {
  /** Unique, at most 63 characters. */
  name: string;
  /** The values of `$1`, `$2`, ... are those of `params`, in their order. */
  sql: string;
  params?: ColumnTypes;
  /** The columns of a row, in their order. Left out when the statement answers none. */
  row?: ColumnTypes;
  /**
   * False for a statement that runs rarely, or that PostgreSQL has to plan with the values at hand. All others are
   * prepared once per connection, under their name.
   */
  isPrepared?: boolean;
}

/** The arguments after the connection: none when the statement has no parameters. */
type Arguments<Params extends ColumnTypes> = keyof Params extends never ? [] : [params: ParamsOf<Params>];

/** A statement that answers rows. */
export interface Query<Params extends ColumnTypes, Row extends ColumnTypes> {
  all(on: Db, ...params: Arguments<Params>): Promise<RowOf<Row>[]>;
  /** The first row, or null. */
  first(on: Db, ...params: Arguments<Params>): Promise<RowOf<Row> | null>;
  /** @throws Error when there is no row */
  one(on: Db, ...params: Arguments<Params>): Promise<RowOf<Row>>;
}

/** A statement that answers no rows. */
export interface Command<Params extends ColumnTypes> {
  /** @returns how many rows it wrote, deleted or locked */
  run(on: Db, ...params: Arguments<Params>): Promise<number>;
}

const defined: StatementDefinition[] = [];

/** Every statement of the modules that are loaded. */
export function definedStatements(): readonly StatementDefinition[] {
  return defined;
}

/**
 * Declares a statement with the types of its parameters and columns. Call it at the top level of a module: a test
 * prepares every statement on the migrated schema and compares the types.
 */
export function defineStatement<Row extends ColumnTypes, Params extends ColumnTypes = None>(
  definition: Omit<StatementDefinition, "params" | "row"> & { params?: Params; row: Row },
): Query<Params, Row>;
export function defineStatement<Params extends ColumnTypes = None>(
  definition: Omit<StatementDefinition, "params" | "row"> & { params?: Params; row?: never },
): Command<Params>;
export function defineStatement(
  definition: StatementDefinition,
): Query<ColumnTypes, ColumnTypes> & Command<ColumnTypes> {
  defined.push(definition);
  const { name, sql: text, params = NONE, isPrepared = true } = definition;
  const places = Object.entries(params).map(([key, { isJson }]) => ({ key, isJson }));
  const query = isPrepared ? { name, text } : { text };

  function execute(on: Db, given: Readonly<Record<string, unknown>> = NONE) {
    const values = places.map(({ key, isJson }) => {
      const value = given[key];
      return isJson && value !== null ? JSON.stringify(value) : value;
    });
    return on.query<Record<string, unknown>>({ ...query, values });
  }

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
