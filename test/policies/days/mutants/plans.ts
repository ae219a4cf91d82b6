// Lists naive variants of what a plan keeps, and of when it asks people.
import { edit } from '../../../mutants/source-edits.ts'
import { type DaysMutant, mutant } from './mutant.ts'

const UNASKED = 'core/runs/approval/ask.ts'
const ALONE = 'core/runs/approval/alone.ts'
const BREAKER = 'core/runs/settle/breaker.ts'

/** A rule about single movements would otherwise hold the changed leg for people. */
const ANY_LEG_IS_APPROVED = edit(
  'core/runs/approval/decisions-on-movement.ts',
  'findUnapprovedLeg(run, intentId) !== undefined)',
  "intentId === '')",
)

export const PLAN_MUTANTS: Readonly<Record<string, DaysMutant>> = {
  'sweep-keeps-nothing': mutant(
    'bounds',
    /^floor/,
    'sweeps what is to stay',
    edit(
      'core/planning/sweep/task.ts',
      "return { target: parseDecimal(target, 'keep.target')",
      "return { target: parseDecimal(target && '0', 'keep.target')",
    ),
  ),
  'arrival-keeps-nothing': mutant(
    'bounds',
    /^floor/,
    'converts what is to stay of what arrives',
    edit(
      'core/policies/convert-on-arrival/planner.ts',
      "const keep = parseDecimal(policy.keep.target, 'keep.target')",
      "const keep = parseDecimal('0', 'keep.target')",
    ),
  ),
  'fund-keeps-nothing': mutant(
    'bounds',
    /^floor/,
    'pays with what is to stay',
    edit(
      'core/policies/fund/planner.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the file
      'parseDecimal(source.keep, `from.${source.asset}.keep`)',
      "parseDecimal('0', 'from.keep')",
    ),
  ),
  'rebalance-keeps-no-reserve': mutant(
    'bounds',
    /^floor/,
    'trades the reserve',
    edit('core/policies/rebalance/planner.ts', 'Object.hasOwn(reserve, asset) ?', "Object.hasOwn(reserve, '') ?"),
  ),
  'one-run-at-a-time': mutant(
    'approvals',
    /^unasked/,
    'asks about each run alone, whatever went before it',
    edit(UNASKED, 'const before = totalOf(recent)', 'const before = totalOf(recent && {})'),
  ),
  'two-above-of-each-run': mutant(
    'approvals',
    /^alone/,
    'asks for a second person by the value of each run alone',
    edit(
      ALONE,
      "const before = sumOf(others.map((each) => parseDecimal(each.value, 'value')))",
      'const before = sumOf([])',
    ),
  ),
  'second-clears-the-sum': mutant(
    'approvals',
    /^alone/,
    'takes what a person approved alone for seen by whoever is the second person of another plan',
    edit(
      ALONE,
      'if (why !== undefined) return why\n    const approved',
      'if (why !== undefined) {\n      await putOver(writer, known, keyOf(by), { approved: [] })\n      return why\n    }\n    const approved',
    ),
  ),
  'alone-is-of-a-run': mutant(
    'approvals',
    /^alone/,
    'counts only what the same person approved of the same run',
    edit(
      ALONE,
      'return approved.filter((each) => each.of !== own &&',
      'return approved.filter((each) => each.of.split(" ")[0] === own.split(" ")[0] && each.of !== own &&',
    ),
  ),
  'alone-word-is-not-judged': mutant(
    'approvals',
    /^alone/,
    'records that a second person must approve, and does not wait for that person',
    edit(
      'core/runs/approval/standing.ts',
      'approvals.some(({ secondBecause }) => secondBecause !== undefined)',
      'approvals.some(({ secondBecause }) => secondBecause === null)',
    ),
  ),
  'guards-are-not-approved': mutant(
    'approvals',
    /under other guards/,
    'looks at the guards of an approval when the plan goes on, and not when it sends',
    edit(
      'core/guards/movement-guard.ts',
      'policy.guardsHash !== hashGuards(everywhere)',
      'policy.guardsHash === hashGuards({ ...everywhere, valuationAsset: "" })',
    ),
  ),
  'run-record-is-believed': mutant(
    'approvals',
    /^approval: .* were spent/,
    'sends the legs that the record of a run has, whatever people approved',
    edit(
      'core/guards/policy-terms.ts',
      'await findApproved(record, intentId)',
      'intentId === "" ? await findApproved(record, intentId) : undefined',
    ),
    ANY_LEG_IS_APPROVED,
  ),
  'unasked-is-believed': mutant(
    'approvals',
    /^approval: .* were spent/,
    'holds against the word of people only runs whose records say that people were asked',
    edit(
      'core/guards/policy-terms.ts',
      'await findApproved(record, intentId)',
      'guardsHash === undefined ? undefined : await findApproved(record, intentId)',
    ),
    edit(
      'core/runs/approval/decisions-on-movement.ts',
      'if (run === undefined || planHash === undefined) return false',
      'if (run === undefined || planHash === undefined) return run !== undefined && run.approval === undefined',
    ),
    ANY_LEG_IS_APPROVED,
  ),
  'refused-is-failed': mutant(
    'shared',
    /was halted, and nothing failed/,
    'counts a run that a guard refused as a failure',
    edit(BREAKER, '  RunEnd.NothingMoved,\n', '  RunEnd.Guarded,\n  RunEnd.NothingMoved,\n'),
  ),
  'settled-doubt-stays-counted': mutant(
    'recounted',
    /^recount: doubted was halted, and all of it settled/,
    'counts a run that was in doubt as failed, also once it is settled',
    edit(BREAKER, 'if (outcome === RunEnd.NeedsAttention ||', 'if (outcome !== RunEnd.NeedsAttention ||'),
  ),
  'settled-doubt-ends-row': mutant(
    'recounted',
    /^recount: .* was the third to fail, and halted nothing/,
    'ends the row with a run that settles late, whatever failed after it',
    edit(BREAKER, 'const isEndOfRow = lastRunId === name &&', "const isEndOfRow = lastRunId !== '' &&"),
  ),
  'settled-doubt-is-taken-twice': mutant(
    'recounted',
    /^recount: .* was the third to fail, and halted nothing/,
    'takes a run that was in doubt off the count at each check',
    edit(BREAKER, '|| !failedInDoubt.includes(name)) return', "|| name === '') return"),
  ),
  'breaker-compares-totals': mutant(
    'strange',
    /^through was halted, and nothing fell/,
    'takes what somebody else moved out of the account for a fall',
    edit(
      'core/runs/settle/breaker.ts',
      'const fall = fallOf(lastValue.held, plan)',
      "const fall = minus(parseDecimal(lastValue.value, 'then'), parseDecimal(plan.totalValue, 'now'))",
    ),
  ),
  'first-hub-decides': mutant(
    'portfolios',
    /^target/,
    'asks the first hub whether a trade is worth it, whatever other ways there are',
    edit(
      'core/policies/rebalance/planning/obstacles.ts',
      'new Set([...context.hubs, ...context.partnersOf(asset).filter((other) => byAsset.has(other))])',
      'new Set(context.hubs.slice(0, 1))',
    ),
  ),
  'off-target-is-settled': mutant(
    'portfolios',
    /^said/,
    'asks the first hub alone, and says that it is done however far from its target that leaves it',
    edit(
      'core/policies/rebalance/planning/obstacles.ts',
      'new Set([...context.hubs, ...context.partnersOf(asset).filter((other) => byAsset.has(other))])',
      'new Set(context.hubs.slice(0, 1))',
    ),
    edit(
      'core/runs/plan/make-plan.ts',
      'findUnreached(whole, run.asPlanned)',
      'findUnreached({ ...whole, positions: [] }, run.asPlanned)',
    ),
  ),
  'own-market-is-ignored': mutant(
    'portfolios',
    /^target/,
    'trades through hubs only',
    edit(
      'core/planning/conversions/ways.ts',
      'findHops(gives, brings).map((first) => ({ first }))',
      'findHops(gives, brings).filter(() => hubs.includes(gives) || hubs.includes(brings)).map((first) => ({ first }))',
    ),
  ),
  'hubs-are-ignored': mutant(
    'portfolios',
    /^target/,
    'trades by markets of two assets only',
    edit(
      'core/planning/conversions/ways.ts',
      'for (const hub of hubs) {',
      'for (const hub of hubs.slice(hubs.length)) {',
    ),
  ),
  'misspelt-is-ignored': mutant(
    'strange',
    /^name/,
    'leaves out what the service does not have',
    edit(
      'core/runs/plan/obstacle.ts',
      'if (found.length === 0) return undefined',
      'if (found.length >= 0) return undefined',
    ),
  ),
}
