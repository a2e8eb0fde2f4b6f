import { crc32, gzipSync } from 'node:zlib'

/** Files by their path inside of the archive. */
export type Files = Readonly<Record<string, string>>

const TAR_BLOCK = 512

/** A gzipped tar archive in the ustar format (POSIX.1-1988), as npm and cargo take it. */
export function tarGz(files: Files): Buffer {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const body = Buffer.from(text)
    return [tarHeader(path, body.length), body, Buffer.alloc(padding(body.length))]
  })
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * TAR_BLOCK)]))
}

function padding(length: number): number {
  return (TAR_BLOCK - (length % TAR_BLOCK)) % TAR_BLOCK
}

function tarHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(TAR_BLOCK)
  const octal = (value: number, at: number, width: number): void => {
    header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at)
  }
  header.write(path, 0)
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(1_700_000_000, 136, 12)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** A zip archive without compression (APPNOTE 6.3), as pip takes it for a wheel. */
export function zip(files: Files): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path)
    const body = Buffer.from(text)
    const common = zipCommon(name, body)
    const local = Buffer.concat([le32(0x04034b50), common, name, body])
    const where = Buffer.concat([Buffer.alloc(6), le32(0o100644 * 0x10000), le32(offset)])
    entries.push(Buffer.concat([le32(0x02014b50), le16(0x0314), common, where, name]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const count = le16(entries.length)
  const tail = [le16(0), le16(0), count, count, le32(directory.length), le32(offset), le16(0)]
  return Buffer.concat([...locals, directory, le32(0x06054b50), ...tail])
}

/** The fields that a local header and a directory entry share: from the version to the extra field's length. */
function zipCommon(name: Buffer, body: Buffer): Buffer {
  const stored = [le16(20), le16(0), le16(0), le16(0), le16(0x5821)]
  const sizes = [le32(crc32(body)), le32(body.length), le32(body.length)]
  return Buffer.concat([...stored, ...sizes, le16(name.length), le16(0)])
}

function le16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
