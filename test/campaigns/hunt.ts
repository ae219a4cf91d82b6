// Hunts naive variants by name, and prints what caught each. The campaign decides how to hunt.

/** The finding that caught a variant, and how soon. Undefined if nothing caught it. */
export type Caught = { readonly by: string; readonly after: string } | undefined

/** Prints a line for each variant, and the number caught. @returns whether all were caught */
export async function hunt(names: readonly string[], catchOne: (name: string) => Promise<Caught>): Promise<boolean> {
  const widest = Math.max(...names.map(({ length }) => length))
  let count = 0
  for (const name of names) {
    const caught = await catchOne(name)
    if (caught !== undefined) count += 1
    console.log(`${name.padEnd(widest)} ${caught ? `caught after ${caught.after}: ${caught.by}` : 'NOT CAUGHT'}`)
  }
  console.log(`${count} of ${names.length} caught`)
  return count === names.length
}

/** A line for each name, for a program's help. */
export function namesText(named: Readonly<Record<string, { readonly about: string }>>): string {
  const widest = Math.max(...Object.keys(named).map(({ length }) => length))
  return Object.entries(named)
    .map(([name, { about }]) => `  ${name.padEnd(widest)}  ${about}`)
    .join('\n')
}
