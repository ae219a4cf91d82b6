// Hunts mutants by name, and prints what caught each. The campaign decides how to hunt.

/** The finding that caught a mutant, and how soon. Undefined if nothing caught it. */
export type Caught = { readonly by: string; readonly after: string } | undefined

/** Prints a line for each mutant, and the number caught. @returns whether all were caught */
export async function huntMutants(names: readonly string[], hunt: (name: string) => Promise<Caught>): Promise<boolean> {
  const widest = Math.max(...names.map(({ length }) => length))
  let count = 0
  for (const name of names) {
    const caught = await hunt(name)
    if (caught !== undefined) count += 1
    console.log(`${name.padEnd(widest)} ${caught ? `caught after ${caught.after}: ${caught.by}` : 'NOT CAUGHT'}`)
  }
  console.log(`${count} of ${names.length} mutants caught`)
  return count === names.length
}

/** A line for each mutant, for a program's help. */
export function mutantsText(mutants: Readonly<Record<string, { readonly about: string }>>): string {
  const widest = Math.max(...Object.keys(mutants).map(({ length }) => length))
  return Object.entries(mutants)
    .map(([name, { about }]) => `  ${name.padEnd(widest)}  ${about}`)
    .join('\n')
}
