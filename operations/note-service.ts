// Names the service that a command uses, before it uses it. A person who forgot a flag then sees it at once.

import type { Treasury } from '../core/contract/treasury.ts'
import type { Settings } from './connection/settings.ts'
import type { Notes } from './context.ts'

/** On AWS the deployed configuration names the service. At a desk the flags do, whatever the file says. */
export function noteService(
  output: Pick<Notes, 'service'>,
  {
    flags,
    settings,
    treasury,
  }: {
    readonly flags: { readonly aws?: true }
    readonly settings: Pick<Settings, 'service'>
    readonly treasury: Pick<Treasury, 'service'>
  },
): void {
  const { stage, url: configured } = treasury.service
  const url = flags.aws === true ? configured : settings.service?.url
  output.service({ stage, ...(url !== undefined && { url }) })
}
