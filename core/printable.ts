// Makes text safe to show. Names, reasons and ids are other people's text: it must neither control the terminal, nor
// change the order of what is read, nor hide something in it. Every text of a command goes through here.

// Control and format characters, line ends of other scripts, halves of characters, and what has no width. The two
// selectors that say how an emoji is drawn stay.
const UNPRINTABLE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]--[\ufe0e\ufe0f]]/gv

/** The same text on one line. Characters that are not safe become escapes. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped)
}

/** JSON on one line that is safe to show: the same value, with such characters escaped. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escaped)
}

/** As JSON writes it: one escape for each unit, so that JSON stays the same value. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

// What `styleText` writes for the styles of output.ts, the links of link.ts, and the end of a line.
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is how a terminal is told a style
const OWN = /(\u001b\[(?:1|2|22|31|32|33|36|39)m|\u001b\]8;;(?:(?:https|file):\/\/[\x21-\x7e]*)?\u001b\\|\n)/

/** Lines that we wrote ourselves: our colours and links stay, and nothing else of what a terminal obeys. */
export function printableLines(text: string): string {
  return text
    .split(OWN)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join('')
}
