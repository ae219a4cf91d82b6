// Links of a terminal (OSC 8): the text stays the same, and leads to an address. Only for terminals that are known to support
// them, because others could show the sequence.

import { pathToFileURL } from 'node:url'
import type { Variables } from '../../place/context.ts'
import type { CommandContext } from './context.ts'
import { isWatched } from './listing.ts'

/** Values of TERM_PROGRAM whose programs support links. */
const PROGRAMS = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty']
/** VTE supports links since 0.50. GNOME Terminal and its relatives use it. */
const LEAST_VTE = 5000

export function takesLinks({ TERM, TERM_PROGRAM, VTE_VERSION, ...others }: Variables): boolean {
  // tmux or screen is between this process and the terminal, and may not support links.
  if (TERM === 'dumb' || others.TMUX !== undefined || others.STY !== undefined) return false
  if (PROGRAMS.includes(TERM_PROGRAM ?? '') || Number(VTE_VERSION) >= LEAST_VTE) return true
  return ['WT_SESSION', 'KITTY_WINDOW_ID', 'KONSOLE_VERSION'].some((name) => others[name] !== undefined)
}

/** `address` is https or file, in the form of `URL`. `text` is printable, as for `Output.data`. */
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

/** Links the ARN of an execution to its page in the AWS console. */
export function linkedExecution(arn: string, context: Parameters<typeof linked>[2]): string {
  const [, partition, , region = ''] = arn.split(':')
  // The consoles of other partitions have other addresses.
  if (partition !== 'aws' || !/^[a-z0-9-]+$/.test(region)) return arn
  const page = `#/v2/executions/details/${encodeURIComponent(arn)}`
  return linked(arn, `https://${region}.console.aws.amazon.com/states/home?region=${region}${page}`, context)
}
