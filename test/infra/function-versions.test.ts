// Versions of functions, which state machines call: a deployment that changes what a function runs with must make a new
// one, and one that fails and is rolled back must leave none that the next would meet.
import { beforeAll, expect, test } from 'vitest'
import { Environment } from '../../core/contract/environment.ts'
import { synthesizeTemplates, type Templates } from './assembly.ts'

let templates: Templates
beforeAll(() => {
  templates = synthesizeTemplates()
})

const resources = (type: string) => templates.workflow.findResources(type)

test('another address of the service, given as a parameter, makes another version of each function that has it', () => {
  const functions = resources('AWS::Lambda::Function')
  const versions = Object.values(resources('AWS::Lambda::Version'))
  expect(versions.length).toBeGreaterThan(8)
  for (const { Properties } of versions) {
    const address = functions[Properties.FunctionName.Ref]?.Properties.Environment.Variables[Environment.ServiceUrl]
    // A version's logical id follows from the template, which holds no value of a parameter. A change of its description
    // replaces it.
    expect(Properties.Description).toEqual(address)
  }
})

test('the address fits the description of a version', () => {
  const { ServiceUrl } = templates.workflow.findParameters('ServiceUrl')
  const pattern = new RegExp(`^(${ServiceUrl?.AllowedPattern})$`)
  expect(pattern.test(`https://${'a'.repeat(240)}`)).toBe(true)
  expect(pattern.test(`https://${'a'.repeat(249)}`)).toBe(false)
})

test('a version outlives its stack and the next deployment, and not a deployment that is rolled back', () => {
  // Lambda publishes nothing where the last version is the same: left behind, it would keep the next attempt from being made.
  for (const { DeletionPolicy, UpdateReplacePolicy } of Object.values(resources('AWS::Lambda::Version'))) {
    expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    })
  }
})
