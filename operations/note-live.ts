// Says that real money may move, before it may. It says nothing on the stage `test`.

import type { Notes } from './context.ts'

/** `where`: the address of the service, or what is deployed. */
export function noteLive(stage: 'live' | 'test', where: string, output: Pick<Notes, 'live'>): void {
  if (stage === 'live') output.live(where)
}
