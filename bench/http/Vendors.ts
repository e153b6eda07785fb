/**
 * Four simulated vendors that speak as the adapter `plain` expects, as light as they can be: every company exists, and
 * what is said of it follows from its domain, so that nothing can be remembered from another one. Each knows other
 * fields than those before it and disagrees about some.
 */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

type Body = (domain: string, digits: string) => string

const json = JSON.stringify

/** Both name the first telephone, each in its own spelling. */
const first: Body = (domain, digits) =>
  `{"name":"Company ${digits}","domain":"${domain}","otherDomains":[],"website":"https://${domain}",` +
  `"industries":["Industrial automation","Machinery"],"about":null,"foundedYear":2012,"headCount":240,` +
  `"revenueUsd":null,"fundingUsd":null,"phones":["+47 2${digits.slice(0, 3)} ${digits.slice(3)}"],` +
  `"address":{"line":"1 Havnegata, Oslo","city":"Oslo","region":null,"postcode":"0150","country":"Norway",` +
  `"countryCode":"NO"},"profiles":{"linkedin":"https://www.linkedin.com/company/c${digits}","twitter":null,` +
  `"facebook":null,"crunchbase":null,"instagram":null},` +
  `"tech":${json(["Salesforce", "Cloudflare", "React", "Kubernetes"])},"tags":["robots"],"mailboxes":["info@${domain}"]}`

const second: Body = (domain, digits) =>
  `{"name":"Company ${digits} AS","domain":"${domain}","otherDomains":[],"website":null,` +
  `"industries":["Robotics","industrial automation"],"about":"Robots for warehouses, number ${digits}.",` +
  `"foundedYear":2011,"headCount":260,"revenueUsd":42000000,"fundingUsd":15000000,` +
  `"phones":["+472${digits}","+47 3${digits.slice(0, 3)} ${digits.slice(3)}"],"address":null,` +
  `"profiles":{"linkedin":null,"twitter":"https://twitter.com/c${digits}","facebook":` +
  `"https://www.facebook.com/c${digits}","crunchbase":null,"instagram":null},` +
  `"tech":${json(["cloudflare", "PostgreSQL"])},"tags":["Robots","conveyor"],` +
  `"mailboxes":["INFO@${domain}","sales@${domain}"]}`

const third: Body = (domain, digits) =>
  `{"name":"COMPANY ${digits}","domain":"${domain}","otherDomains":[],"website":"http://www.${domain}",` +
  `"industries":["Machinery"],"about":"Maker of machines.","foundedYear":2010,"headCount":250,` +
  `"revenueUsd":41000000,"fundingUsd":null,"phones":[],"address":{"line":"2 Kaigata, Bergen","city":"Bergen",` +
  `"region":null,"postcode":"5003","country":"Norway","countryCode":"NO"},"profiles":{"linkedin":null,` +
  `"twitter":null,"facebook":null,"crunchbase":"https://www.crunchbase.com/organization/c${digits}","instagram":null},` +
  `"tech":${json(["PostgreSQL", "Elixir"])},"tags":["machines"],"mailboxes":["post@${domain}"]}`

const fourth: Body = (domain, digits) =>
  `{"name":"Company ${digits}","domain":"${domain}","otherDomains":[],"website":null,` +
  `"industries":["Logistics"],"about":null,"foundedYear":null,"headCount":245,"revenueUsd":null,` +
  `"fundingUsd":16000000,"phones":["+47 4${digits.slice(0, 3)} ${digits.slice(3)}"],"address":null,` +
  `"profiles":{"linkedin":null,"twitter":null,"facebook":null,"crunchbase":null,` +
  `"instagram":"https://www.instagram.com/c${digits}"},` +
  `"tech":${json(["react", "Grafana"])},"tags":["warehouses"],"mailboxes":["sales@${domain}"]}`

let delay = 0
let calls = 0

const send = (response: ServerResponse, status: number, body: string) => {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
}

const question = "/v1/company?domain="

/** Seven digits of the domain's own, so that every company has its own telephones. */
const digitsOf = (domain: string): string => domain.replaceAll(/\D/g, "").padStart(7, "0").slice(-7)

const serve = (body: Body): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer({ keepAliveTimeout: 60_000 }, ({ headers, url = "" }, response) => {
      calls++
      if (headers["x-api-key"] !== process.env["VENDOR_KEY"]) return send(response, 401, `{"error":"wrong_key"}`)
      if (!url.startsWith(question)) return send(response, 400, `{"error":"domain_required"}`)
      const domain = url.slice(question.length)
      const answer = () => send(response, 200, body(domain, digitsOf(domain)))
      if (delay === 0) answer()
      else setTimeout(answer, delay)
    })
    // A port of 0 always has an address of this kind.
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

process.on("message", ({ argument, id, question }: { argument: unknown; id: number; question: string }) => {
  if (question === "delay") {
    delay = Number(argument)
    process.send?.({ to: id, answer: null })
  }
  if (question === "calls") process.send?.({ to: id, answer: calls })
})

const urls = await Promise.all([first, second, third, fourth].map(serve))
console.log(`serves on ${urls.join(" ")}`)
