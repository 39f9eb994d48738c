import { type Html, html } from "#lib/support/html";

/** The colors of the application (`app/globals.css`), as far as such a page needs them. */
const STYLE = `
:root { color-scheme: light dark; --app: #faf9f6; --surface: #fff; --border: #e3dfd6; --border-strong: #8b8578; --text: #1c1b18; --text-2: #514d45; --ok: #176b41; --accent: #2f4bc7; --err: #b3261e; --err-bg: #fbe7e5 }
@media (prefers-color-scheme: dark) { :root { --app: #161719; --surface: #1c1e21; --border: #2e3136; --border-strong: #767b84; --text: #eceae5; --text-2: #b9b6ae; --ok: #62c993; --accent: #9aaeff; --err: #ff928a; --err-bg: #371b1a } }
*, ::before { box-sizing: border-box }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 24px; background: var(--app); color: var(--text); font: 15px/1.5 "IBM Plex Sans", system-ui, sans-serif }
main { width: 100%; max-width: 440px; padding: 24px; background: var(--surface); border: 1px solid var(--border); border-radius: 12px; overflow-wrap: anywhere }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3 }
p { margin: 0 0 16px; color: var(--text-2) }
`;

interface PlainPage {
  title: string;
  /** Added to the style of all such pages. */
  style?: string;
  head?: Html | null;
  body: Html;
}

/** Builds a page that needs neither the build of the application nor a script: one card in the middle. */
export function plainPage({ title, style = "", head = null, body }: PlainPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<style>${{ html: STYLE + style }}</style>
</head>
${body}
</html>
`.html;
}
