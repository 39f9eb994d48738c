import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { EventSettings } from "@/components/features/outbound-events/event-settings";

export const metadata: Metadata = { title: "Events and alerts" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function EventsPage({ searchParams }: PageProps) {
  await requirePageSession("/settings/events", await searchParams);
  return <EventSettings />;
}
