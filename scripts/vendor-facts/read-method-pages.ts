import type { PublishedFacts, PublishedMethod } from "#lib/connectors/vendors/published-facts.fixture";

/** The URL of a page's example requests. Methods of REST 3.0 are below /api. */
const EXAMPLE_URL =
  /https:\/\/\*\*put_your_bitrix24_address\*\*\/rest\/(api\/)?(?:\*\*\w+\*\*\/){0,2}([a-z][a-z0-9.]*)/;
const HEADING = /^# .*?()([a-z]+(?:\.[a-z0-9]+)+)\s*$/m;

/**
 * Reads the pages of the Bitrix24 REST documentation, one per method. A page has an example URL or a heading with the
 * method's name, a note if the method is deprecated, and a table of parameters with an asterisk after each required
 * one.
 */
export function readMethodPages(pages: readonly string[]): PublishedFacts["methods"] {
  return Object.fromEntries(
    pages.flatMap((page) => {
      const [, folder = "", name] = EXAMPLE_URL.exec(page) ?? HEADING.exec(page) ?? [];
      return name === undefined ? [] : [[`POST /${folder}${name}`, readPage(page)] as const];
    }),
  );
}

function readPage(page: string): PublishedMethod {
  const [, section = ""] = page.split(/^## Method Parameters.*$/m);
  const [table = ""] = section.split(/^#{2,3} /m);
  const rows = [...table.matchAll(/^\|\| \*\*(\w+)(\\?\*)?\*\*(\\?\*)?/gm)].filter(([, name]) => name !== "Name");
  const body = rows.map(([, name, inside, after]) => [name, inside || after ? { required: true as const } : {}]);
  return {
    ...(/\{% note warning "[^"]*deprecated/i.test(page) ? { deprecated: true } : {}),
    ...(body.length > 0 ? { body: Object.fromEntries(body) } : {}),
  };
}
