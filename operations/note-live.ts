// Warns that real money may move, before it can. It is silent on the stage `test`.

import type { Notes } from './context.ts'

/** `where`: the address of the service, or the name of the deployment. */
export function noteLive(stage: 'live' | 'test', where: string, output: Pick<Notes, 'live'>): void {
  if (stage === 'live') output.live(where)
}
