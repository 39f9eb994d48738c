/** The functions that JSONata has; each is a variable, too, as in `$map(items, $uppercase)`. */
export const JSONATA_FUNCTIONS: readonly string[] = [
  ..."sum count max min average".split(" "),
  ..."string substring substringBefore substringAfter lowercase uppercase length trim pad match contains".split(" "),
  ..."replace split join formatNumber formatBase formatInteger parseInteger number".split(" "),
  ..."floor ceil round abs sqrt power random boolean not".split(" "),
  ..."map zip filter single reduce sift keys lookup append exists spread merge reverse each error assert".split(" "),
  ..."type sort shuffle distinct".split(" "),
  ..."base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl eval".split(" "),
  ..."toMillis fromMillis clone now millis".split(" "),
];

/** What other languages call a function. */
export const JSONATA_ALIASES: Readonly<Record<string, string>> = {
  uppercase: "upper touppercase",
  lowercase: "lower tolowercase",
  average: "avg mean",
  length: "len",
  count: "size",
  string: "tostring str stringify",
  number: "int float parseint parsefloat tonumber",
  substring: "slice substr",
  contains: "includes",
  distinct: "unique uniq",
  trim: "strip",
  exists: "isset defined",
  encodeUrlComponent: "encodeuricomponent urlencode",
};
