import type pg from "pg";

interface DescribedColumn {
  name: string;
  typeOid: number;
  /** The table and column from which the value is read unchanged, or 0 if it is computed. */
  tableOid: number;
  columnNumber: number;
}

/** PostgreSQL's description of a prepared statement. */
export interface StatementDescription {
  parameterOids: number[];
  columns: DescribedColumn[];
}

/** Asks PostgreSQL to prepare and describe a statement without running it. */
export function describeStatement(client: pg.Client, sql: string): Promise<StatementDescription> {
  return new Promise((resolve, reject) => {
    client.query(new Description(sql, resolve, reject));
  });
}

/** The part of the protocol that pg has no method for: parse, describe, sync. */
class Description implements pg.Submittable {
  readonly #sql: string;
  readonly #resolve: (description: StatementDescription) => void;
  readonly #reject: (error: Error) => void;
  #parameterOids: number[] = [];
  #columns: DescribedColumn[] = [];

  constructor(sql: string, resolve: (description: StatementDescription) => void, reject: (error: Error) => void) {
    this.#sql = sql;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): void {
    connection.once("parameterDescription", (message: { dataTypeIDs: number[] }) => {
      this.#parameterOids = message.dataTypeIDs;
    });
    connection.parse({ name: "", text: this.#sql, types: [] }, true);
    connection.describe({ type: "S", name: "" }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#columns = fields.map((field) => ({
      name: field.name,
      typeOid: field.dataTypeID,
      tableOid: field.tableID,
      columnNumber: field.columnID,
    }));
  }

  handleReadyForQuery(): void {
    this.#resolve({ parameterOids: this.#parameterOids, columns: this.#columns });
  }

  handleError(error: Error): void {
    this.#reject(error);
  }
}
