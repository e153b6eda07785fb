/**
 * The examples of deployment against what there is: every variable is one of the server's, every metric one that a server
 * shows, and what is to be replaced is refused by the server.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { existsSync, mkdtempSync, readFileSync, rmSync, cpSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Configuration from "../packages/http/src/server/Configuration.ts"
import * as Variables from "../packages/http/src/server/Variables.ts"
import { read, root, rows } from "./fixtures/Markdown.ts"
import * as Sandbox from "./fixtures/Sandbox.ts"

const folder = "examples/deploy"
const files = [
  "Dockerfile",
  "README.md",
  "compose.yaml",
  "kubernetes.yaml",
  "lading.service",
  "secrets.sh",
  "prometheus-rules.yaml",
  "grafana-dashboard.json"
]

// The reader of mapping files; the root has none of its own.
const yaml = createRequire(join(root, "packages/importers/package.json"))("yaml")

const documents = (file: string): ReadonlyArray<any> =>
  yaml.parseAllDocuments(read(`${folder}/${file}`)).map((document: any) => {
    assert.deepStrictEqual(document.errors, [], file)
    return document.toJS()
  })

const known = new Map(Variables.all.map((variable) => [variable.name, variable]))

/** Names of variables in a text, with the suffix of files taken off where one is a secret. */
const named = (text: string): ReadonlyArray<string> =>
  (text.match(/\bLADING_[A-Z_]*[A-Z]\b/g) ?? []).map((name) => {
    const plain = name.replace(/_FILE$/, "")
    return name !== plain && known.get(plain)?.secret === true ? plain : name
  })

