// Links of a terminal (OSC 8): the text stays the same, and leads somewhere. Only for terminals that are known to take
// them; others could show the sequence.

import { pathToFileURL } from 'node:url'
import type { Variables } from '../../operations/context.ts'
import type { CommandContext } from './context.ts'
import { isWatched } from './listing.ts'

/** Values of TERM_PROGRAM. */
const PROGRAMS = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty']
/** VTE takes links from 0.50 on: GNOME Terminal and its relatives. */
const LEAST_VTE = 5000

export function takesLinks({ TERM, TERM_PROGRAM, VTE_VERSION, ...others }: Variables): boolean {
  // Between us and the terminal stands another program, of which it is not known.
  if (TERM === 'dumb' || others.TMUX !== undefined || others.STY !== undefined) return false
  if (PROGRAMS.includes(TERM_PROGRAM ?? '') || Number(VTE_VERSION) >= LEAST_VTE) return true
  return ['WT_SESSION', 'KITTY_WINDOW_ID', 'KONSOLE_VERSION'].some((name) => others[name] !== undefined)
}

/** `address`: https or file, as `URL` writes it. Text that is one of those of `Output.data`. */
export function linked(
  text: string,
  address: string,
  context: Pick<CommandContext, 'output' | 'stdout' | 'variables'>,
): string {
  if (!isWatched(context) || !takesLinks(context.variables)) return text
  return `\u001b]8;;${new URL(address).href}\u001b\\${text}\u001b]8;;\u001b\\`
}

export function linkedFile(file: string, context: Parameters<typeof linked>[2]): string {
  return linked(file, pathToFileURL(file).href, context)
}

/** An execution of Step Functions, by its ARN, leads to the console of AWS. */
export function linkedExecution(arn: string, context: Parameters<typeof linked>[2]): string {
  const [, partition, , region = ''] = arn.split(':')
  // Other partitions have consoles of other names.
  if (partition !== 'aws' || !/^[a-z0-9-]+$/.test(region)) return arn
  const page = `#/v2/executions/details/${encodeURIComponent(arn)}`
  return linked(arn, `https://${region}.console.aws.amazon.com/states/home?region=${region}${page}`, context)
}
