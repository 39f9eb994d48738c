import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { findPageSession } from "#lib/api/auth/page-session";
import { findDocumentationPage } from "#lib/api/documentation/find-page";
import { DocumentationBody } from "@/components/pages/docs/documentation-body";
import { PublicHeader } from "@/components/pages/docs/public-header";

interface DocumentationRouteProps {
  params: Promise<{ path?: string[] }>;
}

const findPage = cache((path: string) => findDocumentationPage(path));

async function pageOf({ params }: DocumentationRouteProps) {
  const { path = [] } = await params;
  return (await findPage(["/docs", ...path].join("/"))) ?? notFound();
}

export async function generateMetadata(props: DocumentationRouteProps): Promise<Metadata> {
  const { page } = await pageOf(props);
  return { title: page.href === "/docs" ? page.title : `${page.title} · Documentation` };
}

export default async function DocumentationRoute(props: DocumentationRouteProps) {
  const { page, sections } = await pageOf(props);
  const session = await findPageSession();
  return (
    <>
      <PublicHeader isSignedIn={session !== null} />
      <DocumentationBody page={page} sections={sections} />
    </>
  );
}
