/** `yauzl` with promises: it reads the directory at the end of the archive, and entries of more than 4 GiB. */
import type { Readable } from "node:stream"
import { type Entry, open as openZip, type ZipFile } from "yauzl"

export const open = (file: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    openZip(file, { lazyEntries: true, autoClose: false, decodeStrings: true }, (error, zip) =>
      error === null ? resolve(zip) : reject(error)
    )
  })

/** Archives of customs have a few entries; a crafted one has as many as it likes. */
const MOST = 10_000

export const entries = (zip: ZipFile): Promise<ReadonlyArray<Entry>> =>
  new Promise((resolve, reject) => {
    const found: Array<Entry> = []
    zip.on("entry", (entry) => {
      found.push(entry)
      if (found.length > MOST) reject(new Error(`it has more than ${MOST} entries`))
      else zip.readEntry()
    })
    zip.on("end", () => resolve(found))
    zip.on("error", reject)
    zip.readEntry()
  })

export const read = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)))
  })
