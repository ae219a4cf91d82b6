// Names the service that a command uses, before it uses it. A person who forgot a flag then sees it at once.

import type { Treasury } from '../core/contract/treasury.ts'
import type { Notes } from './context.ts'

interface Named {
  readonly flags: { readonly aws?: true }
  readonly treasury: Pick<Treasury, 'service'>
}

/** On AWS the deployed configuration names the service. At a desk the flags do, whatever the file says. */
export function noteService(
  output: Pick<Notes, 'service'>,
  { flags, settings, treasury }: Named & { readonly settings: { readonly service?: { readonly url: string } } },
): void {
  noteServiceAt(output, { flags, treasury }, settings.service?.url)
}

/** The same for a command that needs no keys. `named`: the address that the flags name; absent: the built-in sandbox. */
export function noteServiceAt(
  output: Pick<Notes, 'service'>,
  { flags, treasury }: Named,
  named: string | undefined,
): void {
  const { stage, url: configured } = treasury.service
  const url = flags.aws === true ? configured : named
  output.service({ stage, ...(url !== undefined && { url }) })
}
