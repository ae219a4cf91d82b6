// Reads the home roles of an AWS account, at most 100, with their tags about the environments. IAM is global, so they
// belong to environments in any region. It writes the tags of one role only, which the caller names.

import { IAMClient, ListRolesCommand, ListRoleTagsCommand, TagRoleCommand } from '@aws-sdk/client-iam'
import { HOME_ROLE } from '../../../core/contract/deployed-names.ts'
import { errorName } from '../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'

export interface HomeRole {
  readonly name: string
  /** Undefined for an environment without a name. */
  readonly environment: string | undefined
  /** Digest of the account at the service. Undefined until it is written. */
  readonly digest: string | undefined
  readonly region: string | undefined
}

interface HomeTags {
  readonly digest: string
  readonly region: string
}

/** Pages of 1,000 roles. An AWS account has at most 5,000 roles. */
const MOST_PAGES = 10
const PAGE = 1_000
/** Maximum home roles that are read, because each costs a request. */
const MOST_HOMES = 100

/** The SDK's name of the error. */
const NOT_THERE = 'NoSuchEntityException'

const DIGEST_TAG = 'sluice:service-account'
const REGION_TAG = 'sluice:region'

export interface FoundHomes {
  readonly homes: readonly HomeRole[]
  /** Whether all roles of the account were read. */
  readonly isWhole: boolean
}

export interface HomeRoles {
  /** Throws the SDK's own errors. */
  find(): Promise<FoundHomes>
  /** Throws the SDK's own errors. */
  findOne(name: string): Promise<HomeRole | undefined>
  /** Throws the SDK's own errors. */
  tag(name: string, tags: HomeTags): Promise<void>
  /** The region of the SDK's own configuration. */
  region(): Promise<string>
  destroy(): void
}

export function createHomeRoles(): HomeRoles {
  const client = new IAMClient(requestLimits(AWS_LIMITS))
  return {
    async find() {
      const { isWhole, names } = await homeNames(client)
      const homes: HomeRole[] = []
      // One after the other, because IAM allows few requests a second.
      for (const name of names.slice(0, MOST_HOMES)) homes.push(await homeRole(client, name))
      return { homes, isWhole: isWhole && names.length <= MOST_HOMES }
    },
    async findOne(name) {
      try {
        return await homeRole(client, name)
      } catch (error) {
        if (errorName(error) === NOT_THERE) return undefined
        throw error
      }
    },
    async tag(name, { digest, region }) {
      const tags = [
        { Key: DIGEST_TAG, Value: digest },
        { Key: REGION_TAG, Value: region },
      ]
      await client.send(new TagRoleCommand({ RoleName: name, Tags: tags }))
    },
    region: () => client.config.region(),
    destroy: () => client.destroy(),
  }
}

async function homeNames(client: IAMClient): Promise<{ readonly names: readonly string[]; readonly isWhole: boolean }> {
  const names: string[] = []
  let marker: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const {
      IsTruncated,
      Marker,
      Roles = [],
    } = await client.send(new ListRolesCommand({ MaxItems: PAGE, ...(marker !== undefined && { Marker: marker }) }))
    names.push(...Roles.flatMap(({ RoleName = '' }) => (isHome(RoleName) ? [RoleName] : [])))
    marker = IsTruncated === true ? Marker : undefined
    if (marker === undefined) return { names, isWhole: true }
  }
  return { names, isWhole: false }
}

function isHome(name: string): boolean {
  return name === HOME_ROLE || name.endsWith(`-${HOME_ROLE}`)
}

/** A role has at most 50 tags, and one page holds them. */
async function homeRole(client: IAMClient, name: string): Promise<HomeRole> {
  const { Tags = [] } = await client.send(new ListRoleTagsCommand({ RoleName: name, MaxItems: PAGE }))
  const tagged = (key: string) => Tags.find(({ Key }) => Key === key)?.Value
  const environment = name === HOME_ROLE ? undefined : name.slice(0, -`-${HOME_ROLE}`.length)
  return { name, environment, digest: tagged(DIGEST_TAG), region: tagged(REGION_TAG) }
}
