import type { Metadata } from "next";
import { requirePageSession } from "#lib/surfaces/page-session";
import { UsagePage } from "@/components/usage/usage-page";

export const metadata: Metadata = { title: "Usage" };

export default async function Page() {
  await requirePageSession("/usage");
  return <UsagePage />;
}
