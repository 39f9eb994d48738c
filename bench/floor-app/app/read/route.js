export const dynamic = "force-dynamic";

/** Answers without any work: the cost of Next alone. */
export async function GET() {
  return Response.json({ status: "succeeded", input: { name: "Ada", n: 1 }, output: { text: "nothing to look up" } });
}
