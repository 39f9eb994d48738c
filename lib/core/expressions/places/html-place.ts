/** The place in an HTML text after what is written so far. */
export interface HtmlPlace {
  at:
    | "text"
    | "name"
    | "tag"
    | "attribute"
    | "equals"
    | "double"
    | "single"
    | "unquoted"
    | "declaration"
    | "comment"
    | "element";
  /** The tag that is open, or the element whose content is not markup. In lower case. */
  tag: string;
  attribute: string;
  /** The last characters of what ends with more than one character. */
  tail: string;
}

export function htmlStart(): HtmlPlace {
  return { at: "text", tag: "", attribute: "", tail: "" };
}

/** Elements whose content ends only with their own end tag (HTML, 13.1.2.4: raw text and escapable raw text). */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  ...["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"],
]);
const SPACE = /\s/;
const LETTER = /[A-Za-z]/;
/** Longer than `</textarea`. */
const TAIL_CHARACTERS = 12;

/** Follows a text from left to right, character by character, as the tokenizer of HTML reads it (HTML, 13.2.5). */
export function followHtml(place: HtmlPlace, character: string): void {
  switch (place.at) {
    case "text":
      if (character === "<") start(place, "name");
      return;
    case "name":
      takeName(place, character);
      return;
    case "tag":
      if (character === ">") endTag(place);
      else if (!SPACE.test(character) && character !== "/") {
        Object.assign(place, { at: "attribute", attribute: character.toLowerCase(), tail: "" });
      }
      return;
    case "attribute":
      takeAttribute(place, character);
      return;
    case "equals":
      if (character === '"') place.at = "double";
      else if (character === "'") place.at = "single";
      else if (character === ">") endTag(place);
      else if (!SPACE.test(character)) place.at = "unquoted";
      return;
    case "double":
      if (character === '"') place.at = "tag";
      return;
    case "single":
      if (character === "'") place.at = "tag";
      return;
    case "unquoted":
      if (character === ">") endTag(place);
      else if (SPACE.test(character)) place.at = "tag";
      return;
    default:
      takeTail(place, character);
  }
}

function start(place: HtmlPlace, at: HtmlPlace["at"]): void {
  Object.assign(place, { at, tag: "", attribute: "", tail: "" });
}

function takeName(place: HtmlPlace, character: string): void {
  if (place.tag === "" && (character === "!" || character === "?")) {
    place.at = "declaration";
  } else if (place.tag === "" && !LETTER.test(character) && character !== "/") {
    // A `<` before anything else is a text.
    place.at = character === "<" ? "name" : "text";
  } else if (character === ">") {
    endTag(place);
  } else if (SPACE.test(character) || (character === "/" && place.tag !== "")) {
    place.at = "tag";
  } else {
    place.tag += character.toLowerCase();
  }
}

function takeAttribute(place: HtmlPlace, character: string): void {
  if (character === ">") endTag(place);
  else if (character === "=") place.at = "equals";
  else if (character === "/") place.at = "tag";
  else if (SPACE.test(character)) place.tail = " ";
  else if (place.tail === " ") {
    place.attribute = character.toLowerCase();
    place.tail = "";
  } else {
    place.attribute += character.toLowerCase();
  }
}

/** After the end tag of an element, or a start tag, the text continues, unless the element has only text. */
function endTag(place: HtmlPlace): void {
  if (TEXT_ELEMENTS.has(place.tag)) Object.assign(place, { at: "element", tail: "" });
  else start(place, "text");
}

function takeTail(place: HtmlPlace, character: string): void {
  const tail = place.tail;
  place.tail = (tail + character.toLowerCase()).slice(-TAIL_CHARACTERS);
  if (place.at === "declaration") {
    if (place.tail === "--") place.at = "comment";
    else if (character === ">") start(place, "text");
  } else if (place.at === "comment") {
    if (place.tail.endsWith("-->") || place.tail.endsWith("--!>")) start(place, "text");
  } else if (tail.endsWith(`</${place.tag}`) && (SPACE.test(character) || character === "/" || character === ">")) {
    start(place, character === ">" ? "text" : "tag");
  }
}
