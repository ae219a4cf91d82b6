// Reads the configuration that the construct is given: treasury.json, and the key that stands for its missing keys.
import { Token } from 'aws-cdk-lib'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Treasury, TreasuryInput } from '../core/contract/treasury.ts'
import { ConfigError, loadTreasury, parseTreasury } from '../core/treasury/config.ts'

export interface GivenTreasury {
  /** The path of a treasury.json, or the content of one. */
  readonly treasury: string | TreasuryInput
  /**
   * Encrypts secrets, the journal and logs, where `encryption` in treasury.json names no key. The account makes the key
   * and lets the deployment use it (docs/runbook.md), so its ARN is known here: `Key.fromKeyArn`.
   */
  readonly encryptionKey?: IKey
}

/** @throws ConfigError */
export function givenTreasury({ encryptionKey, treasury }: GivenTreasury): Treasury {
  const given =
    typeof treasury === 'string'
      ? loadTreasury(treasury, 'name one by the property treasury')
      : parseTreasury(JSON.stringify(treasury), 'treasury')
  if (encryptionKey === undefined) return given
  const { keyArn } = encryptionKey
  // The vault of the backups has a part of the key's id in its name.
  if (Token.isUnresolved(keyArn)) {
    throw new ConfigError(['encryptionKey: expected a key whose ARN is known, such as one of Key.fromKeyArn'])
  }
  const encryption = { secrets: keyArn, journal: keyArn, logs: keyArn, ...given.encryption }
  return parseTreasury(JSON.stringify({ ...given, encryption }))
}
