/**
 * Runs every `check:*` script of package.json, two at a time, and says what each took. All of them run, whatever fails,
 * so that one run names everything that is wrong. `check:pack` installs packages and stands alone.
 */
import { exec } from "node:child_process"
import { readFileSync } from "node:fs"
import { performance } from "node:perf_hooks"

const apart = new Set(["check:pack"])
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"))
const waiting = Object.entries(scripts).filter(([name]) => name.startsWith("check:") && !apart.has(name))
const began = performance.now()

const run = (name: string, command: string) =>
  new Promise<void>((resolve) => {
    const start = performance.now()
    exec(command, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      console.log(`${error === null ? "ok    " : "FAILED"} ${name} (${seconds} s)`)
      if (error !== null) {
        process.exitCode = 1
        console.log(`${stdout}${stderr}`)
      }
      resolve()
    })
  })

const worker = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(...next)
}

await Promise.all([worker(), worker()])
console.log(`pnpm check took ${((performance.now() - began) / 1000).toFixed(1)} s`)
