// Reports which rules of cdk-nag an app sets aside, and why. A broken rule that is not set aside stops the synthesis
// (broken-rules.ts).
import { type App, Validations } from 'aws-cdk-lib'

export interface SetAsideRule {
  /** Path of the construct, from the stack on. The rule is set aside for everything below it. */
  readonly path: string
  readonly rule: string
  readonly why: string
}

/** Name of the pack whose rules every deployed app keeps. */
export const RULE_PACK = 'AwsSolutions'

export function rulesSetAside(app: App): readonly SetAsideRule[] {
  return app.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) =>
          Object.entries(data as Record<string, string>).map(([rule, why]) => ({ path: node.path, rule, why })),
        ),
    )
    .filter(({ rule }) => rule.includes(RULE_PACK))
}
