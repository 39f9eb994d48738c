import pg from "pg";

export const dynamic = "force-dynamic";

// As many connections as the product's web process has.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 });

/** What Next and Postgres take for one row, committed. */
export async function POST(request) {
  const { input } = await request.json();
  const { rows } = await pool.query({
    name: "floor_insert",
    text: "insert into bench.floor (input) values ($1) returning id, input, created_at",
    values: [JSON.stringify(input)],
  });
  return Response.json(rows[0], { status: 202 });
}
