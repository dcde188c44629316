# Not run by Docker yet: no Docker engine was available, and no node:24-slim. podman built it on Debian 12 with Node 24 instead,
# and the server in the image ran as uid 1000 on a read-only root. test/package.test.ts tries the same package.
#
#   docker build -t usher .
#   docker run --read-only --tmpfs /tmp -v usher-data:/data -p 127.0.0.1:8080:8080 usher

FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && node release/pack-server.ts /packed
# The image already has the right Node, so the Node of the package is not needed.
RUN npm install --prefix /opt/usher --omit=dev /packed/usher-server-*.tgz \
  && rm -rf /opt/usher/node_modules/node /opt/usher/node_modules/node-*

FROM node:24-slim
COPY --from=build /opt/usher /opt/usher
RUN mkdir /data && chown node:node /data
USER node
ENV USHER_DATA_DIR=/data HOST=0.0.0.0 PORT=8080
# Plain HTTP only from networks of containers; see USHER_REQUIRE_HTTPS in the settings.
ENV USHER_REQUIRE_HTTPS=never USHER_PLAIN_HTTP_NETWORKS=10.0.0.0/8,172.16.0.0/12,192.168.0.0/16
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# With USHER_TLS_CERT it asks by HTTPS. The certificate is for another name than 127.0.0.1.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "const { env } = process; env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch('http' + (env.USHER_TLS_CERT ? 's' : '') + '://127.0.0.1:' + env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "--no-allocation-site-pretenuring", "/opt/usher/node_modules/@usher/server/bin.js"]
CMD ["start"]
