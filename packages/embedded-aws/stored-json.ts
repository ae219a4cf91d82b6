// Reads what a state directory keeps as JSON. A file that something else has changed is refused by its name, with what
// to do about it. A refusal never repeats what is in a file, because secrets may be.
import { Refusal } from './refusal.ts'

type Fits<Stored> = (value: unknown) => value is Stored

/** @throws Refusal that names the file */
export function parseStored<Stored>(text: string, place: string, fits: Fits<Stored>, remedy: string): Stored {
  const value = parseOrUndefined(text)
  if (fits(value)) return value
  throw new Refusal(place, `is damaged, and nothing goes by it; ${remedy}`)
}

/**
 * A line for each value. A last line that was cut off is left out, because nobody was told that it is there.
 * @throws Refusal that names the file and the line
 */
export function parseStoredLines<Stored>(
  text: string,
  file: string,
  fits: Fits<Stored>,
  remedy: string,
): readonly Stored[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line, index) => parseStored(line, `${file}:${index + 1}`, fits, remedy))
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
