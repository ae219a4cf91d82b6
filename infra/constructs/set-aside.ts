// Sets a rule of cdk-nag aside for one construct, with the reason. That tool shows the region of a stack by its value where
// the app pins it, and otherwise as `<AWS::Region>`. The same holds for the account and the partition.
import { Stack, Token, Validations } from 'aws-cdk-lib'
import type { Construct } from 'constructs'

/** `id`: as in an app that pins no place. */
export function setAside(scope: Construct, { id, reason }: { readonly id: string; readonly reason: string }): void {
  const { account: AccountId, partition: Partition, region: Region } = Stack.of(scope)
  const shown = Object.entries({ AccountId, Partition, Region }).reduce(
    (text, [name, value]) => (Token.isUnresolved(value) ? text : text.replaceAll(`<AWS::${name}>`, value)),
    id,
  )
  Validations.of(scope).acknowledge({ id: shown, reason })
}
