// Makes the line that names the service before a command uses it. Pure.
import type { UsedService } from '../../place/context.ts'

export const LIVE = 'LIVE'

/** Both are printed with space between them. Only `LIVE` means real money. */
export function serviceLine({ stage, url }: UsedService): readonly [label: string, text: string] {
  if (url === undefined) return ['service:', 'the built-in sandbox, play money']
  return stage === 'live' ? [LIVE, `real money may move, at ${url}`] : ['service:', `${url}, stage test`]
}
