import pg from "pg";

export const dynamic = "force-dynamic";

// The same number of connections as in the product's web process.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 });

/** Inserts and commits one row: the cost of Next and PostgreSQL alone. */
export async function POST(request) {
  const { input } = await request.json();
  const { rows } = await pool.query({
    name: "floor_insert",
    text: "insert into bench.floor (input) values ($1) returning id, input, created_at",
    values: [JSON.stringify(input)],
  });
  return Response.json(rows[0], { status: 202 });
}
