import { VENDOR_FORMATS } from './vendor-formats.js'

/** The characters that a format names by a letter. */
const SETS: Readonly<Record<string, string>> = {
  d: '0-9',
  x: '0-9a-f',
  X: '0-9A-Fa-f',
  u: '0-9A-Z',
  l: '0-9a-z',
  m: '0-9A-Za-z',
  w: String.raw`\w-`,
  b: 'A-Za-z0-9+/',
  e: String.raw`\w=-`,
}

/** The pattern of a format: `{x40}` are 40 characters of the set x, `{x40-}` are 40 or more. */
const patternOf = (format: string): string =>
  format
    .replace(/\((?!\?)/g, '(?:')
    .replace(/\{([a-zA-Z])(\d+)(-?)(\d*)\}/g, (_, set: string, least: string, more: string, most: string) => {
      return `[${SETS[set]}]{${least}${more && `,${most}`}}`
    })

/**
 * Tokens that their format identifies, by vendor, without word boundaries. The formats are those that gitleaks or the
 * vendors document. No pattern nests a repetition in a repetition, so matching takes linear time.
 */
export const KNOWN_TOKENS: readonly (readonly [name: string, pattern: string])[] = [
  // Models
  ['OpenAI', String.raw`sk-(?=[\w-]{0,200}\d)[\w-]{20,}`], // CSS classes have no digits
  ['Groq', 'gsk_[A-Za-z0-9]{20,}'],
  ['xAI', 'xai-[A-Za-z0-9]{20,}'],
  ['Perplexity', 'pplx-[A-Za-z0-9]{20,}'],
  ['Replicate', 'r8_[A-Za-z0-9]{20,}'],
  ['Hugging Face', '(?:hf|api_org)_[A-Za-z0-9]{30,}'],
  ['Google AI', String.raw`(?:AIza[\w-]{35}|AQ\.[\w-]{40,})`],
  ['NVIDIA', String.raw`nvapi-[\w-]{40,}`],
  ['Fireworks', 'fw_[A-Za-z0-9]{20,}'],
  ['Tavily', 'tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}'],
  ['E2B', 'e2b_[a-f0-9]{40}'],
  ['Firecrawl', 'fc-[a-f0-9]{32}'],
  ['LangSmith', 'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'],
  ['LangSmith, old', 'ls__[a-f0-9]{32}'],
  ['Pinecone', String.raw`pcsk_\w{40,}`],
  ['Jina', String.raw`jina_[\w-]{40,}`],
  ['Voyage', String.raw`pa-(?=[\w-]{0,60}\d)[\w-]{40,}`],
  ['Cerebras', 'csk-[a-z0-9]{40,}'],
  ['Amazon Bedrock', '(?:ABSK[A-Za-z0-9+/]{100,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{20,})'],
  ['Browserbase', String.raw`bb_(?:live|test)_[\w-]{20,}`],
  ['Logfire', String.raw`pylf_v\d_[a-z]{2}_\w{20,}`],
  ['planspan', String.raw`planspan_[\w-]{43}`],
  // Clouds
  ['AWS', '(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}'],
  ['Google access', String.raw`ya29\.[\w-]{20,}`],
  ['Google refresh', String.raw`1//0[\w-]{30,}`],
  ['Google client secret', String.raw`GOCSPX-[\w-]{20,}`],
  ['Alibaba', 'LTAI[A-Za-z0-9]{12,20}'],
  ['Tencent', 'AKID[A-Za-z0-9]{32}'],
  ['DigitalOcean', 'do[opr]_v1_[a-f0-9]{64}'],
  ['Heroku', String.raw`HRKU-[\w-]{30,}`],
  ['Fly.io', String.raw`(?:fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,3})`],
  ['Scalingo', String.raw`tk-us-[\w-]{48}`],
  ['Cloudflare origin CA', String.raw`v1\.0-[a-f0-9]{24}-[a-f0-9]{146}`],
  ['Vercel', String.raw`vc[parki]_[\w-]{24,}`],
  ['Netlify', String.raw`nfp_[\w-]{36,}`],
  ['Render', 'rnd_[A-Za-z0-9]{28,}'],
  ['Pulumi', 'pul-[a-f0-9]{40}'],
  ['OpenShift', String.raw`sha256~[\w-]{43}`],
  ['Infracost', 'ico-[A-Za-z0-9]{32}'],
  ['Tailscale', String.raw`tskey-[a-z]{2,12}-[\w-]{20,}`],
  ['Apify', 'apify_api_[A-Za-z0-9-]{30,}'],
  // Vaults
  ['Vault', String.raw`hv[sbr]\.[\w-]{24,}`],
  ['Vault, old', String.raw`s\.(?=[A-Za-z]{0,24}\d)[A-Za-z0-9]{24}`],
  ['Doppler', String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`],
  ['1Password', 'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}'],
  ['1Password service account', 'ops_eyJ[A-Za-z0-9+/]{100,}={0,3}'],
  ['age', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'],
  ['Infisical', String.raw`st\.[a-f0-9-]{24,36}\.[a-f0-9]{32}\.[a-f0-9]{32}`],
  // Code
  ['GitHub', 'gh[pousr]_[A-Za-z0-9]{36,}'],
  ['GitHub, fine-grained', String.raw`github_pat_\w{22,}`],
  ['GitLab', String.raw`gl(?:pat|dt|rt|ft|ptt|oas|agent|imt|soat|ffct)-[\w-]{20,}(?:\.[a-z0-9]{2}\.?[a-z0-9]{7})?`],
  ['GitLab job', String.raw`glcbt-[A-Za-z0-9]{1,5}_[\w-]{20,}`],
  ['GitLab runner', String.raw`GR1348941[\w-]{20,}`],
  ['Bitbucket, Atlassian', String.raw`AT(?:BB|ATT|CTT)[\w-]{24,}(?:=[A-F0-9]{8})?`],
  ['npm', 'npm_[A-Za-z0-9]{36}'],
  ['PyPI', String.raw`pypi-[\w-]{50,}`],
  ['RubyGems', 'rubygems_[a-f0-9]{48}'],
  ['crates.io', 'cio[A-Za-z0-9]{32}'],
  ['Clojars', 'CLOJARS_[a-f0-9]{60}'],
  ['NuGet', 'oy2[a-z0-9]{43}'],
  ['Docker Hub', String.raw`dckr_(?:pat|oat)_[\w-]{27,}`],
  ['Artifactory', '(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})'],
  ['Sourcegraph', String.raw`sgp_(?:[A-Za-z0-9]{5,16}_)?[a-f0-9]{40}`],
  ['CircleCI', String.raw`CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}`],
  ['Buildkite', 'bkua_[a-f0-9]{40}'],
  ['Octopus Deploy', 'API-[A-Z0-9]{26}'],
  ['Harness', String.raw`[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`],
  ['SonarQube', 'sq[upa]_[a-f0-9]{40}'],
  ['Postman', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'],
  ['ReadMe', 'rdme_[a-z0-9]{70}'],
  ['Prefect', 'pn[ub]_[A-Za-z0-9]{36}'],
  ['Figma', String.raw`fig[dou][rh]?_[\w-]{40,}`],
  ['Snyk', String.raw`snyk_(?:uat|sat)\.[a-f0-9]{8}\.[\w-]{20,}`],
  // Talk
  ['Slack', String.raw`xox[abceoprs](?:\.xox[bp])?-[\w-]{10,}`],
  ['Slack app', String.raw`xapp-\d-[\w-]{20,}`],
  ['Discord', String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}`],
  ['Telegram', String.raw`\d{8,10}:AA[\w-]{32,33}`],
  ['Twilio', 'SK[a-f0-9]{32}'],
  ['SendGrid', String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`],
  ['Brevo', 'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}'],
  ['Mailgun', 'key-[a-f0-9]{32}'],
  ['Mailchimp', String.raw`[a-f0-9]{32}-us\d{1,2}`],
  ['Resend', String.raw`re_(?=[A-Za-z]{0,8}\d|[A-Za-z]{8}_)[A-Za-z0-9]{8}_[A-Za-z0-9]{24}`],
  ['Lob', '(?:live|test)_(?:pub_)?[a-f0-9]{35}'],
  // Work
  ['Notion', '(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})'],
  ['Linear', 'lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}'],
  ['Airtable', String.raw`pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`],
  ['Asana', String.raw`\d/\d{10,16}(?:/\d{10,16})?:[a-f0-9]{32}`],
  ['HubSpot', 'pat-(?:na|eu|ap)1-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}'],
  ['Adobe', 'p8e-[A-Za-z0-9]{32}'],
  ['Typeform', String.raw`tfp_[\w-]{40,59}(?:\.[\w-]{1,20})?`],
  ['Frame.io', String.raw`fio-u-[\w=-]{64}`],
  ['Contentful', String.raw`CFPAT-[\w-]{43}`],
  ['ClickUp', String.raw`pk_\d{6,10}_[A-Z0-9]{32}`],
  ['Dropbox', String.raw`sl\.(?:u\.)?[\w-]{60,}`],
  // Money and shops
  ['Stripe', '[spr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}'],
  ['Stripe webhook', 'whsec_[A-Za-z0-9+/=]{16,}'],
  ['Shopify', 'shp(?:at|ca|pa|ss|ua|tka)_[A-Fa-f0-9]{32}'],
  ['Square', String.raw`(?:EAAA[\w-]{58,62}|sq0[a-z]{3}-[\w-]{22,60})`],
  ['PayPal, Braintree', String.raw`access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}`],
  ['Flutterwave', 'FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?'],
  ['Plaid', 'access-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9-]{27}'],
  ['Razorpay', 'rzp_(?:live|test)_[A-Za-z0-9]{14,}'],
  ['EasyPost', 'EZ[AT]K[A-Za-z0-9]{54}'],
  ['Shippo', 'shippo_(?:live|test)_[a-fA-F0-9]{40}'],
  ['Duffel', String.raw`duffel_(?:live|test)_[\w=-]{43}`],
  ['Facebook', 'EAA[A-Za-z0-9]{60,}'],
  ['Amazon seller', String.raw`amzn1\.oa2-cs\.v1\.[a-f0-9]{64}`],
  ['Amazon MWS', String.raw`amzn\.mws\.[a-f0-9]{8}-[a-f0-9-]{27}`],
  // Data
  ['Databricks', String.raw`dapi[a-f0-9]{32}(?:-\d)?`],
  ['Supabase', String.raw`sb(?:p_[a-f0-9]{40}|_secret_[\w-]{20,})`],
  ['PlanetScale', String.raw`pscale_(?:tkn|oauth|pw)_[\w-]{32,64}`],
  ['Neon', 'napi_[a-z0-9]{60,}'],
  ['ClickHouse Cloud', '4b1d[A-Za-z0-9]{38}'],
  ['Terraform', String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`],
  ['MaxMind', '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk'],
  ['Confluent', 'cflt[A-Za-z0-9+/]{56,60}'],
  ['Mapbox', String.raw`sk\.eyJ[\w-]{20,}\.[\w-]{20,}`],
  ['SettleMint', 'sm_[aps]at_[A-Za-z0-9]{16}'],
  // Watching
  ['Grafana', 'gl(?:sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|c_[A-Za-z0-9+/]{32,}={0,3})'],
  ['Sentry', String.raw`sntry(?:u_[a-f0-9]{64}|s_[\w+/=-]{40,})`],
  ['New Relic', '(?:NRAK-[A-Z0-9]{27}|NRII-[A-Za-z0-9-]{32}|NRJS-[a-f0-9]{19})'],
  ['Dynatrace', String.raw`dt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}`],
  ['PostHog', 'ph[xs]_[A-Za-z0-9]{40,}'],
  ['Honeycomb', 'hc[abi][a-z]{2}_[a-z0-9]{32,}'],
  ['LaunchDarkly', '(?:api|sdk|mob)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}'],
  ['PagerDuty', String.raw`u\+[\w-]{18}`],
  // Identity
  ['JSON Web Token', String.raw`eyJ[\w-]{5,}\.(?:eyJ[\w-]{5,}(?:\.[\w-]*)?|[\w-]{5,}\.[\w-]*)`],
  ['Azure', String.raw`[\w~.]{3}\dQ~[\w~.-]{31,34}`],
  ['Clerk, WorkOS', 'sk_[a-z]{1,10}_[A-Za-z0-9]{20,}'],
  ['Okta', String.raw`00(?=[A-Za-z]{0,40}\d)(?=[\w-]{0,40}[A-Z])(?=[\w-]{0,40}[a-z])[\w-]{40}`],
  ['Bitcoin', '[5KL][1-9A-HJ-NP-Za-km-z]{50,51}'],
  ['Extended private key', '[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}'],
]

/** All tokens that their format identifies. */
export const VENDOR_TOKENS: typeof KNOWN_TOKENS = [
  ...KNOWN_TOKENS,
  ...VENDOR_FORMATS.map(([rule, format]) => [rule, patternOf(format)] as const),
]