describe("examples/deploy", () => {
  for (const file of files) {
    it(`${file} names only variables that there are`, () => {
      assert.deepStrictEqual(
        named(read(`${folder}/${file}`)).filter((name) => !known.has(name)),
        []
      )
    })
  }

  it("compose.yaml: every secret that is used is declared and made by secrets.sh, every volume is declared, and no password is in the open", () => {
    const [compose] = documents("compose.yaml")
    const script = read(`${folder}/secrets.sh`)
    const services: ReadonlyArray<any> = Object.values(compose.services)
    for (const service of services) {
      for (const secret of service.secrets ?? []) {
        assert.property(compose.secrets, secret)
        assert.include(script, `put ${secret} `)
      }
      for (const volume of service.volumes ?? []) assert.property(compose.volumes, volume.split(":")[0])
      for (const other of Object.keys(service.depends_on ?? {})) {
        assert.property(compose.services[other], "healthcheck")
      }
      for (const [name, value] of Object.entries<string>(service.environment ?? {})) {
        if (/PASSWORD|KEY|URL|SECRET/.test(name)) assert.match(name, /_FILE$/, `${name}=${value}`)
        if (name.endsWith("_FILE")) assert.include(service.secrets, value.replace("/run/secrets/", ""))
      }
    }
    assert.deepStrictEqual(Object.keys(compose.services).toSorted(), ["clickhouse", "lading", "postgres", "redis"])
    assert.isTrue(existsSync(join(root, folder, compose.services.lading.build.context, "pnpm-lock.yaml")))
    assert.isTrue(existsSync(join(root, compose.services.lading.build.dockerfile)))
  })

  it("secrets.sh makes what the server takes, readable through a folder that nobody else enters, and changes nothing later", async () => {
    const copy = mkdtempSync(join(tmpdir(), "lading-deploy-"))
    try {
      cpSync(join(root, folder, "secrets.sh"), join(copy, "secrets.sh"))
      const run = () => execFileSync("sh", [join(copy, "secrets.sh")])
      run()
      const [compose] = documents("compose.yaml")
      const secret = (file: string) => readFileSync(join(copy, "secrets", file), "utf8").trimEnd()
      const before = Object.keys(compose.secrets).map(secret)
      const environment = Object.fromEntries(
        Object.entries<string>(compose.services.lading.environment).map(([name, value]) =>
          name.endsWith("_FILE") ? [name.slice(0, -5), secret(value.replace("/run/secrets/", ""))] : [name, value]
        )
      )
      assert.deepStrictEqual((await Effect.runPromise(Configuration.read(environment))).warnings, [])
      run()
      assert.deepStrictEqual(Object.keys(compose.secrets).map(secret), before)
      assert.strictEqual(statSync(join(copy, "secrets")).mode & 0o777, 0o700)
    } finally {
      rmSync(copy, { recursive: true })
    }
  })

  const kinds = (kind: string) => documents("kubernetes.yaml").filter((document) => document.kind === kind)

  it("kubernetes.yaml: the server's own configuration is read, and every placeholder is refused", async () => {
    const [secret] = kinds("Secret")
    const [map] = kinds("ConfigMap")
    assert.deepStrictEqual((await Effect.runPromise(Configuration.read(map.data))).warnings, [])
    for (const [name, value] of Object.entries<string>(secret.stringData)) {
      const { message } = await Effect.runPromise(Effect.flip(Configuration.read({ ...map.data, [name]: value })))
      assert.isTrue(message.startsWith(`${name}: `), message)
    }
  })

  it("a server is given the time that it needs to stop: the drain, 65 seconds for the longest request, and some more", () => {
    const [deployment] = kinds("Deployment")
    const [map] = kinds("ConfigMap")
    const pod = deployment.spec.template.spec
    assert.isAtLeast(pod.terminationGracePeriodSeconds, Number(map.data.LADING_DRAIN_MS) / 1000 + 65)
    const [{ readinessProbe }] = pod.containers
    assert.isAbove(
      Number(map.data.LADING_DRAIN_MS) / 1000,
      readinessProbe.periodSeconds * readinessProbe.failureThreshold
    )
    const { lading } = documents("compose.yaml")[0].services
    assert.isAtLeast(
      Number.parseInt(lading.stop_grace_period, 10),
      Number(lading.environment.LADING_DRAIN_MS) / 1000 + 65
    )
    assert.isAtLeast(Number(/TimeoutStopSec=(\d+)/.exec(read(`${folder}/lading.service`))?.[1]), 70)
  })

  it("kubernetes.yaml: what selects pods selects these, and ports and volumes are those of the container", () => {
    const [deployment] = kinds("Deployment")
    const { metadata, spec } = deployment.spec.template
    const [service] = kinds("Service")
    const [budget] = kinds("PodDisruptionBudget")
    for (const labels of [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels
    ]) {
      assert.deepStrictEqual(labels, metadata.labels)
    }
    const [container] = spec.containers
    const [map] = kinds("ConfigMap")
    assert.strictEqual(container.ports[0].containerPort, Number(map.data.LADING_PORT))
    assert.strictEqual(service.spec.ports[0].targetPort, container.ports[0].name)
    assert.deepStrictEqual(
      container.volumeMounts.map((mount: any) => mount.name),
      spec.volumes.map((volume: any) => volume.name)
    )
    assert.isTrue(container.volumeMounts.some((mount: any) => mount.mountPath === map.data.LADING_DATA_DIR))
  })

  it("kubernetes.yaml: only the autoscaler says how many servers, and PostgreSQL as it comes has connections for all of them", () => {
    const [deployment] = kinds("Deployment")
    const [autoscaler] = kinds("HorizontalPodAutoscaler")
    assert.notProperty(deployment.spec, "replicas")
    const [map] = kinds("ConfigMap")
    assert.isAbove(deployment.spec.minReadySeconds, Number(map.data.LADING_DRAIN_MS) / 1000)
    // One that starts and one that drains; 12 of each server, as the page says; 100 without those that are reserved.
    assert.include(read("docs/operations.md"), "Each has up to 12 connections to the database")
    assert.isAtMost((autoscaler.spec.maxReplicas + deployment.spec.strategy.rollingUpdate.maxSurge + 1) * 12, 97)
  })

  it("the role of compose.yaml has another name than the schema, and is that of the address", () => {
    const { POSTGRES_DB, POSTGRES_USER } = documents("compose.yaml")[0].services.postgres.environment
    assert.notStrictEqual(POSTGRES_USER, "lading")
    const script = read(`${folder}/secrets.sh`)
    assert.include(script, `postgres://${POSTGRES_USER}:`)
    assert.include(script, `@postgres:5432/${POSTGRES_DB}"`)
  })
})

