// Lists the flags that answer the questions of `sluice setup init`, with their help. It loads no schema library, so
// that help is shown at once.
import { type PolicyFlag, policyQuestions } from '../../core/policies/questions.ts'
import { offeredKinds, setups } from '../../core/policies/setups.ts'

const ofPolicies = policyQuestions.map(({ flag, help }) => {
  const kinds = offeredKinds.filter((kind) => setups[kind].asks.includes(flag))
  return [flag, `${kinds.join(', ')}: ${help}`] as const
})

export const answerFlags = {
  kind: `kind of the policy: ${offeredKinds.join(', ')}`,
  name: "the policy's name (default: first, or a free one)",
  ...(Object.fromEntries(ofPolicies) as Record<PolicyFlag, string>),
  schedule: 'when it runs, such as "rate(1 day)" (default: none)',
  'approve-above': 'value above which a person approves a run (default: 1000)',
  mode: 'live, or shadow, which only reports what it would do (default: shadow)',
} as const
export type AnswerFlag = keyof typeof answerFlags
