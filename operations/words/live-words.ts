// The line with which a command that may move money says that the money is real. Pure.

export const LIVE = 'LIVE'

/** Follows `LIVE`. `where`: the address of the service, or the name of the deployment. */
export function liveText(where: string): string {
  return `real money may move, at ${where}`
}
