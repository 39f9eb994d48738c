import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { UsagePage } from "@/components/features/usage/usage-page";

export const metadata: Metadata = { title: "Usage" };

export default async function Page() {
  await requirePageSession("/usage");
  return <UsagePage />;
}
