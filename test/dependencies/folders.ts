// Draws the arrows between the folders of a room, from the imports of its files, and finds the arrows of circles. Imports of
// types count too: a reader follows them as well. Pure.
import path from 'node:path'

/** Matches the specifier of a static or dynamic import, and of a re-export, from a file beside or above. */
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/** The folders that a folder imports, each with one import as an example. */
type Arrows = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * Returns a sentence for each arrow between folders directly below `room` that is part of a circle. `sources`: the texts of
 * files, by path from the repository root.
 */
export function findCircles(room: string, sources: ReadonlyMap<string, string>): string[] {
  const arrows = draw(room, sources)
  return [...arrows].flatMap(([from, targets]) =>
    [...targets].flatMap(([to, example]) =>
      reachedFrom(to, arrows).has(from) ? [`${room}: ${from} and ${to} import each other: ${example}`] : [],
    ),
  )
}

function draw(room: string, sources: ReadonlyMap<string, string>): Arrows {
  const arrows = new Map<string, Map<string, string>>()
  for (const [file, text] of sources) {
    const from = folderIn(room, file)
    if (from === undefined) continue
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = path.posix.join(path.posix.dirname(file), specifier)
      const to = folderIn(room, target)
      if (to === undefined || to === from) continue
      const targets = arrows.get(from) ?? new Map<string, string>()
      arrows.set(from, targets.set(to, `${file} imports ${target}`))
    }
  }
  return arrows
}

/** Undefined for a file outside the room, and for a file directly in it. */
function folderIn(room: string, file: string): string | undefined {
  if (!file.startsWith(`${room}/`)) return undefined
  const [folder, ...rest] = file.slice(room.length + 1).split('/')
  return rest.length === 0 ? undefined : folder
}

function reachedFrom(folder: string, arrows: Arrows): ReadonlySet<string> {
  const reached = new Set([folder])
  // Iteration over a Set includes what is added during it.
  for (const one of reached) for (const next of arrows.get(one)?.keys() ?? []) reached.add(next)
  return reached
}
