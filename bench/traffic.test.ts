import { expect, test } from 'vitest'
import { environmentKey, NewNumbers, requestMaker, requestParts, type Traffic, wrkScript } from './traffic.ts'

const BODY = '{"id":"user_{n}","attributes":{"seats":{r}},"groups":[{"id":"group_{g}"},{"id":"group_{h}"}]}'

function bodyOf(request: string): string {
  return request.slice(request.indexOf('\r\n\r\n') + 4)
}

test('a request announces the length that its body has, and the body is JSON', () => {
  const next = requestMaker({ method: 'POST', path: '/users', body: BODY, users: 10_000 })
  for (let count = 0; count < 1_000; count += 1) {
    const request = next()
    expect(Number(/content-length: (\d+)/.exec(request)?.[1])).toBe(Buffer.byteLength(bodyOf(request)))
    expect(JSON.parse(bodyOf(request)).groups).toHaveLength(2)
  }
})

test('new users are all different', () => {
  const next = requestMaker({ method: 'POST', path: '/users', body: BODY, users: 'new' })
  const ids = Array.from({ length: 1_000 }, () => JSON.parse(bodyOf(next())).id)
  expect(new Set(ids).size).toBe(1_000)
})

test('new numbers of one path are not used up by another', () => {
  const numbers = new NewNumbers(5)
  const of = (path: string): Traffic => ({ method: 'POST', path, users: 'new' })
  expect([numbers.take(of('/a'), 10), numbers.take(of('/b'), 1), numbers.take(of('/a'), 1)]).toEqual([5, 5, 15])
})

test('the script for wrk makes the same requests', () => {
  const traffic = { method: 'POST', path: '/users?{p}', body: BODY, users: 10_000, pages: ['a=1', 'a=2'] } as const
  const [, expression = ''] = /return (.*)\n/.exec(wrkScript(traffic, 1)) ?? []
  const pieces = expression.split(' .. ')
  const parts = requestParts(traffic)
  expect(pieces).toHaveLength(parts.length)
  parts.forEach((part, index) => {
    if (/^\{[nghrp]\}$/.test(part)) expect(pieces[index]).toMatch(/^(string\.format|math\.random|pages)/)
    else expect(JSON.parse(pieces[index] as string)).toBe(part)
  })
})

test('requests of several environments carry their keys', () => {
  const traffic = { method: 'GET', path: '/users/user_{n}', users: 10, environments: 3 } as const
  const next = requestMaker(traffic)
  const keys = Array.from({ length: 200 }, () => /authorization: Bearer (\S+)\r\n/.exec(next())?.[1])
  expect(new Set(keys)).toEqual(new Set([0, 1, 2].map(environmentKey)))
  expect(wrkScript(traffic, 1)).toContain("'ak_environment_' .. string.format('%08d', math.random(0, 2))")
})
