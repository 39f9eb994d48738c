import mono from "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2";
import sans from "@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { preload } from "react-dom";
import "@fontsource-variable/ibm-plex-sans/wght.css";
import "@fontsource/ibm-plex-mono/400.css";
import "@fontsource/ibm-plex-mono/500.css";
import "@/app/globals.css";
import { Providers } from "@/components/pages/frame/providers";

export const metadata: Metadata = {
  title: { default: "Signalbox", template: "%s · Signalbox" },
  description: "Draw workflows, publish them as actions, and let agents call them.",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
};

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  // Preloaded with the page: a font that arrives after the first text would shift the text, and tables with it.
  for (const font of [sans, mono]) preload(font, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  return (
    // The theme attribute is set before hydration, so it may differ from what the server sent.
    <html lang="en" suppressHydrationWarning>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
