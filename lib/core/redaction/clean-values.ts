/**
 * What large values became when they were cleaned. Steps pass the same value on, so a run cleans it once and not for each
 * event that contains it.
 */
export interface CleanValues {
  texts: Map<string, string>;
  objects: WeakMap<object, { depth: number; clean: object }>;
  /** The characters of the keys of `texts`: a text stays in memory as long as it is there. */
  characters: number;
  /** How many characters and objects were read. */
  read: number;
}

/** What the payloads of a run became, in the two steps of cleaning. */
export interface CleanPayloads {
  masked: CleanValues;
  sanitized: CleanValues;
}

/** Smaller values are cleaned in less time than they are found. */
const LARGE = 8_192;
const MAX_CHARACTERS = 4_194_304;

export function newCleanPayloads(): CleanPayloads {
  return { masked: newCleanValues(), sanitized: newCleanValues() };
}

function newCleanValues(): CleanValues {
  return { texts: new Map(), objects: new WeakMap(), characters: 0, read: 0 };
}

/** Cleans a text, or returns what the same text became before. */
export function cleanText(values: CleanValues | undefined, text: string, clean: (text: string) => string): string {
  if (!values) return clean(text);
  values.read += text.length;
  if (text.length < LARGE) return clean(text);
  const known = values.texts.get(text);
  if (known !== undefined) return known;
  const cleaned = clean(text);
  if (values.characters + text.length > MAX_CHARACTERS) {
    values.texts.clear();
    values.characters = 0;
  }
  values.texts.set(text, cleaned);
  values.characters += text.length;
  return cleaned;
}

/**
 * Cleans an object or an array, or returns what the same one became before.
 * @param depth what becomes of a value depends on how deep it is in the payload
 */
export function cleanObject(
  values: CleanValues | undefined,
  object: object,
  depth: number,
  clean: (object: object, depth: number, values: CleanValues | undefined) => object,
): object {
  if (!values) return clean(object, depth, values);
  const known = values.objects.get(object);
  if (known?.depth === depth) return known.clean;
  const before = values.read;
  values.read += 1;
  const cleaned = clean(object, depth, values);
  if (values.read - before >= LARGE) values.objects.set(object, { depth, clean: cleaned });
  return cleaned;
}
