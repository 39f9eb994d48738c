import { redirect } from "next/navigation";
import { findPageSession } from "#lib/api/auth/page-session";

export default async function Home() {
  redirect((await findPageSession()) ? "/workflows" : "/sign-in");
}
