// What a run leaves on its way, in a hub or to go to a contact, in one sentence each. Pure.
import type { RunReport, StrandedBalance } from '../../core/contract/runs.ts'

export function residueTexts({ residues = [] }: Pick<RunReport, 'residues'>): readonly string[] {
  return residues.map(residueText)
}

function residueText({ asset, contactId, before, amount }: StrandedBalance): string {
  const to = contactId === undefined ? '' : ` to ${contactId}`
  if (amount === '0') return `${before} ${asset} that earlier runs left on the way${to} has gone on.`
  const since = before === '0' || before === amount ? '' : ` (${before} ${asset} before this run)`
  const brought = `${amount} ${asset}${since}: brought there to go on${to}, and not carried on.`
  return contactId === undefined
    ? `${brought} It is no asset of the policy: the next run of the policy takes it up, as long as ${asset} is one of its hubs.`
    : `${brought} The next run of the policy sends it, as long as one of its rules converts into ${asset} and sends to that contact.`
}
