// Finds the suggestion for "did you mean": the known name with the fewest edits. Pure.

/** Returns the known name nearest to `given`, or undefined when no name is near enough. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  // Longer names are never ours, and comparing them costs the square of their length.
  if (given.length > 64) return undefined
  const ranked = known
    .map((name) => ({ name, edits: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((left, right) => left.edits - right.edits)
  const best = ranked[0]
  // Up to a third of the letters may differ, and two letters always may.
  return best !== undefined && best.edits <= Math.max(2, Math.floor(best.name.length / 3)) ? best.name : undefined
}

/** Returns the end of a message: `; did you mean NAME?`, or an empty text. */
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
