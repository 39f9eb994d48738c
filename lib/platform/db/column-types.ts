/**
 * The type of a parameter or a column of a statement: its TypeScript type, and the type PostgreSQL has to report when
 * the statement is prepared (`statements.test.ts` compares both).
 */
export interface ColumnType<Row = unknown, Param = Row> {
  /** Spelled like `regtype`. */
  readonly pg: string;
  readonly isNullable: boolean;
  /** Parameters are passed as values and serialized as JSON. */
  readonly isJson: boolean;
  /** Set when the table allows null but the statement's conditions do not. */
  readonly isFilled: boolean;
  /** The values that the column may have. */
  readonly values?: readonly string[];
  /** Never set: it carries the two types. */
  readonly types?: { row: Row; param: Param };
}

/** Named column types: the parameters or the row of a statement. */
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** The TypeScript type of a row with these columns. */
export type RowOf<Types extends ColumnTypes> = {
  [Name in keyof Types]: Types[Name] extends ColumnType<infer Row, unknown> ? Row : never;
};

/** The TypeScript type of the values for these parameters. */
export type ParamsOf<Types extends ColumnTypes> = {
  readonly [Name in keyof Types]: Types[Name] extends ColumnType<unknown, infer Param> ? Param : never;
};

export const uuid = plain<string>("uuid");
export const text = plain<string>("text");
export const boolean = plain<boolean>("boolean");
export const integer = plain<number>("integer");
/** A number: bigint columns are counters far below 2^53 (`pool.ts`). */
export const bigint = plain<number>("bigint");
export const float8 = plain<number>("double precision");
export const timestamptz = plain<Date>("timestamp with time zone");
export const bytea = plain<Buffer, Uint8Array>("bytea");

/** A JSON parameter that the caller has already serialized: hot paths join it from existing parts. */
export const jsonText = plain<never, string>("json");
export const jsonbText = plain<never, string>("jsonb");

export function json<T>(): ColumnType<T> {
  return { ...plain<T>("json"), isJson: true };
}

export function jsonb<T>(): ColumnType<T> {
  return { ...plain<T>("jsonb"), isJson: true };
}

/** A text that is one of these values. */
export function enumOf<const Value extends string>(values: readonly Value[]): ColumnType<Value> {
  return { ...plain<Value>("text"), values };
}

/** A type without a name here, spelled like `regtype`. */
export function pgType<Row, Param = Row>(pg: string): ColumnType<Row, Param> {
  return plain<Row, Param>(pg);
}

export function array<Row, Param>(item: ColumnType<Row, Param>): ColumnType<Row[], readonly Param[]> {
  return plain<Row[], readonly Param[]>(`${item.pg}[]`);
}

export function nullable<Row, Param>(type: ColumnType<Row, Param>): ColumnType<Row | null, Param | null> {
  return { ...type, isNullable: true } as ColumnType<Row | null, Param | null>;
}

/** A column that may be null in the table, in a statement whose conditions exclude such rows. */
export function filled<Row, Param>(type: ColumnType<Row, Param>): ColumnType<Row, Param> {
  return { ...type, isFilled: true };
}

function plain<Row, Param = Row>(pg: string): ColumnType<Row, Param> {
  return { pg, isNullable: false, isJson: false, isFilled: false };
}
