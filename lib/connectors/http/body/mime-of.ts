/** Returns a media type without its parameters, in lowercase. */
export function mimeOf(type: string): string {
  return type.split(";")[0]?.trim().toLowerCase() ?? "";
}

const PARAMETER = /;\s*([!#-+\-.^-z|~\w]+)\s*=\s*("[ !#-[\]-~]*"|[!#-+\-.^-z|~\w/:]+)/g;
/** We write UTF-8, and choose the boundary. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set(["charset", "boundary"]);

/** Returns the parameters of a media type that are part of its meaning, such as `; v=2`. */
export function parametersOf(type: string): string {
  return [...type.matchAll(PARAMETER)]
    .filter(([, name = ""]) => !OWN_PARAMETERS.has(name.toLowerCase()))
    .map(([, name, value]) => `; ${name}=${value}`)
    .join("");
}

export function isJsonType(mime: string): boolean {
  return /[/+]json$/.test(mime);
}

/** Ranges, and the type that a body is sent in: a range is no type of a body (RFC 9110, 8.3). */
const CONCRETE: readonly (readonly [RegExp, string])[] = [
  [/^[^/]+\/\*\+json$|^\*\/json$/, "application/json"],
  [/^[^/]+\/\*\+xml$|^\*\/xml$/, "application/xml"],
  [/^text\/\*$/, "text/plain"],
  [/^multipart\/\*$/, "multipart/form-data"],
];

/** Returns the type in which a body of a media type or range is sent. A file brings its own type for the other ranges. */
export function concreteType(mime: string): string {
  return CONCRETE.find(([range]) => range.test(mime))?.[1] ?? (mime === "*" ? "*/*" : mime);
}

/** Whether a range means any type, which JSON is if the body is not a file. */
export function isAnyType(mime: string): boolean {
  return mime === "*/*" || mime === "application/*";
}
