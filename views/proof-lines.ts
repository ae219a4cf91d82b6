// Shows a checked proof as lines for a person: one line for each movement, and what the proof does not show. Pure.
import type { ContradictionCode } from '../operations/proof/moved.ts'
import { Money, type Origin } from '../operations/proof/proof-parts.ts'
import type { ProvenMovement, Statement } from '../operations/proof/statement.ts'

export function proofLines({ from, of, run, movements, contradictions, notShown }: Statement): string[] {
  return [
    originText(from),
    run === undefined ? `intent ${of.id}` : `run ${of.id} of policy ${run.policy}: ${run.outcome}`,
    ...(run?.requester ? [`  asked for by ${run.requester.by} (${run.requester.kind}) at ${run.requester.at}`] : []),
    ...(run?.decisions ?? []).map(({ decision, by, at }) => `  ${decision} by ${by} at ${at}`),
    ...(run?.decisionKey ? [`  its decisions are those of the key ${run.decisionKey}, which the proof names`] : []),
    ...movements.map((movement) => `  ${movementText(movement)}`),
    ...(movements.length === 0 ? ['  it froze no movement, so nothing could be sent for it'] : []),
    ...contradictions.map(({ about, code }) => `  does not tie out: ${about}: ${CODE_TEXTS[code]}`),
    ...notShown.map((what) => `  not shown: ${what}`),
  ]
}

function originText({ money, service, account, stage, environment }: Origin): string {
  const place = `${service}, account ${account ?? 'unknown'}, stage ${stage}, environment ${environment ?? 'none'}`
  return money === Money.Play ? `play money, of the sandbox at ${place}` : `from ${place}`
}

function movementText({ leg, intentId, verdict, kind, movementId, moved, why, decidedBy }: ProvenMovement): string {
  const name = leg === undefined ? intentId : `${leg} (${intentId})`
  const movement = kind === 'convert' ? 'order' : 'withdrawal'
  const person = decidedBy === undefined ? '' : `, by the word of ${decidedBy}`
  switch (verdict) {
    case 'one movement':
      return `${name}: exactly one movement: ${movement} ${movementId}${movedText(moved)}${person}`
    case 'certified zero':
      return `${name}: a certified zero${person}: ${why ?? 'nothing moved'}`
    case 'stop with evidence':
      return `${name}: stop with evidence, for a person: ${why ?? 'no reason is recorded'}`
    case 'in doubt':
      return `${name}: in doubt: it is under way, and nothing is certain yet`
    case 'nothing sent':
      return `${name}: nothing was sent yet`
    default:
      return `${name}: it was never begun`
  }
}

function movedText(moved: ProvenMovement['moved']): string {
  if (moved === undefined) return ''
  if ('market' in moved) {
    const { side, baseAmount, quoteAmount, market, status } = moved
    return `, ${side} of ${baseAmount} for ${quoteAmount} on ${market}, ${status}`
  }
  const { total, fee, assetSymbol, status } = moved
  return `, ${total} ${assetSymbol ?? '(asset unknown)'} in all, ${fee} of it the fee, ${status}`
}

const CODE_TEXTS: Readonly<Record<ContradictionCode, string>> = {
  record_broken: 'the record is not as it was written',
  another_account: 'the service was read as another account than the journal is of',
  request_differs: 'the hash of the request is not that of the request',
  plan_differs: 'the hash that was approved is not that of the plan',
  not_approved: 'it moved, and nobody approved its plan',
  leg_differs: 'the intent is not the leg of the run, as it was planned',
  terms_differ: 'what was to be sent does not follow from the request',
  body_differs: 'the hash of the signed request is not that of what was to be sent',
  claim_missing: 'no claim ties the movement to the intent',
  movement_missing: 'the service shows no such movement',
  movement_differs: 'the movement at the service is not what was asked for',
  movement_shared: 'another intent of the proof has the same movement',
  figures_differ: 'the row, the fills and the ledger entries do not agree',
  another_movement: 'the service shows a movement that may be a second one',
  not_looked_for: 'nothing shows that the movement was looked for',
  looked_too_early: 'the service was read before the signed request was dead',
}
