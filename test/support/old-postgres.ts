import type { Socket } from 'node:net'
import { type Receiver, rawReceiver } from './receivers.ts'

/** Speaks just enough of PostgreSQL's protocol to be connected to, and to say which version it is. */
export function oldPostgres(version: string): Promise<Receiver> {
  return rawReceiver((socket) => {
    socket.write(Buffer.concat([message('R', int32(0)), ready()]))
    socket.on('data', (data) => answer(socket, data, version))
  })
}

function answer(socket: Socket, data: Buffer, version: string): void {
  if (data[0] === 'X'.charCodeAt(0)) return void socket.end()
  const column = Buffer.concat([
    Buffer.from('server_version_num\0'),
    int32(0),
    int16(0),
    int32(25),
    int16(-1),
    int32(-1),
    int16(0),
  ])
  const value = Buffer.from(version)
  socket.write(
    Buffer.concat([
      message('T', int16(1), column),
      message('D', int16(1), int32(value.length), value),
      message('C', Buffer.from('SHOW\0')),
      ready(),
    ]),
  )
}

function ready(): Buffer {
  return message('Z', Buffer.from('I'))
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeInt16BE(value)
  return buffer
}
