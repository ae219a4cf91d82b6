// Reads the JSON files of a state directory. Refuses a damaged file by name, with a remedy. A refusal never repeats
// content, because a file may hold secrets.
import { Refusal } from './aws-error.ts'

type Fits<Stored> = (value: unknown) => value is Stored

/** @throws a Refusal that names the file */
export function parseStored<Stored>(text: string, place: string, fits: Fits<Stored>, remedy: string): Stored {
  const value = parseOrUndefined(text)
  if (fits(value)) return value
  throw new Refusal(place, `is damaged, so nothing uses it; ${remedy}`)
}

/**
 * Parses one value per line. Ignores a partial last line, because nothing was promised for it. @throws a Refusal that
 * names the file and the line
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
