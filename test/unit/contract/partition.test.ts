// Compares the partitions of AWS that Sluice knows with those of the SDK, over all regions.
import { readFileSync } from 'node:fs'
import { STSClient } from '@aws-sdk/client-sts'
import { expect, test } from 'vitest'
import { hostOfAws, partitionOf } from '../../../core/contract/partition.ts'
import { addressOfSts } from '../../../core/people/signed-request.ts'

/** The SDK exports the partition of a region, and not its list. */
const FILE = 'node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js'
const [, listed = ''] = /partitionsInfo = (\{.*?\n\});?$/ms.exec(readFileSync(FILE, 'utf8')) ?? []
const { partitions }: SdkPartitions = JSON.parse(listed)

interface SdkPartitions {
  readonly partitions: readonly {
    readonly id: string
    readonly outputs: { readonly dnsSuffix: string }
    readonly regions: Readonly<Record<string, unknown>>
  }[]
}

test('each region of the SDK has the partition, the hosts and the STS that the SDK gives it', () => {
  expect(partitions.length).toBeGreaterThanOrEqual(8)
  const provide = new STSClient({ region: 'eu-west-1' }).config.endpointProvider
  for (const { id, outputs, regions } of partitions)
    for (const region of Object.keys(regions).filter((each) => !each.endsWith('-global'))) {
      expect(partitionOf(region).id).toBe(id)
      expect(hostOfAws('dynamodb', region)).toBe(`dynamodb.${region}.${outputs.dnsSuffix}`)
      const { url } = provide({ Region: region, UseFIPS: false, UseDualStack: false, UseGlobalEndpoint: false })
      expect(`${addressOfSts(region)}/`).toBe(String(url))
    }
})
