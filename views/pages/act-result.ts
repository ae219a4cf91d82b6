// Says in words how an act ended: by the outcome of its run or movement, or by the exit code of its command. Pure.

import { outcomeText } from '../../core/contract/outcome-names.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { outcomeWords } from '../../operations/words/outcome-words.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { badge } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { runBadge } from '../html/outcome-badge.ts'
import type { ActResult } from './acted.ts'

interface ShownResult {
  readonly badge: Markup
  /** Without the name of the run or movement, which is the title of the act. */
  readonly says: string
}

export function shownResult(result: ActResult): ShownResult {
  const { exitCode, facts, says = '', groups, plan } = result
  // The reason of the run is that it waited for this approval.
  if (isApproved(facts)) {
    const approved = outcomeWords(RunEnd.AwaitingApproval, 'approved')
    return { badge: badge('approved, continues', approved.look), says: approved.says }
  }
  const { outcome, why } = facts as { readonly outcome?: unknown; readonly why?: unknown }
  if (isRunEnd(outcome)) {
    const isBroken = exitCode === ExitCode.DoesNotTieOut
    return {
      badge: html`${runBadge(outcome)}${isBroken && html` ${badge(endWords(exitCode), 'bad')}`}`,
      says: typeof why === 'string' ? why : outcomeWords(outcome).says,
    }
  }
  // An act that only made a plan has the plan itself as its facts.
  if (plan !== undefined) {
    const { look } = outcomeWords(RunEnd.Shadowed)
    return { badge: badge(outcomeText(RunEnd.Shadowed), look), says }
  }
  if ('before' in facts) return { badge: badge('not recorded', 'wait'), says }
  const name = groups !== undefined && exitCode !== ExitCode.Done ? 'done in part' : endWords(exitCode)
  return { badge: badge(name, exitCode === ExitCode.Done ? 'good' : 'wait'), says }
}

/** The same in one sentence, such as `settled: every leg moved what it should`. */
export function resultText(result: ActResult): string {
  const { outcome } = result.facts as { readonly outcome?: unknown }
  const { says } = shownResult(result)
  return isRunEnd(outcome) && !isApproved(result.facts) ? `${outcomeText(outcome)}: ${says}` : says
}

/** Answers about movements have outcomes of their own, of which some are spelled as ends of other things. */
function isRunEnd(outcome: unknown): outcome is RunEnd {
  return Object.values<unknown>(RunEnd).includes(outcome)
}

/** By the exit code of the command. */
const END_WORDS: Readonly<Partial<Record<ExitCode, string>>> = {
  [ExitCode.Done]: 'done',
  [ExitCode.Failed]: 'failed or refused, and certain',
  [ExitCode.NeedsPerson]: 'a person is needed',
  [ExitCode.AwaitsApproval]: 'waits for approval',
  [ExitCode.DoesNotTieOut]: 'does not tie out',
}

function endWords(exitCode: ExitCode): string {
  return END_WORDS[exitCode] ?? 'ended'
}

/** Whether enough people have approved the plan of a run, and something still stands against it. */
function isApproved({ outcome, approval }: { readonly outcome?: unknown; readonly approval?: unknown }): boolean {
  const isDecided = typeof approval === 'object' && approval !== null && 'decision' in approval
  return outcome === RunEnd.AwaitingApproval && isDecided && approval.decision === 'approved'
}
