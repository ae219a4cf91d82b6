// What a run leaves in a hub on its way, in one sentence each. Pure.
import type { Residue, RunReport } from '../../functions/contract/runs.ts'

export function residueTexts({ residues = [] }: Pick<RunReport, 'residues'>): readonly string[] {
  return residues.map(residueText)
}

function residueText({ asset, before, amount }: Residue): string {
  if (amount === '0') return `${before} ${asset} that earlier runs left on the way has gone on.`
  const since = before === '0' || before === amount ? '' : ` (${before} ${asset} before this run)`
  return `${amount} ${asset}${since}: brought there to go on, and not carried on. It is no asset of the policy: the next run of the policy takes it up, as long as ${asset} is one of its hubs.`
}
