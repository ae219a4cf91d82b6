// Makes text safe to show. Names, reasons and ids come from other people: their text must not control the terminal,
// change the reading order, or hide something. Every text that a command prints goes through here. Also spells counts.

// Control and format characters, line ends of other scripts, halves of characters, and characters without width. The two
// selectors that choose how an emoji is drawn are left out.
const UNPRINTABLE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]--[\ufe0e\ufe0f]]/gv

/** The same text on one line. Unsafe characters become escapes. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped)
}

/** JSON on one line that is safe to show: the same value, with unsafe characters escaped. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escaped)
}

/** One escape for each UTF-16 unit, as JSON writes it, so that JSON keeps its value. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

// Matches the sequences that `styleText` writes for the styles of output.ts, the links of the terminal, and the end of a line.
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal takes its styles in this form
const OWN = /(\u001b\[(?:1|2|22|31|32|33|36|39)m|\u001b\]8;;(?:(?:https|file):\/\/[\x21-\x7e]*)?\u001b\\|\n)/

/** For lines that we wrote ourselves: keeps our colours and links, and escapes all other control sequences. */
export function printableLines(text: string): string {
  return text
    .split(OWN)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join('')
}

/** `1 record`, `2 records`. `many`: the plural, where it is more than the word with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
