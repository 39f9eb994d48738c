import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { ActionDetail } from "@/components/pages/action/action-detail";

interface PageProps {
  params: Promise<{ slug: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).slug) };
}

export default async function ActionPage({ params, searchParams }: PageProps) {
  const { slug } = await params;
  await requirePageSession(`/actions/${slug}`, await searchParams);
  return <ActionDetail slug={decodeURIComponent(slug)} />;
}
