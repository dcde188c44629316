import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/folder.ts'
import { readConfig } from '../settings/config.ts'
import { forgetAddress, recordAddress, serverAddress } from './running-server.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await temporaryFolder()
})
afterEach(async () => await rm(dataDir, { recursive: true, force: true }))

const settings = (more: Record<string, string> = {}) => readConfig({ USHER_DATA_DIR: dataDir, ...more })

it('is the address of the server that runs, whatever port the settings of the command name', () => {
  expect(serverAddress(settings({ PORT: '9000' }))).toBe('http://127.0.0.1:9000')
  recordAddress(settings(), 'http://127.0.0.1:4321')
  expect(serverAddress(settings({ PORT: '9000' }))).toBe('http://127.0.0.1:4321')
  expect(serverAddress(settings({ USHER_BASE_URL: 'https://usher.example' }))).toBe('https://usher.example')
  forgetAddress(settings())
  expect(serverAddress(settings())).toBe('http://127.0.0.1:8080')
})

it('is not that of a server that was killed, and a server that stops forgets only its own', async () => {
  // No process has this number: it is above the largest of Linux.
  await writeFile(join(dataDir, 'server.json'), JSON.stringify({ address: 'http://127.0.0.1:4321', pid: 5_000_000 }))
  expect(serverAddress(settings())).toBe('http://127.0.0.1:8080')
  await writeFile(join(dataDir, 'server.json'), JSON.stringify({ address: 'http://127.0.0.1:4321', pid: process.ppid }))
  forgetAddress(settings())
  expect(serverAddress(settings())).toBe('http://127.0.0.1:4321')
})

it('a folder that cannot be written does not matter', () => {
  const nowhere = readConfig({ USHER_DATA_DIR: '/dev/null/none' })
  recordAddress(nowhere, 'http://127.0.0.1:4321')
  forgetAddress(nowhere)
  expect(serverAddress(nowhere)).toBe('http://127.0.0.1:8080')
})
