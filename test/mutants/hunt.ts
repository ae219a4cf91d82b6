// Hunts mutants by name, and says which was caught by what. How one is hunted is the campaign's.

/** What caught a mutant and how soon; absent where nothing did. */
export type Caught = { readonly by: string; readonly after: string } | undefined

/** Prints a line for each, and how many were caught. @returns whether all were */
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

/** For a program's help: a line for each. */
export function mutantsText(mutants: Readonly<Record<string, { readonly about: string }>>): string {
  const widest = Math.max(...Object.keys(mutants).map(({ length }) => length))
  return Object.entries(mutants)
    .map(([name, { about }]) => `  ${name.padEnd(widest)}  ${about}`)
    .join('\n')
}
