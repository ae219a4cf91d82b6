// Seals by the versions of a secret in Secrets Manager.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect, test } from 'vitest'
import { createSeals } from '../../../core/keys/record-seals.ts'
import { formerReadKeySource, secretsManagerReadKeySource } from '../../../core/keys/secrets-manager-key-source.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { SECRET, setUpKeys } from './key-commands.ts'

test('a seal fits until the key that made it was replaced twice', async () => {
  const { access, put } = await setUpKeys()
  const { credentials, endpointUrl: endpoint, region } = access
  const client = new SecretsManagerClient({ endpoint, region, credentials })
  const where = { secretId: SECRET, stage: 'test', clock: manualClock(), client } as const
  const keys = { present: secretsManagerReadKeySource(where), former: formerReadKeySource(where) }
  const seals = createSeals({ ...keys, about: 'journal' })
  await put(makeKey('First').material)
  const seal = await seals.make('text')
  expect([await seals.isOwn('text', seal), await seals.isOwn('another', seal)]).toEqual([true, false])
  await put(makeKey('Second').material)
  expect(await seals.isOwn('text', seal)).toBe(true)
  expect((await seals.make('text')).by).not.toBe(seal.by)
  await put(makeKey('Third').material)
  expect(await seals.isOwn('text', seal)).toBe(false)
  client.destroy()
})
