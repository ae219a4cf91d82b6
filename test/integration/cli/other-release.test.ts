// A command with --aws at a deployment of another release: it names both, and uses the deployed configuration.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { hashConfiguration, loadTreasury } from '../../../core/treasury/config.ts'
import { treasuryFor } from '../../../place/aws/deployed-configuration.ts'
import { ownRelease } from '../../../place/context.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { toldAws } from './reported-aws.ts'

const tell = toldAws()

async function notesOf(release: string) {
  const folder = temporaryFolder()
  const configFile = path.join(folder, 'treasury.json')
  writeFileSync(configFile, '{"service":{"url":"https://api.example.com","stage":"test"}}')
  const treasury = loadTreasury(configFile)
  const configuration = hashConfiguration(treasury)
  const serviceUrl = 'https://elsewhere.example'
  tell({ 'sluice-describe': { body: { outcome: 'DESCRIBED', release, configuration, treasury, serviceUrl } } })
  const notes: unknown[] = []
  const output = { note: (line: unknown) => notes.push(line), service: () => {} }
  const { service } = await treasuryFor({ configFile, flags: { aws: true }, output })
  return { notes, url: service.url }
}

test('another deployed release is named in one line, and its configuration counts', async () => {
  expect(await notesOf('0.0.1')).toEqual({
    notes: [`release 0.0.1 is deployed, and this command is release ${ownRelease()}`],
    url: 'https://elsewhere.example',
  })
})

test('nothing is said of the same release', async () => {
  expect((await notesOf(ownRelease())).notes).toEqual([])
})
