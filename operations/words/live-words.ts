// Writes the line that warns of real money before a command that may move it. Pure.

export const LIVE = 'LIVE'

/** Follows `LIVE`. `where`: the address of the service, or the name of the deployment. */
export function liveText(where: string): string {
  return `real money may move, at ${where}`
}
