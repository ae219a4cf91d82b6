// Who may use which key of the service, for all functions and all other roles. The roles have separate keys here,
// because one shared secret would hide the difference.
import type { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { Environment } from '../../core/contract/environment.ts'
import { synthesizeTemplates, treasury } from './assembly.ts'
import { permissionsOf } from './permissions.ts'

const kmsKey = (id: number) => `arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-12345678900${id}`
const KEYS = {
  read: { secret: 'read-key' },
  trade: { secret: 'trade-key', kmsKey: kmsKey(1) },
  transfer: { secret: 'transfer-key', kmsKey: kmsKey(2) },
}

/** Permissions of a role for secrets and KMS keys, by the name of its function, or by the id of the role. */
const KEYS_OF_EACH = {
  'sluice-quote': ['GetSecretValue → trade-key'],
  'sluice-order': ['Sign → trade', 'GetSecretValue → trade-key'],
  'sluice-poll-order': ['GetSecretValue → read-key'],
  'sluice-check-withdrawal': ['GetSecretValue → read-key'],
  'sluice-withdraw': ['Sign → transfer', 'GetSecretValue → transfer-key'],
  'sluice-poll-withdrawal': ['GetSecretValue → read-key'],
  'sluice-reconcile': ['GetSecretValue → read-key'],
  'sluice-plan-rebalance': ['GetSecretValue → read-key'],
  'sluice-plan-sweep': ['GetSecretValue → read-key'],
  'sluice-settle-run': ['GetSecretValue → read-key'],
  'sluice-look-again': ['GetSecretValue → read-key'],
  'sluice-decide': ['Sign → decisions'],
  'sluice-resolve': ['GetSecretValue → read-key'],
  'sluice-declare-foreign': ['GetSecretValue → read-key'],
}

const templates = synthesizeTemplates({ service: { ...treasury.service, keys: KEYS } })
const all: readonly Template[] = Object.values(templates)
const functions = all.flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')))

test('each function may use only the key of its role, and only Withdraw the key for transfers', () => {
  expect(keysOfEach()).toEqual(KEYS_OF_EACH)
})

test('the secret that a function is configured with is the one that it may read', () => {
  for (const { Properties } of functions) {
    const told = Properties.Environment?.Variables[Environment.KeySecret]
    const mayRead = keysOfEach()[Properties.FunctionName]?.filter((key) => key.startsWith('GetSecretValue')) ?? []
    expect(told === undefined ? [] : [`GetSecretValue → ${nameOf(told)}`]).toEqual(mayRead)
  }
})

test('only the policies of roles allow anybody to read a secret', () => {
  for (const template of all) {
    template.resourceCountIs('AWS::SecretsManager::ResourcePolicy', 0)
    // The policies for people are attached to nobody here, and name no key.
    for (const { Properties } of Object.values(template.findResources('AWS::IAM::ManagedPolicy'))) {
      for (const attached of ['Roles', 'Users', 'Groups']) expect(Properties).not.toHaveProperty(attached)
      const statements: readonly { readonly Action: string | readonly string[] }[] = Properties.PolicyDocument.Statement
      expect(statements.flatMap(({ Action }) => Action).filter(isOfKeys)).toEqual([])
    }
    for (const { Properties } of Object.values(template.findResources('AWS::IAM::Role'))) {
      expect(Properties).not.toHaveProperty('Policies')
      expect(Properties).not.toHaveProperty('ManagedPolicyArns')
    }
  }
})

function keysOfEach(): Record<string, string[]> {
  const roles = all.flatMap((template) =>
    Object.keys(template.findResources('AWS::IAM::Role')).map((roleId) => {
      const permissions = permissionsOf(template, roleId, nameOf)
      return [ownerOf(roleId), permissions.filter(isOfKeys).map((line) => line.replace(/^(?:kms|secretsmanager):/, ''))]
    }),
  )
  return Object.fromEntries(roles.filter(([, permissions]) => permissions?.length))
}

/** Whether a permission is about keys or secrets, also if the action's service is a wildcard. */
function isOfKeys(permission: string): boolean {
  // The public half of the key of decisions is no secret.
  return /^(?:kms:|secretsmanager:|[a-z]*\*)/.test(permission) && !permission.startsWith('kms:GetPublicKey')
}

function ownerOf(roleId: string): string {
  const owner = functions.find(({ Properties }) => Properties.Role['Fn::GetAtt'][0] === roleId)
  return owner?.Properties.FunctionName ?? roleId
}

/** The name of a secret in treasury.json, and of a KMS key the role that it signs for. */
function nameOf(resource: unknown): string {
  const text = typeof resource === 'string' ? resource : JSON.stringify(resource)
  const role = Object.entries(KEYS).find(([, key]) => 'kmsKey' in key && key.kmsKey === text)?.[0]
  // IAM knows the ARN, which ends in six random characters, and a function knows the name.
  const secret = Object.values(KEYS).find(
    (key) => text === key.secret || text.includes(`:secret:${key.secret}-??????`),
  )?.secret
  return role ?? secret ?? (text.includes(':key/*') ? 'decisions' : text)
}
