import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { answerParent } from './child.ts'

/**
 * The yardstick for requests and lists: a Fastify server that parses the body and answers an object from memory, and
 * nothing else. The question is the object to answer; the answer is the port.
 */
let object: unknown
const app = fastify()
const handler = async () => object
app.post('/events', handler)
app.post('/users', handler)
app.post('/decisions', handler)
app.post('/content_sessions', handler)
app.post('/content_sessions/:id/progress', handler)
app.post('/sdk/identify', handler)
app.get('/users', handler)
app.get('/users/:user_id', handler)
await app.listen({ host: '127.0.0.1', port: 0 })

answerParent<unknown, number>(async (given) => {
  object = given
  return (app.server.address() as AddressInfo).port
})
