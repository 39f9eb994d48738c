export const dynamic = "force-dynamic";

/** What Next takes for an answer that costs nothing. */
export async function GET() {
  return Response.json({ status: "succeeded", input: { name: "Ada", n: 1 }, output: { text: "nothing to look up" } });
}
