// The line by which a command that may move money says that the money is real. Pure.

export const LIVE = 'LIVE'

/** Stands after `LIVE`. `where`: the address of the service, or what is deployed. */
export function liveText(where: string): string {
  return `real money may move, at ${where}`
}
