# taiji in a container: small, without root rights, with a root file system that may be read-only.
#   docker build -t taiji .
#   docker run --read-only --tmpfs /tmp -v taiji:/var/lib/taiji -p 8321:8321 taiji

# The wheel carries the compiled core, the nets and the web app.
FROM debian:bookworm-slim AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ make python3-dev python3-pip python3-venv \
    && rm -rf /var/lib/apt/lists/*
COPY --from=node:20-bookworm-slim /usr/local/bin/node /usr/local/bin/node
COPY --from=node:20-bookworm-slim /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /source
COPY . .
RUN python3 -m pip wheel --break-system-packages --no-cache-dir --no-deps --wheel-dir /wheels .

FROM debian:bookworm-slim
COPY --from=build /source/constraints.txt /source/deploy/install /wheels/*.whl /tmp/taiji/
# The same script installs on a machine; `make hosting-check` runs it in a fresh Debian root.
RUN /tmp/taiji/install /tmp/taiji && rm -rf /tmp/taiji /var/lib/apt/lists/*

USER taiji
ENV PATH=/opt/taiji/bin:$PATH TAIJI_DATABASE_URL=sqlite:////var/lib/taiji/games.sqlite PYTHONDONTWRITEBYTECODE=1
VOLUME /var/lib/taiji
EXPOSE 8321
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["/opt/taiji/bin/python", "-c", \
        "from urllib.request import urlopen; urlopen('http://127.0.0.1:8321/api/ready', timeout=4)"]
ENTRYPOINT ["taiji"]
CMD ["serve", "--host", "0.0.0.0", "--no-open"]
