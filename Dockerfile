# planspan for a ClickHouse that runs elsewhere: `planspan serve --clickhouse URL`. See compose.yaml.
FROM node:24.11.1-bookworm-slim AS build
WORKDIR /planspan
# A clone, as far as .dockerignore lets it through, or the package as npm unpacks it, which is built and has no lockfile.
COPY . .
RUN if [ -d src ]; then npm ci; fi
# What a server needs: the dependencies and the peers but for the embedded ClickHouse, in the versions of the lockfile if
# there is one. A clone has the SDK package in packages; npm brings it otherwise.
RUN node -e "const f = './package.json', p = require(f); \
  for (const n in p.peerDependencies) if (!['chdb', 'ffi-rs'].includes(n)) p.dependencies[n] = p.devDependencies[n]; \
  delete p.devDependencies; delete p.peerDependencies; \
  if (!require('fs').existsSync('packages')) delete p.workspaces; \
  require('fs').writeFileSync(f, JSON.stringify(p))" \
  && npm install --ignore-scripts --no-audit --no-fund && mkdir -p packages

FROM node:24.11.1-bookworm-slim
ENV NODE_ENV=production
WORKDIR /planspan
COPY --from=build /planspan/package.json ./
COPY --from=build /planspan/node_modules node_modules
COPY --from=build /planspan/packages packages
COPY --from=build /planspan/dist dist
USER node
EXPOSE 4317 4318 17271
ENTRYPOINT ["node", "/planspan/dist/cli/main.js"]
# A file of `planspan token create`, to be mounted. Whoever wants it open to all says so: serve --host=0.0.0.0 --open.
# With a certificate that is mounted, --tls-cert and --tls-key stand in place of --plain-http.
CMD ["serve", "--host=0.0.0.0", "--plain-http", "--tokens=/run/secrets/planspan-tokens/tokens.json"]
