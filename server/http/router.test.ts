import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import { type Endpoint, type Method, Router } from './router.ts'

const paths = {
  users: ['GET', '/users'],
  user: ['GET', '/users/:user_id'],
  removal: ['DELETE', '/users/:user_id'],
  userEvents: ['GET', '/users/:id/events'],
  export: ['GET', '/users/:user_id/export'],
  delivery: ['POST', '/webhook_subscriptions/:subscription_id/deliveries/:delivery_id/retry'],
  pages: ['GET', '/dashboard/*'],
} as const satisfies Record<string, [Method, string]>

function routerOf(found: string[] = []): Router {
  const router = new Router({ guard: () => void found.push('guard') })
  for (const [name, [method, path]] of Object.entries(paths))
    router.add(method, path, { answer: () => void found.push(name), guard: () => void found.push(`guard of ${name}`) })
  return router
}

async function ask(method: string, url: string) {
  const found: string[] = []
  const exchange = { method, url, params: {} } as Exchange
  const endpoint: Endpoint = routerOf(found).find(exchange)
  try {
    await endpoint.answer(exchange)
    return [...found, { ...exchange.params }]
  } catch (error) {
    return [...found, error instanceof ApiError ? [error.code, error.headers.Allow] : error]
  }
}

describe('the router', () => {
  it.each([
    ['GET', '/users', 'users', {}],
    ['GET', '/users/', 'users', {}],
    ['HEAD', '/users?limit=1', 'users', {}],
    ['GET', '/users/u', 'user', { user_id: 'u' }],
    ['GET', '/users/u/', 'user', { user_id: 'u' }],
    ['GET', '/users/events', 'user', { user_id: 'events' }],
    ['GET', '/users/u/events', 'userEvents', { id: 'u' }],
    ['GET', '/users/u/events?a=/users/x', 'userEvents', { id: 'u' }],
    ['GET', '/users/a%2Fb/export', 'export', { user_id: 'a/b' }],
    ['GET', '/us%65rs/%25%F0%9F%91%BE', 'user', { user_id: '%👾' }],
    ['GET', 'http://elsewhere.test/users/u', 'user', { user_id: 'u' }],
    ['GET', `/users/${'x'.repeat(9_000)}`, 'user', { user_id: 'x'.repeat(9_000) }],
    ['DELETE', '/users/__proto__', 'removal', { user_id: '__proto__' }],
    ['POST', '/webhook_subscriptions/s/deliveries/d/retry', 'delivery', { subscription_id: 's', delivery_id: 'd' }],
    ['GET', '/dashboard/a//b.js', 'pages', { '*': 'a//b.js' }],
  ])('finds %s %s', async (method, url, name, params) => {
    expect(await ask(method, url)).toEqual([name, params])
  })

  it.each([
    ['GET', '/'],
    ['GET', '/user'],
    ['GET', '//users'],
    ['GET', '/users//'],
    ['GET', '/users//events'],
    ['GET', '/users/u//events'],
    ['GET', '/users/u/events/x'],
    ['GET', '/constructor'],
    ['GET', '/Users'],
    ['BREW', '/nothing'],
  ])('finds nothing at %s %s, and says so after the guard', async (method, url) => {
    expect(await ask(method, url)).toEqual(['guard', ['unknown_url', undefined]])
  })

  it('names the methods of a path only to callers that its guard admits', async () => {
    expect(await ask('PUT', '/users/u')).toEqual(['guard of user', ['method_not_allowed', 'DELETE, GET, HEAD']])
    expect(await ask('BREW', '/users/')).toEqual(['guard of users', ['method_not_allowed', 'GET, HEAD']])
  })

  it('refuses a path that cannot be decoded', async () => {
    for (const path of ['/%zz', '/users/%', '/users/%c3%28', '/users/%ff/events'])
      expect(await ask('GET', path)).toEqual(['guard', ['invalid_params', undefined]])
  })

  it('refuses to add a route twice', () => {
    expect(() => routerOf().add('GET', '/users/:other', { answer: () => {} })).toThrow(/already declared/)
  })
})
