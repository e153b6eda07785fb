/** The contract suites: what an adapter must do to serve a port. */
export { accountsSuite } from "./AccountsSuite.ts"
export { answerCacheSuite } from "./AnswerCacheSuite.ts"
export { companyIndexSuite } from "./CompanyIndexSuite.ts"
export { contactFinderSuite, type ContactFinderSuiteOptions } from "./ContactFinderSuite.ts"
export { credentialCheckSuite, type CredentialCheckSuiteOptions } from "./CredentialCheckSuite.ts"
export {
  type BoundDirectory,
  companyDirectorySuite,
  type DirectorySuiteOptions,
  personDirectorySuite
} from "./DirectorySuite.ts"
export { emailTasksSuite } from "./EmailTasksSuite.ts"
export { erasuresSuite } from "./ErasuresSuite.ts"
export { fixturesSuite, type FixturesSuiteOptions } from "./FixturesSuite.ts"
export { hitRatesSuite } from "./HitRatesSuite.ts"
export { knownPeopleSuite } from "./KnownPeopleSuite.ts"
export { ledgerSuite } from "./LedgerSuite.ts"
export { pageReaderSuite, type PageReaderSuiteOptions } from "./PageReaderSuite.ts"
export { enrichmentStoreSuite } from "./EnrichmentStoreSuite.ts"
export { runLogSuite } from "./RunLogSuite.ts"
export { suppressionSuite } from "./SuppressionSuite.ts"
export { taskStoreSuite } from "./TaskStoreSuite.ts"
export { plannerSuite, type PlannerSuiteOptions } from "./PlannerSuite.ts"
export { type Course, sequenceSuite, type SequenceSuiteOptions } from "./SequenceSuite.ts"
export { type Bound, companySourceSuite, personSourceSuite, type SourceSuiteOptions } from "./SourceSuite.ts"
export { shapeSuite, type ShapeSuiteOptions } from "./ShapeSuite.ts"
export { tradeStoreSuite } from "./TradeStoreSuite.ts"
export { traderDomainsSuite } from "./TraderDomainsSuite.ts"
export { vaultSuite } from "./VaultSuite.ts"
export { webhooksSuite } from "./WebhooksSuite.ts"
