# Countersign in a container: what runs is node, the built server and what it depends on, under a user that owns nothing
# but the data directory. Settings are mounted, secrets come from the environment; none of either is in the image.

FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY test/types/oldest/package.json test/types/oldest/
COPY docs/.vitepress/package.json docs/.vitepress/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json vite.config.ts rolldown.config.ts ./
COPY test/longest.ts test/runs.ts test/
COPY server server
COPY ui ui
COPY cheatsheets cheatsheets
COPY docs/guides docs/guides
COPY docs/recipes docs/recipes
COPY docs/GLOSSARY.md docs/
COPY profiles profiles
COPY LICENSE README.md CHANGELOG.md ./
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/.cache docs/.vitepress

FROM node:24-slim
ENV NODE_ENV=production \
    COUNTERSIGN_DB=/data/countersign.db
WORKDIR /app
COPY --from=build /src/package.json /src/LICENSE ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/cheatsheets cheatsheets
COPY --from=build /src/docs docs
COPY --from=build /src/profiles profiles
COPY --from=build /src/dist dist
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3323
STOPSIGNAL SIGTERM
# Alive, not ready: a container whose database is away must not be replaced for it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:3323/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/program/countersign.js"]
CMD ["gateway", "--http", "3323", "--config", "/etc/countersign/countersign.json"]
