import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { DesignGallery } from "@/components/pages/design/design-gallery";

export const metadata: Metadata = { title: "Design", robots: { index: false, follow: false } };

export default async function DesignPage() {
  await requirePageSession("/design");
  return <DesignGallery />;
}
