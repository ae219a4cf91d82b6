// Versions of functions, which state machines call. A deployment that changes a function must create a new version, and
// a rolled-back deployment must leave no version that blocks the next one.
import { beforeAll, expect, test } from 'vitest'
import { Environment } from '../../core/contract/environment.ts'
import { synthesizeTemplates, type Templates } from './assembly.ts'

let templates: Templates
beforeAll(() => {
  templates = synthesizeTemplates()
})

const resources = (type: string) => templates.workflow.findResources(type)

test('another service address in the parameter creates another version of each function that has it', () => {
  const functions = resources('AWS::Lambda::Function')
  const versions = Object.values(resources('AWS::Lambda::Version'))
  expect(versions.length).toBeGreaterThan(8)
  for (const { Properties } of versions) {
    const address = functions[Properties.FunctionName.Ref]?.Properties.Environment.Variables[Environment.ServiceUrl]
    // A version's logical id follows from the template, which contains no parameter value. A change of the version's
    // description replaces it.
    expect(Properties.Description).toEqual(address)
  }
})

test('the address fits the description of a version', () => {
  const { ServiceUrl } = templates.workflow.findParameters('ServiceUrl')
  const pattern = new RegExp(`^(${ServiceUrl?.AllowedPattern})$`)
  expect(pattern.test(`https://${'a'.repeat(240)}`)).toBe(true)
  expect(pattern.test(`https://${'a'.repeat(249)}`)).toBe(false)
})

test('a version survives its stack and the next deployment, but not a rolled-back deployment', () => {
  // Lambda publishes nothing if the last version is the same. A version left behind would block the next attempt.
  for (const { DeletionPolicy, UpdateReplacePolicy } of Object.values(resources('AWS::Lambda::Version'))) {
    expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    })
  }
})
