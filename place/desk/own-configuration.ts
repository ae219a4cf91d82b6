// Records for the log of people with which treasury.json a desk was started, and by whom. Nobody verifies the name. A
// desk starts where this fails, because no movement depends on it.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { EmbeddedAws } from '@sluice/embedded-aws'
import { asNotVerified } from '../../core/contract/person.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { errorText } from '../../core/error-name.ts'
import { SluiceError } from '../../core/errors.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { createConfigurationLog } from '../../core/people/configurations.ts'
import { rootDir, type Variables } from '../context.ts'
import { journalTable } from '../journal/journal-client.ts'
import type { Progress } from '../progress.ts'

interface Started {
  readonly treasury: Treasury
  readonly variables: Variables
  readonly nowMs: number
  readonly progress: Progress
}

export async function recordOwnConfiguration(
  aws: EmbeddedAws,
  { nowMs, progress, treasury, variables }: Started,
): Promise<void> {
  const { client, tableName } = journalTable(aws)
  const user = variables.USER || variables.USERNAME
  const by = user ? asNotVerified(user) : undefined
  try {
    const log = createConfigurationLog(createDynamoStore(client, tableName), randomUUID)
    await log.record({ treasury, release: ownRelease(), by }, nowMs)
  } catch (error) {
    const text = `the configuration was not recorded for the log of people: ${error instanceof SluiceError ? error.message : errorText(error)}`
    progress.line({ label: 'found', text, tone: 'wait' })
  } finally {
    client.destroy()
  }
}

function ownRelease(): string {
  const own: { readonly version: string } = JSON.parse(readFileSync(path.join(rootDir, 'package.json'), 'utf8'))
  return own.version
}
