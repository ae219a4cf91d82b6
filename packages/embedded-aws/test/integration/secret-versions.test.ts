// Tests staging labels through the client of the SDK: the steps of a rotation, and the requests that are refused.
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
  type UpdateSecretVersionStageCommandInput,
} from '@aws-sdk/client-secrets-manager'
import { expect, onTestFinished, test } from 'vitest'
import type { EndpointAccess } from '../../embedded-aws.ts'
import { startEmbeddedSecrets } from '../../embedded-secrets.ts'
import { SECRET, temporaryDirectory } from './fixture/assembly.ts'
import { boot } from './fixture/booted.ts'

const SecretId = 'team/key'

function clientFor({ credentials, endpointUrl: endpoint, region }: EndpointAccess): SecretsManagerClient {
  const client = new SecretsManagerClient({ endpoint, region, maxAttempts: 1, credentials })
  onTestFinished(() => client.destroy())
  return client
}

async function start() {
  const { directory, remove } = temporaryDirectory()
  const secrets = await startEmbeddedSecrets({ stateDir: directory, secrets: [SecretId] })
  onTestFinished(async () => {
    await secrets.stop()
    remove()
  })
  const client = clientFor(secrets)
  const put = async (SecretString: string, ...VersionStages: string[]) => {
    const labels = VersionStages.length === 0 ? {} : { VersionStages }
    const { VersionId = '' } = await client.send(new PutSecretValueCommand({ SecretId, SecretString, ...labels }))
    return VersionId
  }
  const move = (input: Partial<UpdateSecretVersionStageCommandInput>) =>
    client.send(new UpdateSecretVersionStageCommand({ SecretId, VersionStage: 'AWSCURRENT', ...input }))
  const stages = async () => (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages
  return { client, put, move, stages }
}

test('a promoted pending version becomes AWSCURRENT, and the former version becomes AWSPREVIOUS', async () => {
  const { client, put, move, stages } = await start()
  const first = await put('first')
  const second = await put('second', 'AWSPENDING')
  expect(await stages()).toEqual({ [first]: ['AWSCURRENT'], [second]: ['AWSPENDING'] })
  await move({ MoveToVersionId: second, RemoveFromVersionId: first })
  await move({ VersionStage: 'AWSPENDING', RemoveFromVersionId: second })
  expect(await stages()).toEqual({ [first]: ['AWSPREVIOUS'], [second]: ['AWSCURRENT'] })
  const current = await client.send(new GetSecretValueCommand({ SecretId }))
  expect(current).toMatchObject({ SecretString: 'second', VersionId: second })
  const { CreatedDate, LastChangedDate } = await client.send(new DescribeSecretCommand({ SecretId }))
  expect(LastChangedDate).toEqual(current.CreatedDate)
  expect(CreatedDate?.getTime()).toBeLessThanOrEqual(LastChangedDate?.getTime() ?? 0)
})

test('the very first version is current, even if it is put as pending', async () => {
  const { put, stages } = await start()
  const first = await put('first', 'AWSPENDING')
  expect(await stages()).toEqual({ [first]: ['AWSPENDING', 'AWSCURRENT'] })
})

test('a label is moved only from the version that has it', async () => {
  const { put, move, stages } = await start()
  const [first, second] = [await put('first'), await put('second', 'AWSPENDING')]
  const before = await stages()
  const refused = { name: 'InvalidParameterException' }
  await expect(move({ MoveToVersionId: second })).rejects.toMatchObject(refused)
  await expect(move({ MoveToVersionId: second, RemoveFromVersionId: second })).rejects.toMatchObject(refused)
  await expect(move({ RemoveFromVersionId: first })).rejects.toMatchObject(refused)
  await expect(move({})).rejects.toMatchObject(refused)
  await expect(move({ VersionStage: 'other', RemoveFromVersionId: first })).rejects.toMatchObject(refused)
  const unknown = '0'.repeat(36)
  await expect(move({ MoveToVersionId: unknown, RemoveFromVersionId: first })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  })
  expect(await stages()).toEqual(before)
})

test('versions are listed page by page, and those without a label only when asked for', async () => {
  const { client, put } = await start()
  const ids = [await put('a'), await put('b'), await put('c')]
  const listed = async (input: object) => client.send(new ListSecretVersionIdsCommand({ SecretId, ...input }))
  const idsOf = (Versions: readonly { VersionId?: string | undefined }[] = []) =>
    Versions.map(({ VersionId }) => VersionId)
  expect(idsOf((await listed({})).Versions)).toEqual(ids.slice(1))
  const page = await listed({ IncludeDeprecated: true, MaxResults: 2 })
  const rest = await listed({ IncludeDeprecated: true, MaxResults: 2, NextToken: page.NextToken })
  expect([...idsOf(page.Versions), ...idsOf(rest.Versions)]).toEqual(ids)
  expect(rest.NextToken).toBeUndefined()
})

test('a value given at boot becomes current, and a later change survives a boot with the same given value', async () => {
  const { directory, remove } = temporaryDirectory()
  onTestFinished(remove)
  const bootWith = (text: string) =>
    boot({ resources: { Secret: SECRET } }, { stateDir: directory, secrets: { [SecretId]: text } })
  const currentOf = async (client: SecretsManagerClient) =>
    (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString

  const first = await bootWith('given')
  await clientFor(first).send(new PutSecretValueCommand({ SecretId, SecretString: 'rotated' }))
  await first.stop()
  const second = await bootWith('given')
  expect(await currentOf(clientFor(second))).toBe('rotated')
  await second.stop()
  const third = await bootWith('given again')
  expect(await currentOf(clientFor(third))).toBe('given again')
  await third.stop()
  expect(await currentOf(clientFor(await bootWith('given')))).toBe('given')
})
