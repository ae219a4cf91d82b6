// The guess behind "did you mean": the known name with the fewest edits. Pure.

/** The known name nearest to `given`, or undefined when none is near enough to be what was meant. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  // Names longer than any of ours are not worth the square of their length.
  if (given.length > 64) return undefined
  const ranked = known
    .map((name) => ({ name, edits: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((left, right) => left.edits - right.edits)
  const best = ranked[0]
  // A third of the name may be wrong; two letters always may.
  return best !== undefined && best.edits <= Math.max(2, Math.floor(best.name.length / 3)) ? best.name : undefined
}

/** For the end of a sentence: `; did you mean NAME?`, or nothing. */
export function nearestHint(given: string, known: readonly string[]): string {
  const nearest = nearestName(given, known)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

/** Levenshtein distance, one row at a time. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === right[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
