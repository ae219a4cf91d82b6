// Branches of an execution: the execution itself, and each iteration of a running Map. A branch is named by where it
// began, so a name is never reused within an execution.

/** `''` is the execution itself; `12.3` is the iteration with index 3 of the Map whose MapStateStarted has number 12. */
export type Branch = string

export const ROOT: Branch = ''

export function iterationBranch(mapStartedId: number, index: number): Branch {
  return `${mapStartedId}.${index}`
}

/** Undefined for the execution itself. */
export function findIteration(branch: Branch): { readonly mapStartedId: number; readonly index: number } | undefined {
  if (branch === ROOT) return undefined
  const [mapStartedId, index] = branch.split('.').map(Number)
  if (mapStartedId === undefined || index === undefined) throw new Error(`${branch} is not a branch`)
  return { mapStartedId, index }
}
