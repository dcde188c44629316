/**
 * What the client is for, as one program for every runtime: plain JavaScript of 2022, with nothing of Node. It returns what
 * it saw as JSON.
 * @param {typeof import('../src/index.ts')} client
 * @param {import('./packed.ts').TrialSettings} settings
 */
export async function trial({ Usher, fetchWebhook, verifyWebhook }, settings) {
  const { apiKey, name, secret, body, signature } = settings
  const at = (baseUrl, options = {}) => new Usher({ baseUrl, apiKey, ...options })
  const failure = (promise) =>
    promise.then(
      () => 'no error',
      (error) => error.name,
    )
  const usher = at(settings.url)
  const silent = at(settings.silentUrl, { maxRetries: 0 })

  for (const id of ['a', 'b', 'c']) await usher.users.upsert({ id, attributes: { runs: { add: 1 } } })
  const ids = []
  for await (const user of usher.users.list({ limit: 1 })) ids.push(user.id)

  const events = usher.events.buffer()
  for (let number = 1; number <= 3; number += 1) events.track({ name, user_id: 'a', attributes: { number } })
  await events.close()
  const stored = await usher.events.list({ name })

  const stopped = new AbortController()
  setTimeout(() => stopped.abort(new RangeError('stopped')), 50)

  const forged = signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const topics = []
  const receive = fetchWebhook({ secret, onNotification: ({ topic }) => void topics.push(topic) })
  const post = (header) =>
    receive(new Request('https://x/', { method: 'POST', body, headers: { 'service-signature': header } }))

  return {
    ids,
    stored: stored.data.length,
    retried: (await at(settings.unsteadyUrl).users.upsert({ id: name })).id,
    missing: await failure(usher.users.retrieve('nobody')),
    late: await failure(silent.users.retrieve('a', { timeoutMs: 100 })),
    aborted: await failure(usher.users.retrieve('a', { signal: AbortSignal.abort() })),
    stopped: await failure(silent.users.retrieve('a', { signal: stopped.signal })),
    unreachable: await failure(at(settings.closedUrl, { maxRetries: 0 }).users.retrieve('a')),
    topic: (await verifyWebhook(new TextEncoder().encode(body), { 'service-signature': signature }, ['other', secret]))
      .topic,
    forged: await verifyWebhook(body, forged, secret).catch(({ reason }) => reason),
    answers: [(await post(signature)).status, (await post(forged)).status],
    topics,
  }
}