describe("dashboard and alerts", () => {
  const dashboard = JSON.parse(read(`${folder}/grafana-dashboard.json`))
  const expressions: ReadonlyArray<string> = [
    ...dashboard.panels.flatMap((panel: any) => panel.targets.map((target: any) => target.expr)),
    ...documents("prometheus-rules.yaml")[0].groups.flatMap((group: any) => group.rules.map((rule: any) => rule.expr))
  ]
  const key = "lad_live_key-of-the-dashboard"
  let sandbox: Sandbox.Sandbox
  let shown = ""

  beforeAll(async () => {
    sandbox = await Sandbox.start(key)
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const post = (path: string, body: object) =>
      fetch(sandbox.url + path, { method: "POST", headers, body: JSON.stringify(body) })
    for (let time = 0; time < 2; time++) {
      const answer = await post("/api/company/enrich", { identity: { domains: ["nordvik-robotics.example"] } })
      assert.strictEqual(answer.status, 200)
    }
    await post("/api/email/verify", { type: "single", email: "mara@nordvik-robotics.example" })
    shown = await (await fetch(`${sandbox.url}/metrics`)).text()
  })

  afterAll(() => sandbox?.stop())

  const metric = (name: string) => name.replace(/_(?:bucket|sum|count)$/, "")

  /** Those that a server has only when something waits or fails: looked for in the documentation, by name alone. */
  const later = new Set([
    "lading_webhook_attempts_total",
    "lading_webhooks_failed_total",
    "lading_pending_ended_total",
    "lading_pending_seconds",
    "lading_pending_enrichments",
    "lading_vendor_keys",
    "lading_company_index_puts_total",
    "lading_known_people_puts_total",
    "lading_redis_up",
    "lading_redis_fallbacks_total"
  ])

  it("every metric of an expression is one of a running server, with its labels", () => {
    assert.isAbove(expressions.length, 20)
    for (const expression of expressions) {
      for (const [, name = "", selector = ""] of expression.matchAll(/\b(lading_[a-z_]+)(?:\{([^}]*)\})?/g)) {
        if (later.has(metric(name))) continue
        const lines = shown.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
        assert.isNotEmpty(lines, `${name} in ${expression}`)
        const groups = Array.from(expression.matchAll(/by \(([^)]*)\)/g), ([, labels = ""]) => labels.split(","))
        const used = [
          ...Array.from(selector.matchAll(/([a-z_]+)(?:=~?|!=)/g), ([, label = ""]) => label),
          ...groups.flat()
        ]
        for (const label of new Set(used.map((one) => one.trim()))) {
          // Given by Prometheus itself.
          if (label !== "instance") assert.include(lines[0], `${label}="`, `${label} of ${name} in ${expression}`)
        }
      }
    }
  })

  it("every metric that there is has a place on the dashboard", () => {
    const used = new Set(expressions.flatMap((one) => one.match(/\blading_[a-z_]+/g) ?? []).map(metric))
    const documented = rows(read("docs/operations.md")).flatMap(
      ([name = ""]) => /^`(lading_[a-z_]+)`$/.exec(name)?.[1] ?? []
    )
    assert.isAbove(documented.length, 10)
    assert.deepStrictEqual(
      documented.filter((name) => !used.has(name)),
      []
    )
    for (const name of later) assert.include(documented, name)
  })
})
