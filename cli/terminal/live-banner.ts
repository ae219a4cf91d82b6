// The line by which a command that may move money says that the money is real. It says nothing on the stage `test`.
import type { Output } from './output.ts'

/** `where`: the address of the service, or what is deployed. */
export function noteLive(stage: 'live' | 'test', where: string, output: Pick<Output, 'note' | 'style'>): void {
  if (stage === 'live') output.note(`${output.style('red', 'LIVE')}  real money may move, at ${where}`)
}
