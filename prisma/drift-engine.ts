import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import { SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";

/** The type "char" of PostgreSQL's own catalogs. The adapter refuses it, and the engine expects a character. */
const CHAR_OID = 18;
const TEXT_OID = 25;

/**
 * Returns what Prisma would change in a database to match schema.prisma. `prisma migrate diff` needs a native engine
 * that npm does not ship. This is the same engine as WebAssembly, on the driver that the application uses.
 * @returns the SQL, or "" if the two agree
 */
export async function diffDatabase(connectionString: string): Promise<string> {
  const path = "schema.prisma";
  const content = await readFile(join(import.meta.dirname, path), "utf8");
  // The engine requires this hook even if it does not panic.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: () => {} } });
  const pool = new pg.Pool({ connectionString });
  try {
    const factory = bindMigrationAwareSqlAdapterFactory(characterFactory(pool));
    const engine = await SchemaEngine.new({ datamodels: [[path, content]] }, () => {}, factory);
    const { exitCode, stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files: [{ path, content }], configDir: import.meta.dirname },
      to: { tag: "schemaDatamodel", files: [{ path, content }] },
      script: true,
      exitCode: true,
      filters: { externalTables: ["public._function_sets"], externalEnums: [] },
    });
    return exitCode === 0 ? "" : (stdout ?? "");
  } finally {
    await pool.end();
  }
}

/** Prisma's own adapter, but its results show "char" columns as characters. */
function characterFactory(pool: pg.Pool): PrismaPg {
  const names = new Set<string>();
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  const queryShowingText = async (...args: unknown[]) => {
    const result = await query(...args);
    for (const field of result.fields) {
      if (field.dataTypeID !== CHAR_OID) continue;
      names.add(field.name);
      field.dataTypeID = TEXT_OID;
    }
    return result;
  };
  const factory = new PrismaPg(Object.assign(pool, { query: queryShowingText }));
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (statement) => {
      const result = await queryRaw(statement);
      const columnTypes = result.columnTypes.map((type, index) =>
        names.has(result.columnNames[index] ?? "") ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return adapter;
  };
  return factory;
}
