import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { TemplateGallery } from "@/components/features/templates/template-gallery";

export const metadata: Metadata = { title: "Templates" };

export default async function TemplatesPage() {
  await requirePageSession("/templates");
  return <TemplateGallery />;
}
