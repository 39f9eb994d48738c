import type { Metadata } from "next";
import { requirePageSession } from "#lib/surfaces/page-session";
import { DesignGallery } from "@/components/design/design-gallery";

export const metadata: Metadata = { title: "Design", robots: { index: false, follow: false } };

export default async function DesignPage() {
  await requirePageSession("/design");
  return <DesignGallery />;
}
