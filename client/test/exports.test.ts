import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Usher } from '../src/index.ts'

const textOf = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

it('every type of the resources and of notifications is exported', () => {
  const index = textOf('src/index.ts')
  const resources = readdirSync(new URL('../src/resources/', import.meta.url)).map((name) => `src/resources/${name}`)
  const files = [...resources, 'src/webhooks/notification.ts']
  const names = files.flatMap((file) =>
    [...textOf(file).matchAll(/^export (?:type|interface|(?:async )?function) (\w+)/gm)].map(
      ([, name]) => name as string,
    ),
  )
  expect(names).toContain('ListUsers')
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(index))).toEqual([])
})

it('the README names every method of every resource', () => {
  const usher = new Usher({ baseUrl: 'http://127.0.0.1', apiKey: 'ak_x' })
  const readme = textOf('README.md')
  for (const [name, resource] of Object.entries(usher)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`usher.${name}\``)) ?? ''
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((key) => key !== 'constructor')
    expect(methods.filter((method) => !row.includes(`\`${method}\``)).map((method) => `${name}.${method}`)).toEqual([])
  }
})
